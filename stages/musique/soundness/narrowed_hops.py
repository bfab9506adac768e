"""Step `narrowed_hops` of `musique.hop_filter`: places within places, asked for by what they are (MuSiQue, step 1).

"Antakya >> located in the administrative territorial entity" has a right answer at every
level. Where the answer is a country, the country is asked for; likewise a state, a province or
a county. What remains of such relations is no hop (see `sound_hops`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from stages.core import template_files
from stages.core.contract import Output, Stage, Whole
from stages.core.overlay import remembered
from stages.core.rejects import Rejects
from stages.core.template_files import read_template
from stages.musique.single_hops.forms import RELATION_SIGN, Words, bare, form
from stages.musique.single_hops.tables import SINGLE_HOPS
from stages.musique.soundness import asked_kinds

TEMPLATES = ("soundness/wholes.yaml",)

FILE = "soundness/wholes.yaml"
NARROWED_HOPS = replace(SINGLE_HOPS, name="narrowed_hops")
"""The rows of SINGLE_HOPS; `question` and `relation` of some name what their answer is."""

_COUNTRIES = "countries"


@dataclass(frozen=True)
class Wholes:
    """relations: labels of those of levels; named: the relation to ask for by a value's joined form; ends: by the last
    word of a value."""

    relations: frozenset[str]
    named: Mapping[str, str]
    ends: Mapping[str, str]

    def relation(self, value: str) -> str | None:
        """What a value is; None where its name does not tell."""
        name = bare(form(value))
        words = Words.of(value).words
        return self.named.get(name) or (self.ends.get(words[-1]) if len(words) > 1 else None)


def narrow(hops: pa.Table, *, wholes: Wholes) -> Output:
    """NARROWED_HOPS from all SINGLE_HOPS.

    Rejects, keyed by hop: repeated_hop (the same paragraph is asked the same already). Metrics: hops, narrowed.
    """
    rows = hops.sort_by("hop").to_pylist()
    found = {row["hop"]: _narrowed(row, wholes) for row in rows}
    seen = {_asked(row) for row in rows if found[row["hop"]] is row}
    rejects, kept, narrowed = Rejects(), [], 0
    for row in rows:
        other = found[row["hop"]]
        if other is not row:
            if _asked(other) in seen:
                rejects.add(row["hop"], "repeated_hop", other["question"])
                continue
            seen.add(_asked(other))
            narrowed += 1
        kept.append(other)
    metrics = {"hops": float(len(kept)), "narrowed": float(narrowed)}
    return Output({NARROWED_HOPS.name: NARROWED_HOPS.table(kept)}, rejects.table(), metrics)


def _narrowed(row: dict[str, Any], wholes: Wholes) -> dict[str, Any]:
    """The row itself where nothing is to be changed."""
    relation = wholes.relation(row["answer"]) if row["relation"] in wholes.relations else None
    if relation is None:
        return row
    question = f"{row['subject']} {RELATION_SIGN} {relation}"
    return {**row, "question": question, "relation": relation, "tokens": len(Words.of(question).words)}


def _asked(row: Mapping[str, Any]) -> tuple[str, str, str]:
    return form(row["question"]), bare(form(row["answer"])), row["paragraph"]


@remembered()
def load_wholes(file: Path | None = None) -> Wholes:
    """Raises StageError naming the file and the key that is missing."""
    read = read_template(FILE, file)
    if read.data.get("version") != 1:
        raise read.fault("expected version 1")
    try:
        relations = frozenset(read.data["relations"])
        named = {name: relation for relation, values in read.data["values"].items() for name in _names(values)}
        by_end = {word.lower(): relation for relation, words in read.data["ends"].items() for word in words}
    except (KeyError, TypeError, AttributeError) as error:
        raise read.fault(f"expected relations, ends and lists ({error})") from error
    return Wholes(relations, named, by_end)


def _names(values: str | list[str]) -> list[str]:
    if values == _COUNTRIES:
        return sorted(asked_kinds.load_asked_kinds().countries)
    if not isinstance(values, list):
        raise TypeError(f"{values!r} is neither {_COUNTRIES} nor a list")
    return [bare(form(value)) for value in values]


def digests() -> dict[str, str]:
    """Of the files, for stages that depend on them."""
    return asked_kinds.digests() | template_files.digests(FILE)


def stage(hops: str = SINGLE_HOPS.name) -> Stage:
    """hops: name of a table of SINGLE_HOPS. Raises StageError: the templates cannot be used."""
    return Stage(
        name="musique.narrowed_hops",
        shape=Whole(),
        kernel=partial(narrow, wholes=load_wholes()),
        inputs=(hops,),
        outputs=(NARROWED_HOPS,),
        templates=digests(),
        about="S1: places within places, asked for by what the answer is.",
    )
