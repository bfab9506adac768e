"""Stage `wiqa.splits`: train, dev and test without a topic in common (WIQA, section 3.4).

Topics that share a paragraph, word for word, are kept together, so that no paragraph
occurs in two splits either. Whole topics are dealt out in an order that depends on the
seed, the large ones first, each to the split that lacks most of its share.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.columns import number, text
from stages.core.contract import Output, Stage, StageError, TableSpec, Whole
from stages.core.groups import assign, shared, together
from stages.core.limits import at_least
from stages.core.splits import SPLITS

TOPIC_SIZES = TableSpec(
    name="topic_sizes",
    schema=pa.schema([text("para_id"), text("topic"), text("text_digest"), number("size")]),
    key=("para_id", "topic"),
)
"""One row per paragraph: text_digest tells equal paragraphs; size: how many questions it has."""

TOPIC_SPLITS = TableSpec(
    name="topic_splits",
    schema=pa.schema([text("topic"), text("split"), number("paragraphs"), number("size")]),
    key=("topic",),
    buckets=1,
)


@dataclass(frozen=True)
class TopicSplitParams:
    """seed: of the order in which topics are dealt out.
    train, dev, test: the sizes whose proportions are aimed at (defaults: those of the released benchmark).
    min_topics: topics that each split gets where there are three times as many; questions without an
        effect need two topics in a split.
    """

    seed: int = 0
    train: int = 29808
    dev: int = 6894
    test: int = 3003
    min_topics: int = 2

    def __post_init__(self) -> None:
        at_least(self, 0, *SPLITS)
        if not sum(self.shares.values()):
            raise StageError("train, dev, test: expected at least one size above 0")
        at_least(self, 1, "min_topics")

    @property
    def shares(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in SPLITS}


def topic_splits(sizes: pa.Table, *, params: TopicSplitParams) -> Output:
    """TOPIC_SPLITS from TOPIC_SIZES. Raises StageError if a topic or a paragraph came into two splits.

    Metrics: topics, paragraphs and size per split; topics_in_two_splits, paragraphs_in_two_splits,
    paragraph_texts_in_two_splits, all 0 in a sound split.
    """
    rows = sizes.to_pylist()
    totals: Counter[str] = Counter()
    paragraphs: Counter[str] = Counter()
    for row in rows:
        totals[row["topic"]] += row["size"]
        paragraphs[row["topic"]] += 1
    groups = together((row["topic"], row["text_digest"]) for row in rows)
    group_sizes = {group: sum(totals[topic] for topic in group) for group in groups}
    splits = assign(group_sizes, params.shares, params.seed, params.min_topics)
    of_topic = {topic: split for group, split in splits.items() for topic in group}
    found = shared(
        {
            "topics": ((row["topic"], of_topic[row["topic"]]) for row in rows),
            "paragraphs": ((row["para_id"], of_topic[row["topic"]]) for row in rows),
            "paragraph_texts": ((row["text_digest"], of_topic[row["topic"]]) for row in rows),
        }
    )
    if leaks := {name: values for name, values in found.items() if values}:
        raise StageError(f"wiqa.splits: in two splits: {leaks}")
    table: list[dict[str, Any]] = [
        {"topic": topic, "split": of_topic[topic], "paragraphs": paragraphs[topic], "size": totals[topic]}
        for topic in sorted(of_topic)
    ]
    metrics = {f"{name}_in_two_splits": float(len(values)) for name, values in found.items()}
    for split in SPLITS:
        inside = [row for row in table if row["split"] == split]
        metrics |= {f"{split}_topics": float(len(inside))}
        metrics |= {f"{split}_{name}": float(sum(row[name] for row in inside)) for name in ("paragraphs", "size")}
    return Output({TOPIC_SPLITS.name: TOPIC_SPLITS.table(table)}, metrics=metrics)


def stage(params: TopicSplitParams | None = None, sizes: str = TOPIC_SIZES.name) -> Stage:
    """sizes: the name of a table of TOPIC_SIZES."""
    params = params or TopicSplitParams()
    return Stage(
        name="wiqa.splits",
        shape=Whole(),
        kernel=partial(topic_splits, params=params),
        inputs=(sizes,),
        outputs=(TOPIC_SPLITS,),
        about="Section 3.4: train, dev and test without a topic in common.",
    )
