"""Step `asked_answers`: the answers that people may be asked about, with the pages that prove them.

QAMPARI has every answer of dev and test judged by the text of its evidence page alone (the paper's step 11).
An intersection and a composition rest on two triples, whose sentences may stand on two pages:
there the two together are what is shown, since neither settles the question alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa

from manifests.digest import canonical_json
from stages.core.columns import number, text, texts
from stages.core.contract import Join, Output, Stage, StageError, TableSpec
from stages.core.short_answers import normalise
from stages.qampari.answers import LABELLED_ANSWERS
from stages.qampari.splits import CANDIDATES

ASKED_ANSWERS = TableSpec(
    name="asked_answers",
    schema=pa.schema(
        [
            *map(text, ("query", "answer", "unit")),
            number("path"),
            *map(text, ("origin", "kind")),
            texts("properties"),
            text("answer_kind"),
            texts("types"),
            text("answer_text"),
            texts("names"),
            text("normal"),
            *map(texts, ("entities", "subjects", "titles")),
            pa.field("passages", pa.list_(pa.int32()), nullable=False),
        ]
    ),
    key=("query", "answer", "unit", "path"),
)
"""One row per answer of a candidate question and path to it that is shown to people.

path: 0 but for compositions, where it counts the answer's proofs in pairs.
origin: JSON [query, answer_text, titles], of the task; answers that look alike on the same pages are one task.
names: the answer's aliases; normal: the answer's text in normal form.
entities: that the question names; subjects, titles, passages: of each triple of the path, in order.
"""

ASKED_PARTS = TableSpec(
    name="asked_parts",
    schema=pa.schema([text("query"), text("part"), text("outer")]),
    key=("query", "part"),
    bucket_by=("part",),
)
"""The simple queries that candidate questions are made of. outer: property that a composition adds, else ""."""

_TRIPLES = {"simple": 1, "intersection": 2, "composition": 2}


@dataclass(frozen=True)
class AskedParams:
    """paths: of an answer reached on several paths (only in compositions), on how many people are asked."""

    paths: int = 1

    def __post_init__(self) -> None:
        if self.paths < 1:
            raise StageError(f"paths: expected at least 1, got {self.paths}")


def asked_answers(candidates: pa.Table, answers: pa.Table, *, params: AskedParams) -> Output:
    """ASKED_ANSWERS and ASKED_PARTS from one bucket of CANDIDATES and LABELLED_ANSWERS by query."""
    asked = {row["query"]: row for row in candidates.to_pylist()}
    wanted = pa.array([query in asked for query in answers["query"].to_pylist()], pa.bool_())
    rows = [
        _row(asked[answer["query"]], answer, path)
        for answer in answers.filter(wanted).to_pylist()
        for path in chosen_paths(asked[answer["query"]]["kind"], answer["proofs"], params.paths)
    ]
    made = [part for row in asked.values() for part in parts(row["query"], row["kind"])]
    return Output({ASKED_ANSWERS.name: ASKED_ANSWERS.table(rows), ASKED_PARTS.name: ASKED_PARTS.table(made)})


def path_slice(kind: str, path: int) -> slice:
    """Which of an answer's proofs belong to a path."""
    size = _TRIPLES[kind]
    return slice(path * size, (path + 1) * size)


def chosen_paths(kind: str, proofs: Sequence[Mapping[str, Any]], most: int) -> list[int]:
    """The paths to ask about: those on the fewest pages first, in the order of the proofs."""
    count = len(proofs) // _TRIPLES[kind]
    pages = {path: len({proof["title"] for proof in proofs[path_slice(kind, path)]}) for path in range(count)}
    return sorted(pages, key=lambda path: (pages[path], path))[:most]


def parts(query: str, kind: str) -> list[dict[str, str]]:
    """Rows of ASKED_PARTS: what a query's id says that it is made of."""
    inner, outer = query, ""
    if kind == "composition":
        inner, _, outer = query.rpartition(">")
    names = inner.split("&") if kind == "intersection" else [inner]
    return [{"query": query, "part": name, "outer": outer} for name in names]


def _row(question: Mapping[str, Any], answer: Mapping[str, Any], path: int) -> dict[str, Any]:
    proofs = answer["proofs"][path_slice(question["kind"], path)]
    titles = [proof["title"] for proof in proofs]
    carried = {name: answer[name] for name in ("query", "answer", "unit", "answer_kind", "types", "answer_text")}
    return carried | {
        "path": path,
        "origin": canonical_json([answer["query"], answer["answer_text"], list(dict.fromkeys(titles))]),
        "kind": question["kind"],
        "properties": question["properties"],
        "names": answer["aliases"],
        "normal": normalise(answer["answer_text"]),
        # The outer triple of a composition points at the answer, all others at what the question names.
        "entities": [proof["object"] for proof in proofs[: len(parts(answer["query"], question["kind"]))]],
        "subjects": [proof["subject"] for proof in proofs],
        "titles": titles,
        "passages": [proof["passage"] for proof in proofs],
    }


def stage(params: AskedParams | None = None) -> Stage:
    params = params or AskedParams()
    return Stage(
        name="qampari.asked_answers",
        shape=Join(on=(("query",),) * 2),
        kernel=partial(asked_answers, params=params),
        inputs=(CANDIDATES.name, LABELLED_ANSWERS.name),
        outputs=(ASKED_ANSWERS, ASKED_PARTS),
        about="Step 11: the answers that people judge, and the pages that prove them.",
    )
