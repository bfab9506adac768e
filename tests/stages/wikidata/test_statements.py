"""The truthy rule."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.rejects import Rejects
from stages.wikidata.shapes import (
    EntityId,
    ItemData,
    Qualifiers,
    QuantityData,
    QuantityValue,
    Snak,
    Statement,
    TimeData,
    TimeValue,
)
from stages.wikidata.statements import Truthy


def item(qid: str, rank: str = "normal", end: Sequence[Snak] = (), start: Sequence[Snak] = ()) -> Statement:
    qualifiers = Qualifiers(start=list(start), end=list(end))
    return Statement(Snak("value", "P39", None, ItemData(EntityId(qid))), rank, qualifiers)


def moment(time: str) -> Snak:
    return Snak("value", None, None, TimeData(TimeValue(time, 9)))


def run(
    statements: list[Statement], keep_ended: bool = False, as_of: str = ""
) -> tuple[list[str], list[tuple[str, str, str]]]:
    rejects = Rejects()
    facts = list(Truthy(rejects, keep_ended, as_of).of_property("Q42", "P39", statements))
    return [fact.value.value for fact in facts], [
        (row["key"], row["reason"], row["detail"]) for row in rejects.table().to_pylist()
    ]


def test_normal_and_deprecated() -> None:
    assert run([item("Q1"), item("Q2", "deprecated"), item("Q3")]) == (
        ["Q1", "Q3"],
        [("Q42 P39", "deprecated", "Q2")],
    )


def test_preferred_outranks() -> None:
    assert run([item("Q1"), item("Q2", "preferred"), item("Q3", "deprecated")]) == (
        ["Q2"],
        [("Q42 P39", "not_preferred", "Q1"), ("Q42 P39", "deprecated", "Q3")],
    )


def test_a_preferred_statement_without_value_still_outranks() -> None:
    unknown = Statement(Snak("somevalue", "P39"), "preferred")
    assert run([item("Q1"), unknown]) == ([], [("Q42 P39", "not_preferred", "Q1"), ("Q42 P39", "some_value", "")])


def test_no_value() -> None:
    assert run([Statement(Snak("novalue"))]) == ([], [("Q42 P39", "no_value", "")])


def test_ended() -> None:
    over = item("Q1", end=[moment("+1999-00-00T00:00:00Z")])
    assert run([over, item("Q2")]) == (["Q2"], [("Q42 P39", "ended", "Q1")])
    assert run([over, item("Q2")], keep_ended=True) == (["Q1", "Q2"], [])


def test_an_end_at_an_unknown_time_is_an_end() -> None:
    assert run([item("Q1", end=[Snak("somevalue")])]) == ([], [("Q42 P39", "ended", "Q1")])


def test_repeated_value() -> None:
    assert run([item("Q1"), item("Q1")]) == (["Q1"], [("Q42 P39", "repeated_value", "Q1")])


def amount(number: str, unit: str) -> Statement:
    return Statement(Snak("value", "P39", None, QuantityData(QuantityValue(number, unit))))


def test_a_value_in_another_unit_is_another_value() -> None:
    metre, foot = (f"http://www.wikidata.org/entity/{unit}" for unit in ("Q11573", "Q3710"))
    given_ = [amount("+100", metre), amount("+100", foot), amount("100", metre), amount("+100", "1")]
    assert run(given_) == (["100"] * 3, [("Q42 P39", "repeated_value", "100")])


def test_dates_of_a_fact() -> None:
    statement = item("Q1", start=[moment("nonsense"), moment("+1990-00-00T00:00:00Z")])
    (fact,) = Truthy(Rejects(), False).of_property("Q42", "P39", [statement])
    assert (fact.start, fact.end, fact.point) == ("1990", None, None)


@pytest.mark.parametrize(
    ("statement", "detail"),
    [
        (item("Q1", "best"), "rank 'best'"),
        (Statement(Snak("unknown")), "snak type 'unknown'"),
        (Statement(Snak("value", "P40", None, ItemData(EntityId("Q1")))), "stands under P39, says P40"),
        (item("Q1/../../x"), "item id 'Q1/../../x'"),
    ],
)
def test_bad_statements(statement: Statement, detail: str) -> None:
    assert run([statement]) == ([], [("Q42 P39", "bad_statement", detail)])


@given(
    st.lists(
        st.builds(
            item,
            st.sampled_from(["Q1", "Q2", "Q3", "Q0"]),
            st.sampled_from(["normal", "preferred", "deprecated", "odd"]),
            st.sampled_from([[], [Snak("somevalue")]]),
        )
    )
)
def test_every_statement_is_kept_or_rejected(statements: list[Statement]) -> None:
    kept, rejected = run(statements)
    assert len(kept) + len(rejected) == len(statements)
    assert len(set(kept)) == len(kept)


@pytest.mark.parametrize(
    ("end", "kept"),
    [
        (Snak("novalue", "P582"), True),
        (Snak("somevalue", "P582"), False),
        (moment("+2030-00-00T00:00:00Z"), True),
        (moment("+2024-00-00T00:00:00Z"), False),
        (moment("+1999-00-00T00:00:00Z"), False),
        (moment("-0044-00-00T00:00:00Z"), False),
        (moment("+12000-00-00T00:00:00Z"), True),
    ],
)
def test_what_has_ended_by_the_day_of_the_dump(end: Snak, kept: bool) -> None:
    assert run([item("Q1", end=[end])], as_of="2024-01-03")[0] == ["Q1"] * kept


def test_without_a_day_every_date_of_an_end_has_passed() -> None:
    assert run([item("Q1", end=[moment("+2030-00-00T00:00:00Z")])])[0] == []
    assert run([item("Q1", end=[Snak("novalue", "P582")])])[0] == ["Q1"]
    both = [Snak("novalue", "P582"), moment("+1999-00-00T00:00:00Z")]
    assert run([item("Q1", end=both)], as_of="2024-01-03")[0] == []


def at(time: str, precision: int) -> Statement:
    return Statement(Snak("value", "P39", None, TimeData(TimeValue(time, precision))))


def test_one_time_at_two_precisions_is_one_value() -> None:
    year, day, decade = at("+1922-00-00T00:00:00Z", 9), at("+1922-07-26T00:00:00Z", 11), at("+1920-00-00T00:00:00Z", 8)
    other = at("+1923-00-00T00:00:00Z", 9)
    assert run([year, day, other]) == (["1922-07-26", "1923"], [("Q42 P39", "coarser_time", "1922")])
    assert run([decade, year])[0] == ["1922"]
    assert run([year, other])[0] == ["1922", "1923"]
    assert run([at("+0192-00-00T00:00:00Z", 9), at("+1922-00-00T00:00:00Z", 9)])[0] == ["0192", "1922"]
