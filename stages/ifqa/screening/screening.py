"""Stage `ifqa.screening`: passages that tell of causes and events in the past tense (IfQA, section 3.1).

A passage's score adds up the weights of the cues and terms in it and of its share of past
tense. The authors' own list of keywords is not public; ours is in templates/screening.

Tagging verbs takes a hundred times as long as finding cues. So only those passages are
tagged whose score could reach the threshold were every verb in the past tense; no other
passage could be kept, so what is kept does not depend on this.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.columns import number, text, texts
from stages.core.contract import Map, Output, Stage, StageError, TableSpec
from stages.core.rejects import Rejects
from stages.ifqa.passages import WORD_PASSAGES
from stages.ifqa.screening.lexicon import CueLexicon, Found
from stages.ifqa.screening.tense import VerbTagger, past_share

SCREENED = TableSpec(
    name="screened_passages",
    schema=pa.schema(
        [
            text("passage"),
            text("title"),
            number("number"),
            text("text"),
            pa.field("score", pa.float64(), nullable=False),
            texts("cues"),
            pa.field("past", pa.float64(), nullable=False),
            texts("reasons"),
        ]
    ),
    key=("passage",),
    bucket_by=("title",),
    inexact=("score", "past"),
)
"""One row per passage that people may be shown.

score: sum of the weights of cues and terms and of the weighted past share, in log-odds without a constant; at least
`min_score`. cues: found in the text, sorted, at least one; reasons: their reason words, sorted, each once.
past: share of finite verbs in past tense, at least `min_past`; inexact, as tags may turn on a processor's rounding.
"""


@dataclass(frozen=True)
class ScoresParams:
    """min_score: of a passage that is kept; min_past: its least share of finite verbs in the past tense.

    The default is the least score, in quarters, at which two of three passages kept are of the released dev set where
    that stands among ten times as many of pages chosen for nothing (`make figures`). From 2.5 on nearly all that is
    kept says "originally".
    """

    min_score: float = 1.75
    min_past: float = 0.1

    def __post_init__(self) -> None:
        if not 0 <= self.min_past <= 1:
            raise StageError(f"min_past: expected a share from 0 to 1, got {self.min_past}")
        if not -1000 < self.min_score < 1000:
            raise StageError(f"min_score: expected a number between -1000 and 1000, got {self.min_score}")


def scores(passages: pa.Table, *, lexicon: CueLexicon, tagger: VerbTagger, params: ScoresParams) -> Output:
    """SCREENED from WORD_PASSAGES.

    Rejects, keyed by the page's title and counted: no_cue, low_score, not_past.
    Metrics: passages, with_cues, tagged, screened.
    """
    dropped: Counter[tuple[str, str]] = Counter()
    hopeful: list[tuple[dict[str, Any], Found]] = []
    metrics = Counter(passages=passages.num_rows, with_cues=0, tagged=0, screened=0)
    for row in passages.select(["passage", "title", "number", "text"]).to_pylist():
        found = lexicon.found(row["text"])
        metrics["with_cues"] += bool(found.cues)
        if found.cues and lexicon.score(found, 1.0) >= params.min_score:
            hopeful.append((row, found))
        else:
            dropped[row["title"], "low_score" if found.cues else "no_cue"] += 1
    metrics["tagged"] = len(hopeful)
    kept = []
    for (row, found), past in zip(hopeful, _past(hopeful, tagger), strict=True):
        score = lexicon.score(found, past)
        if past < params.min_past:
            dropped[row["title"], "not_past"] += 1
        elif score < params.min_score:
            dropped[row["title"], "low_score"] += 1
        else:
            kept.append(row | {"score": score, "past": past} | _said(found))
    metrics["screened"] = len(kept)
    return Output(
        {SCREENED.name: SCREENED.table(kept)},
        _rejects(dropped),
        {name: float(count) for name, count in metrics.items()},
    )


def _past(hopeful: list[tuple[dict[str, Any], Found]], tagger: VerbTagger) -> list[float]:
    # A shard in which no cue is found needs no model.
    if not hopeful:
        return []
    tag = tagger.load()
    return [past_share(tokens) for tokens in tag([row["text"] for row, _ in hopeful])]


def _said(found: Found) -> dict[str, list[str]]:
    return {"cues": [cue.words for cue in found.cues], "reasons": sorted({cue.reason for cue in found.cues})}


def _rejects(dropped: Counter[tuple[str, str]]) -> pa.Table:
    rejects = Rejects()
    for (title, reason), count in sorted(dropped.items()):
        rejects.add(title, reason, count=count)
    return rejects.table()


def stage(lexicon: CueLexicon, tagger: VerbTagger, params: ScoresParams | None = None) -> Stage:
    params = params or ScoresParams()
    return Stage(
        name="ifqa.screening",
        shape=Map(),
        kernel=partial(scores, lexicon=lexicon, tagger=tagger, params=params),
        inputs=(WORD_PASSAGES.name,),
        outputs=(SCREENED,),
        templates={**lexicon.digests, f"tagger/{tagger.name}": tagger.identity},
        about="Section 3.1: passages that tell of causes and events in the past tense.",
    )
