"""Step `narrowed_hops` of `musique.hop_filter`: places within places, asked for by what they are (MuSiQue, step 1).

"Antakya >> located in the administrative territorial entity" has a right answer at every
level. Where the answer is a country, the country is asked for; likewise a state, a province or
a county. What remains of such relations is no hop (see `sound_hops`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pyarrow as pa

import templates
from stages.core import strict_yaml
from stages.core.contract import Output, Stage, StageError, Whole
from stages.core.rejects import Rejects
from stages.musique.single_hops.forms import RELATION_SIGN, Words, bare, form
from stages.musique.single_hops.tables import SINGLE_HOPS
from stages.musique.soundness import asked_kinds

TEMPLATES = ("soundness/wholes.yaml",)

FILE = Path(templates.__file__).resolve().parent / "soundness" / "wholes.yaml"
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


@cache
def load_wholes(file: Path = FILE) -> Wholes:
    """Raises StageError naming the file and the key that is missing."""
    try:
        data = strict_yaml.parse(file.read_text(encoding="utf-8"))
        relations, ends = frozenset(data.pop("relations")), data.pop("ends")
        if data.pop("version") != 1:
            raise StageError(f"{file}: expected version 1; install the package again")
        named = {name: relation for relation, values in data.items() for name in _names(values)}
        by_end = {word.lower(): relation for relation, words in ends.items() for word in words}
    except (OSError, ValueError) as error:
        raise StageError(f"{file}: not a readable YAML file ({error}); install the package again") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise StageError(f"{file}: expected relations, ends and lists ({error}); install the package again") from error
    return Wholes(relations, named, by_end)


def _names(values: str | list[str]) -> list[str]:
    if values == _COUNTRIES:
        return sorted(asked_kinds.load_asked_kinds().countries)
    return [bare(form(value)) for value in values]


def digests() -> dict[str, str]:
    """Of the files, for stages that depend on them."""
    return asked_kinds.digests() | {f"soundness/{FILE.name}": hashlib.sha256(FILE.read_bytes()).hexdigest()}


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
