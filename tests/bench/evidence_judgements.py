"""Evidence of a build against what readers said of its sentences.

    python -m tests.bench.evidence_judgements gather KEY FIRST SECOND > JUDGEMENTS
    python -m tests.bench.evidence_judgements score ROOT JUDGEMENTS

A judgement holds no text, only a hash of a fact and the sentence that was read for it, with
the verdicts of two readers by the rules of tests/stages/facts/judgements/RULES.md. So the
judgements of texts that may not be kept here can be kept, and score whatever build has
those sentences.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipelines.published import need_build, open_root, read_table
from stages.annotation.agreement import Agreement, Vote, agreement
from stages.facts.best_evidence import EVIDENCE

VERDICTS = ("proves", "mentions", "wrong")
READERS = ("first", "second")


@dataclass(frozen=True)
class Judgement:
    """What the two readers said of an item (`item_of`) of a property."""

    item: str
    property: str
    first: str
    second: str


@dataclass(frozen=True)
class Shares:
    """evidence: sentences of a build; judged: those that were read; first, second: of these, how many each reader
    found to prove their fact; both: how many both did."""

    evidence: int
    judged: int
    first: int
    second: int
    both: int


def item_of(row: Mapping[str, Any]) -> str:
    """The identity of a fact (subject, property, object, unit) with its sentence: 32 hex digits."""
    fact = " ".join(row[name] for name in ("subject", "property", "object", "unit"))
    return hashlib.sha256(f"{fact}\n{row['sentence']}".encode()).hexdigest()[:32]


def read_judgements(path: Path) -> list[Judgement]:
    """Raises ValueError naming the line of a verdict that is none, or of an item that was judged before."""
    found: dict[str, Judgement] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        one = Judgement(**json.loads(line))
        if one.item in found or {one.first, one.second} - set(VERDICTS):
            raise ValueError(f"{path}:{number}: expected a new item with verdicts of {', '.join(VERDICTS)}")
        found[one.item] = one
    return list(found.values())


def gather(key: Path, first: Path, second: Path) -> Iterator[Judgement]:
    """The judgements of the items of a key (id, item, property) from the files of two readers (id, verdict).

    Raises KeyError where a reader left an item out.
    """
    verdicts = [{row["id"]: row["verdict"] for row in _lines(path)} for path in (first, second)]
    for row in _lines(key):
        yield Judgement(row["item"], row["property"], *(said[row["id"]] for said in verdicts))


def shares(evidence: Iterable[Mapping[str, Any]], judgements: Iterable[Judgement]) -> Shares:
    """How much of the evidence of a build was read, and found to prove its fact."""
    known = {one.item: one for one in judgements}
    items = [item_of(row) for row in evidence]
    read = [known[item] for item in items if item in known]
    says = [[getattr(one, reader) == "proves" for one in read] for reader in READERS]
    return Shares(len(items), len(read), sum(says[0]), sum(says[1]), sum(map(all, zip(*says, strict=True))))


def agreed(judgements: Iterable[Judgement]) -> Agreement:
    """How far the two readers agree."""
    return agreement(Vote(one.item, reader, getattr(one, reader)) for one in judgements for reader in READERS)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def main(command: str, *paths: str) -> None:
    if command == "gather":
        for one in gather(*map(Path, paths)):
            print(json.dumps(vars(one)))
        return
    root, judgements = open_root(paths[0]), read_judgements(Path(paths[1]))
    rows = read_table(root, need_build(root, "qampari"), EVIDENCE).to_pylist()
    print(shares(rows, judgements))
    print(agreed(judgements))


if __name__ == "__main__":
    main(*sys.argv[1:])
