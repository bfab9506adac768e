import pyarrow as pa
import pytest

from stages.core.contract import StageError
from stages.core.memory import InMemory
from stages.qampari.overlaps import OverlapParams, stage
from stages.qampari.shared_answers import HOT_ANSWERS, SHARED_ANSWERS

DIRECTED, WROTE, CAST = "P57:Q1", "P58:Q2", "P161:Q3"
FILMS, BOOKS, MORE_FILMS = "P136:Q1:Q11424", "P136:Q2:Q571", "P921:Q3:Q11424"


def _shared(*pairs: tuple[str, str, str]) -> pa.Table:
    rows = [{"first": a, "second": b, "answer": answer} for a, b, answers in pairs for answer in answers]
    return SHARED_ANSWERS.table(rows)


def _run(
    *pairs: tuple[str, str, str], hot: dict[str, str] | None = None, same_relation: bool = True, buckets: int = 1
) -> InMemory:
    rows = [{"query": query, "answer": answer} for query, answers in (hot or {}).items() for answer in answers]
    build = InMemory({"shared_answers": _shared(*pairs), "hot_answers": HOT_ANSWERS.table(rows)}, buckets)
    return build.run(stage(OverlapParams(min_answers=3, same_relation=same_relation)))


@pytest.mark.parametrize("buckets", [1, 3])
def test_pairs_with_enough_common_answers(buckets: int) -> None:
    build = _run((DIRECTED, WROTE, "abc"), (CAST, DIRECTED, "ab"), buckets=buckets)
    pair = f"{DIRECTED}&{WROTE}"
    assert build.rows("overlaps") == [
        {"pair": pair, "position": 0, "query": DIRECTED, "common": ["a", "b", "c"]},
        {"pair": pair, "position": 1, "query": WROTE, "common": ["a", "b", "c"]},
    ]
    assert build.metrics["qampari.overlaps"] == {"pairs": 2, "too_few_common": 1, "overlaps": 1}
    assert not build.rejects


def test_a_hot_answer_of_both_counts_and_of_one_does_not() -> None:
    build = _run((DIRECTED, WROTE, "ab"), (CAST, DIRECTED, "ab"), hot={DIRECTED: "h", WROTE: "h", CAST: "g"})
    assert [row["common"] for row in build.rows("overlaps")] == [["a", "b", "h"]] * 2


def test_parts_that_ask_for_different_classes_do_not_go_together() -> None:
    build = _run((FILMS, BOOKS, "abc"), (FILMS, MORE_FILMS, "abc"), (BOOKS, DIRECTED, "abc"))
    assert [row["pair"] for row in build.rows("overlaps")][::2] == [f"{FILMS}&{MORE_FILMS}", f"{BOOKS}&{DIRECTED}"]
    assert build.rejected("qampari.overlaps") == {(f"{FILMS}&{BOOKS}", "different_class"): 1}


@pytest.mark.parametrize("allowed", [True, False])
def test_two_parts_of_one_relation_are_an_option(allowed: bool) -> None:
    build = _run(("P161:Q3", "P161:Q4", "abc"), same_relation=allowed)
    assert bool(build.rows("overlaps")) is allowed
    assert build.rejected("qampari.overlaps") == ({} if allowed else {("P161:Q3&P161:Q4", "same_relation"): 1})


def test_an_intersection_of_nothing_is_refused() -> None:
    with pytest.raises(StageError, match="min_answers is 0"):
        OverlapParams(min_answers=0)
