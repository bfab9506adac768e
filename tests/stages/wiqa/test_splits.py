from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.core.groups import assign, shared, together
from stages.wiqa.splits import TOPIC_SIZES, TopicSplitParams, topic_splits


def rows(sizes: dict[str, list[int]]) -> list[dict[str, Any]]:
    return [
        {"para_id": f"{topic}-{n}", "topic": topic, "text_digest": f"{topic}-{n}", "size": size}
        for topic, of in sizes.items()
        for n, size in enumerate(of)
    ]


def split(listed: list[dict[str, Any]], **params: Any) -> tuple[dict[str, str], dict[str, float]]:
    output = topic_splits(TOPIC_SIZES.table(listed), params=TopicSplitParams(**params))
    return {r["topic"]: r["split"] for r in output.tables["topic_splits"].to_pylist()}, dict(output.metrics)


def test_shares_of_many_topics_come_near_their_targets() -> None:
    chance = random.Random(3)
    listed = rows({f"t{n}": [chance.randint(40, 400) for _ in range(chance.randint(1, 5))] for n in range(150)})
    total = sum(row["size"] for row in listed)
    for seed in range(5):
        _, metrics = split(listed, seed=seed)
        for name, share in (("train", 29808), ("dev", 6894), ("test", 3003)):
            assert abs(metrics[f"{name}_size"] / total - share / 39705) < 0.02
        assert metrics["topics_in_two_splits"] == metrics["paragraphs_in_two_splits"] == 0


@settings(deadline=None, max_examples=60)
@given(
    st.dictionaries(
        st.text("abc", min_size=1, max_size=3),
        st.lists(st.integers(0, 90), min_size=1, max_size=3),
        min_size=1,
        max_size=12,
    ),
    st.integers(0, 99),
)
def test_every_topic_has_one_split_and_none_is_empty_where_topics_suffice(
    sizes: dict[str, list[int]], seed: int
) -> None:
    found, metrics = split(rows(sizes), seed=seed)
    assert set(found) == set(sizes)
    if len(sizes) >= 3:
        assert set(found.values()) == {"train", "dev", "test"}
    if len(sizes) >= 6:
        assert min(metrics[f"{name}_topics"] for name in ("train", "dev", "test")) >= 2


def test_order_does_not_matter_and_the_seed_does() -> None:
    listed = rows({f"t{n}": [10, 20] for n in range(30)})
    first, _ = split(listed, seed=1)
    assert first == split(random.Random(0).sample(listed, len(listed)), seed=1)[0]
    assert first != split(listed, seed=2)[0]


def test_topics_with_one_paragraph_in_common_stay_together() -> None:
    listed = rows({f"t{n}": [50] for n in range(20)})
    for row in listed[:4]:
        row["text_digest"] = "the same"
    for seed in range(6):
        found, metrics = split(listed, seed=seed)
        assert len({found[f"t{n}"] for n in range(4)}) == 1
        assert metrics["paragraph_texts_in_two_splits"] == 0


def test_topics_are_joined_through_others() -> None:
    pairs = [("a", "1"), ("b", "1"), ("b", "2"), ("c", "2"), ("d", "3")]
    for order in (pairs, pairs[::-1]):
        assert sorted(together(order)) == [("a", "b", "c"), ("d",)]


def test_a_paragraph_of_two_topics_is_an_error_if_they_are_parted() -> None:
    listed = rows({"a": [900], "b": [5], "c": [5], "d": [5]})
    listed.append({"para_id": "a-0", "topic": "b", "text_digest": "x", "size": 5})
    with pytest.raises(StageError, match="in two splits"):
        split(listed, min_topics=1)


def test_shared_finds_what_is_in_two_splits() -> None:
    found = shared({"topics": [("a", "train"), ("a", "test"), ("b", "dev")], "texts": []})
    assert found == {"topics": ["a"], "texts": []}


def test_a_split_without_a_share_gets_nothing() -> None:
    found, _ = split(rows({f"t{n}": [10] for n in range(9)}), dev=0)
    assert set(found.values()) == {"train", "test"}
    assert assign({}, {"train": 1}, 0, 1) == {}


@pytest.mark.parametrize("wrong", [{"train": -1}, {"train": 0, "dev": 0, "test": 0}, {"min_topics": 0}])
def test_parameters_are_checked(wrong: dict[str, int]) -> None:
    with pytest.raises(StageError, match="expected"):
        TopicSplitParams(**wrong)


def test_real_topics_split_without_overlap(shared_data: Any) -> None:
    topics = json.loads((shared_data / "propara" / "topics.json").read_text())
    listed = [{"para_id": t["para_id"], "topic": t["topic"], "text_digest": t["para_id"], "size": 80} for t in topics]
    found, metrics = split(listed)
    assert len(found) == 152
    assert sum(metrics[f"{name}_paragraphs"] for name in ("train", "dev", "test")) == 488
    assert abs(metrics["train_paragraphs"] / 488 - 0.7507) < 0.02
