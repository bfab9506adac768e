"""The truthy rule: which statements of a property count.

Only those of the best rank count (preferred where there is one, else normal), only
with a value, and by default only those that have not ended (P582): in the code of the
QAMPARI paper any qualifier of an end counts, here "no value" says that there is none, and
a date after the dump's own that it is to come. Whatever is left out is a reject with the
key "Q42 P39".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from stages.core.rejects import Rejects
from stages.wikidata.shapes import Qualifiers, Snak, Statement, TimeData
from stages.wikidata.values import BadValue, Literal, iso_time, literal

_OUTRANKED = {"deprecated": "deprecated", "normal": "not_preferred"}
_WITHOUT_VALUE = {"novalue": "no_value", "somevalue": "some_value"}


class Fact(NamedTuple):
    """A statement that counts; start, end and point in time are ISO times."""

    value: Literal
    start: str | None = None
    end: str | None = None
    point: str | None = None


class Truthy:
    """Applies the rule and collects the rejects. as_of: the dump's date in ISO 8601; "" where nobody knows it."""

    def __init__(self, rejects: Rejects, keep_ended: bool, as_of: str = "") -> None:
        self._rejects = rejects
        self._keep_ended = keep_ended
        self._as_of = as_of

    def of_property(self, qid: str, property_id: str, statements: list[Statement]) -> Iterator[Fact]:
        """The statements of one property that count, each value once; in another unit it is another value.

        Of one time at two precisions ("1922", "1922-07-26") the finer stays.
        """
        key = f"{qid} {property_id}"
        facts = list(self._counting(key, property_id, statements))
        times = {fact.value.value for fact in facts if fact.value.kind == "time"} if len(facts) > 1 else set()
        for fact in facts:
            if fact.value.value in times and any(_is_finer(time, fact.value.value) for time in times):
                self._rejects.add(key, "coarser_time", fact.value.value)
            else:
                yield fact

    def _counting(self, key: str, property_id: str, statements: list[Statement]) -> Iterator[Fact]:
        best = "preferred" if any(statement.rank == "preferred" for statement in statements) else "normal"
        seen: set[tuple[str, str]] = set()
        for statement in statements:
            try:
                value = self._value(key, statement, property_id, best)
            except BadValue as error:
                self._rejects.add(key, "bad_statement", str(error))
                continue
            if value is None:
                continue
            said = (value.value, value.unit)
            if said in seen:
                self._rejects.add(key, "repeated_value", value.value)
                continue
            seen.add(said)
            qualifiers = statement.qualifiers
            yield _dated(value, qualifiers) if isinstance(qualifiers, Qualifiers) else Fact(value)

    def _value(self, key: str, statement: Statement, property_id: str, best: str) -> Literal | None:
        """The value of a statement that counts; None after a reject."""
        snak = statement.mainsnak
        if snak.property is not None and snak.property != property_id:
            raise BadValue(f"stands under {property_id}, says {snak.property[:40]}")
        if statement.rank != best:
            self._rejects.add(key, _known(_OUTRANKED, statement.rank, "rank"), _shown(snak))
            return None
        if snak.snaktype != "value":
            self._rejects.add(key, _known(_WITHOUT_VALUE, snak.snaktype, "snak type"))
            return None
        value = literal(snak)
        qualifiers = statement.qualifiers
        if isinstance(qualifiers, Qualifiers) and not self._keep_ended and any(map(self._ended, qualifiers.end)):
            self._rejects.add(key, "ended", value.value)
            return None
        return value

    def _ended(self, end: Snak) -> bool:
        """Whether a qualifier says that the statement holds no longer: at some time, or at one that has passed."""
        if end.snaktype == "novalue":
            return False
        time = _first_time([end])
        return not self._as_of or time is None or not _is_after(time, self._as_of)


def _is_finer(time: str, coarse: str) -> bool:
    """Whether a time lies within another that is told less exactly: 1922-07-26 within 1922 and within 192X."""
    known = coarse.rstrip("X")
    return time != coarse and time.startswith(known) and (known != coarse or time[len(known)] in "-T")


def _is_after(time: str, day: str) -> bool:
    """Whether all of a time (1969, 196X, Y12000, -0043) lies after a day, or begins after it."""
    first = time.partition("/")[0].replace("X", "0")
    return (first.startswith("Y") and not first.startswith("Y-")) or (first[0].isdigit() and first > day)


def _known(reasons: dict[str, str], word: str, what: str) -> str:
    if word not in reasons:
        raise BadValue(f"{what} {word[:40]!r}")
    return reasons[word]


def _dated(value: Literal, qualifiers: Qualifiers) -> Fact:
    return Fact(value, _first_time(qualifiers.start), _first_time(qualifiers.end), _first_time(qualifiers.point))


def _first_time(snaks: list[Snak]) -> str | None:
    for snak in snaks:
        if isinstance(snak.datavalue, TimeData):
            try:
                return iso_time(snak.datavalue.value)
            except BadValue:
                # The statement itself is sound; a malformed qualifier only tells less.
                continue
    return None


def _shown(snak: Snak) -> str:
    try:
        return literal(snak).value
    except BadValue as error:
        return str(error)
