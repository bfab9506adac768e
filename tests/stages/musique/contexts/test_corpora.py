"""Which split shows which paragraph."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stages.musique.contexts.corpora import corpora


def test_supporting_paragraphs_are_where_their_questions_are() -> None:
    supports = [("train", "a"), ("dev", "b"), ("test", "b"), ("test", "c")]
    assert corpora("abc", supports, {"train": 1, "dev": 1, "test": 2}, 0) == {
        "train": ["a"],
        "dev": ["b"],
        "test": ["b", "c"],
    }


def test_the_others_are_dealt_out_by_the_number_of_questions() -> None:
    names = [f"p{at:04}" for at in range(4000)]
    found = corpora(names, [], {"train": 70, "dev": 10, "test": 20}, 0)
    assert sorted(name for shown in found.values() for name in shown) == names
    # Four standard deviations of the binomial distribution.
    assert abs(len(found["train"]) - 2800) < 4 * (4000 * 0.7 * 0.3) ** 0.5
    assert abs(len(found["dev"]) - 400) < 4 * (4000 * 0.1 * 0.9) ** 0.5
    assert corpora(reversed(names), [], {"train": 70, "dev": 10, "test": 20}, 0) == found
    assert corpora(names, [], {"train": 70, "dev": 10, "test": 20}, 1) != found


def test_no_questions_show_nothing() -> None:
    assert corpora("abc", [], {}, 0) == {"train": [], "dev": [], "test": []}


@given(st.sets(st.text(max_size=3)), st.lists(st.tuples(st.sampled_from(["train", "dev"]), st.text(max_size=3))))
def test_only_what_supports_in_two_splits_is_in_two(names: set[str], supports: list[tuple[str, str]]) -> None:
    found = corpora(names, supports, {"train": 3, "dev": 2}, 5)
    both = {name for _, name in supports if {("train", name), ("dev", name)} <= set(supports)}
    assert set(found["train"]) & set(found["dev"]) == both
    assert set(found["train"]) | set(found["dev"]) == names | {name for _, name in supports}
    assert found["test"] == []
