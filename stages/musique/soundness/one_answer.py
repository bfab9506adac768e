"""Step `one_answer`: hops that ask for something of which the pool knows one value (MuSiQue, step 1).

A composed question is to have one answer, so a relation that the pool knows several values
of ("Life of Brian >> screenwriter") cannot be a step of one; nor can a question that other
paragraphs answer otherwise. Values are one where they share a spelling but for case, accents,
articles and marks, where one hop lists both as spellings of its answer, or where they are known
as names of one thing ("U.S."). A place and the
same place with what it is part of ("Paris", "Paris, France") count as two: words alone do not
tell them from two places, and only one of them would be marked right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pyarrow as pa

from stages.core.contract import Output, Stage, Whole
from stages.core.rejects import Rejects
from stages.facts import adjectives
from stages.musique.single_hops.forms import plain, relation_sides
from stages.musique.single_hops.tables import READ_HOPS, SINGLE_HOPS
from stages.musique.spellings.answer_forms import digests, things

ONE_ANSWER_HOPS = replace(SINGLE_HOPS, name="one_answer_hops")
"""The rows of SINGLE_HOPS that ask for something of which the pool knows one value."""

Row = Mapping[str, Any]
Key = tuple[str, ...]
_COLUMNS = ("question", "answer", "answer_aliases", "title", "text")
_SHOWN = 5


def one_answer(hops: pa.Table, read_hops: pa.Table) -> Output:
    """ONE_ANSWER_HOPS from all SINGLE_HOPS; READ_HOPS: all that is known, whether it can be used or not.

    Rejects, keyed by hop: several_answers, with some of them. Metrics: hops, several_answers.
    """
    read = [*read_hops.select(_COLUMNS).to_pylist(), *hops.select(_COLUMNS).to_pylist()]
    named = _named_beside(read)
    several = _several(read, named)
    ordered = hops.sort_by("hop")
    rejects, kept = Rejects(), []
    for row in ordered.select(["hop", *_COLUMNS]).to_pylist():
        values = next((several[key] for key in _keys(row, named) if key in several), None)
        kept.append(values is None)
        if values is not None:
            rejects.add(row["hop"], "several_answers", f"{row['question']}: {' | '.join(values)}")
    table = ordered.filter(pa.array(kept, pa.bool_()))
    metrics = {"hops": float(table.num_rows), "several_answers": float(hops.num_rows - table.num_rows)}
    return Output({ONE_ANSWER_HOPS.name: table}, rejects.table(), metrics)


def _several(rows: Iterable[Row], named: Mapping[Key, frozenset[str]]) -> dict[Key, list[str]]:
    """Per question with several values some of them."""
    asked: defaultdict[Key, dict[str, set[str]]] = defaultdict(dict)
    for row in rows:
        for key in _keys(row, named):
            asked[key].setdefault(row["answer"], set()).update(_spellings(row))
    return {key: sorted(values)[:_SHOWN] for key, values in asked.items() if _apart(values.values())}


def _spellings(row: Row) -> set[str]:
    """The answer and its aliases in plain form, with what the list of other names says that they are."""
    names = (row["answer"], *row["answer_aliases"])
    return {plain(name) for name in (*names, *(thing for name in names for thing in _things(name)))}


def _things(name: str) -> tuple[str, ...]:
    """What a name is known to be; "Canadian" may be a people as well."""
    return () if name in adjectives.places() else things(name)


def _named_beside(rows: Iterable[Row]) -> dict[Key, frozenset[str]]:
    """Per paragraph and name the other spellings that a hop over that paragraph lists beside it."""
    found: defaultdict[Key, set[str]] = defaultdict(set)
    for row in rows:
        if row["answer_aliases"]:
            names = _spellings(row)
            for name in names:
                found[row["title"], row["text"], name] |= names
    return {key: frozenset(names) for key, names in found.items()}


def _keys(row: Row, named: Mapping[Key, frozenset[str]]) -> Iterator[Key]:
    """What a hop asks: a relation of its subject under each of its names, or a plain question."""
    sides = relation_sides(row["question"])
    if sides is None:
        yield (plain(row["question"]),)
        return
    subject, relation = map(plain, sides)
    for name in sorted({subject, *named.get((row["title"], row["text"], subject), ())}):
        yield name, relation


def _apart(named: Iterable[set[str]]) -> bool:
    """Whether some values share no spelling, not even by way of others."""
    apart: list[set[str]] = []
    for names in named:
        met = [value for value in apart if value & names]
        apart = [value for value in apart if not value & names]
        apart.append(names.union(*met))
    return len(apart) > 1


def stage(hops: str = SINGLE_HOPS.name) -> Stage:
    """hops: name of a table of SINGLE_HOPS."""
    return Stage(
        name="musique.one_answer",
        shape=Whole(),
        kernel=one_answer,
        inputs=(hops, READ_HOPS.name),
        outputs=(ONE_ANSWER_HOPS,),
        templates=digests(),
        about="S1: hops that ask for something of which the pool knows one value.",
    )
