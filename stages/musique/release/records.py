"""Stage `musique.records`: composed questions as released records, and a table of how they were composed.

The benchmark of answerable questions ("ans") has one record an id; the full one has two, the other of which its
paragraphs do not answer.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar

import pyarrow as pa

from stages.core.columns import flag, number, text, texts, values
from stages.core.contract import Join, Output, Stage, TableSpec
from stages.core.seeds import rank
from stages.core.splits import SPLITS, TRAIN
from stages.evaluation import squad
from stages.musique.composition.frames import hops_in
from stages.musique.composition.tables import ASKED_HOPS, COMPOSED_QUESTIONS
from stages.musique.contexts.tables import CONTEXTS, NO_HOP
from stages.musique.graphs.shapes import BY_NAME, SHAPES, Shape
from stages.musique.release import harness
from stages.release.beir import Retrieval
from stages.release.card import Facts, by_split, card_row, card_rows, totals
from stages.release.corpus import collect, no_corpus, text_id
from stages.release.export import Layout, Release, SplitFile, rows_of
from stages.release.format import Part, Record, ReleaseError, need
from stages.release.harness import Harness

ANS, FULL = "ans", "full"
CONFIGS = (ANS, FULL)


class Paragraph(Part, frozen=True):
    """One paragraph that is shown."""

    idx: Annotated[int, "its place, from 0"]
    title: Annotated[str, "of its page"]
    paragraph_text: Annotated[str, "the paragraph"]
    is_supporting: Annotated[bool, "whether it answers a hop"]


class DecompositionStep(Part, frozen=True):
    """One single hop."""

    id: Annotated[int | str, "of the single hop"]
    question: Annotated[str, "the single hop's; `#1` stands for the answer of the first"]
    answer: Annotated[str, "the single hop's"]
    paragraph_support_idx: Annotated[int | None, "the paragraph that answers the hop, null where none does"]


class MultihopRecord(Record, frozen=True):
    """One question over its paragraphs."""

    ID: ClassVar[str] = "record"

    id: Annotated[str, "the shape of the reasoning, and the ids of the single hops; in `full/` two records have one id"]
    paragraphs: Annotated[list[Paragraph], "up to 20 that are shown"]
    question: Annotated[str, "the composed question"]
    question_decomposition: Annotated[list[DecompositionStep], "the single hops, in their order"]
    answer: Annotated[str, "the answer, which is that of the last hop"]
    answer_aliases: Annotated[list[str], "its other names"]
    answerable: Annotated[bool, "whether the paragraphs answer it"]

    @property
    def identity(self) -> str:
        return f"{self.id} {'answerable' if self.answerable else 'unanswerable'}"

    @property
    def shape(self) -> Shape:
        """The graph's shape; ReleaseError where the id names none."""
        name, mark, _ = self.id.partition("__")
        if not mark or name not in BY_NAME:
            raise ReleaseError(f"id: expected one of {', '.join(BY_NAME)}, then '__' and ids, got {self.id!r}")
        return BY_NAME[name]

    @property
    def edges(self) -> frozenset[tuple[int, int]]:
        """(i, j) where step j asks about the answer of an earlier step i."""
        steps = enumerate(self.question_decomposition, start=1)
        return frozenset((head, tail) for tail, step in steps for head in hops_in(step.question) if head < tail)

    @property
    def supports(self) -> frozenset[int]:
        return frozenset(paragraph.idx for paragraph in self.paragraphs if paragraph.is_supporting)

    def check(self) -> None:
        """Id, edges, answer and supports must be those of the steps."""
        shape, steps = self.shape, self.question_decomposition
        need(bool(self.question.strip()), "question", "a text")
        need(
            len(steps) == shape.level,
            "question_decomposition",
            f"{shape.level} steps for {shape.name}, got {len(steps)}",
        )
        ids = "_".join(str(step.id) for step in steps)
        need(self.id == f"{shape.name}__{ids}", "id", f"'{shape.name}__{ids}' by its steps, got {self.id!r}")
        wanted = sorted(shape.edges)
        need(self.edges == set(wanted), "question_decomposition", f"the edges {wanted}, got {sorted(self.edges)}")
        need(self.answer == steps[-1].answer, "answer", f"the last step's {steps[-1].answer!r}, got {self.answer!r}")
        need(self.answer not in self.answer_aliases, "answer_aliases", "no repetition of the answer")
        self._check_paragraphs()

    def _check_paragraphs(self) -> None:
        numbers = [paragraph.idx for paragraph in self.paragraphs]
        need(numbers == list(range(len(numbers))), "paragraphs", f"idx from 0 up, got {numbers}")
        given = [step.paragraph_support_idx for step in self.question_decomposition]
        named = {number for number in given if number is not None}
        need(
            named == self.supports,
            "paragraphs",
            f"is_supporting for those that steps name, {sorted(named)}, got {sorted(self.supports)}",
        )
        whole = None not in given
        need(whole == self.answerable, "answerable", f"{whole}, as {given} support the steps, got {self.answerable}")


MULTIHOP_RECORDS = TableSpec(
    name="records",
    schema=pa.schema([text("id"), flag("answerable"), text("split"), text("shape"), text("record")]),
    key=("id", "answerable"),
)
"""record: one released JSON line; those that are answerable make the benchmark "ans", all of them "full"."""

COMPOSITIONS = TableSpec(
    name="compositions",
    schema=pa.schema(
        [
            *map(text, ("id", "split", "shape")),
            number("hop_count"),
            *map(texts, ("hops", "sources")),
            text("question"),
            flag("mechanical"),
            *map(text, ("form", "mechanical_question")),
            flag("confirmed"),
            text("answer"),
            flag("contrast"),
            number("missing"),
        ]
    ),
    key=("id",),
)
"""One row per question: what its records have no place for.

hops, sources: of each step its single hop and where that comes from. mechanical, form, mechanical_question,
confirmed: as in COMPOSED_QUESTIONS. contrast: whether a second record is not answerable; missing: the step whose
answer that one lacks, 0 without one.
"""

LAYOUT = Layout(
    MultihopRecord,
    (f"{COMPOSITIONS.name}.parquet",),
    "multihop.md",
    CONFIGS,
    searched=(ANS,),
    harness=Harness("multihop.yaml", (ANS,), (squad, harness)),
)

_HOPS = (2, 3, 4)
_SEPARATE = " Train shares no single\nhop, no answer of one, and no paragraph with the other splits."


def records(questions: pa.Table, asked_hops: pa.Table, contexts: pa.Table) -> Output:
    """MULTIHOP_RECORDS and COMPOSITIONS from one bucket of COMPOSED_QUESTIONS, ASKED_HOPS and CONTEXTS by graph.

    A graph without a question, or without a context as its split left it out, gives none.
    Metrics: questions, records, unanswerable, mechanical, confirmed.
    """
    graphs = {row["graph"]: row for row in asked_hops.to_pylist()}
    shown: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in contexts.to_pylist():
        shown[row["question"]].append(row)
    found, compositions, metrics = [], [], Counter(dict.fromkeys(("questions", "mechanical", "confirmed"), 0))
    for question in questions.to_pylist():
        name = question["graph"]
        if name not in shown:
            continue
        rows = [_row(question, graphs[name], context) for context in shown[name]]
        found += rows
        compositions.append(_composition(question, graphs[name], shown[name]))
        metrics.update({"questions": 1, "mechanical": question["mechanical"], "confirmed": question["confirmed"]})
    metrics.update({"records": len(found), "unanswerable": sum(not row["answerable"] for row in found)})
    return Output(
        {MULTIHOP_RECORDS.name: MULTIHOP_RECORDS.table(found), COMPOSITIONS.name: COMPOSITIONS.table(compositions)},
        metrics={key: float(count) for key, count in metrics.items()},
    )


def _row(question: Mapping[str, Any], graph: Mapping[str, Any], context: Mapping[str, Any]) -> dict[str, Any]:
    record = _record(question, graph, context)
    row = {"id": record.id, "answerable": record.answerable, "split": context["split"], "shape": graph["shape"]}
    return row | {"record": record.line()}


def _record(question: Mapping[str, Any], graph: Mapping[str, Any], context: Mapping[str, Any]) -> MultihopRecord:
    place = {
        shown["supports"]: number for number, shown in enumerate(context["paragraphs"]) if shown["supports"] != NO_HOP
    }
    steps = zip(graph["hops"], graph["question_steps"], graph["hop_answers"], strict=True)
    return MultihopRecord(
        id=graph["graph"],
        paragraphs=[
            Paragraph(number, shown["title"], shown["text"], shown["supports"] != NO_HOP)
            for number, shown in enumerate(context["paragraphs"])
        ],
        question=question["question"],
        question_decomposition=[
            DecompositionStep(hop, step, answer, place.get(number))
            for number, (hop, step, answer) in enumerate(steps, start=1)
        ],
        answer=graph["answer"],
        answer_aliases=sorted(set(graph["answer_aliases"]) - {graph["answer"]}),
        answerable=context["answerable"],
    )


def _composition(
    question: Mapping[str, Any], graph: Mapping[str, Any], contexts: list[dict[str, Any]]
) -> dict[str, Any]:
    missing = max(context["missing"] for context in contexts)
    return {
        "id": graph["graph"],
        "split": contexts[0]["split"],
        "shape": graph["shape"],
        "hop_count": len(graph["hops"]),
        **{name: graph[name] for name in ("hops", "sources", "answer")},
        **{name: question[name] for name in ("question", "mechanical", "form", "mechanical_question", "confirmed")},
        "contrast": missing > 0,
        "missing": missing,
    }


def stage() -> Stage:
    return Stage(
        name="musique.records",
        shape=Join(on=(("graph",), ("graph",), ("question",))),
        kernel=records,
        inputs=(COMPOSED_QUESTIONS.name, ASKED_HOPS.name, CONTEXTS.name),
        outputs=(MULTIHOP_RECORDS, COMPOSITIONS),
        about="Release: one record a question, and one beside paragraphs that do not answer it.",
    )


def release(records: pa.Table, compositions: pa.Table) -> Release:
    """What is written of MULTIHOP_RECORDS and COMPOSITIONS."""
    chosen = {config: records.filter(records["answerable"]) if config == ANS else records for config in CONFIGS}
    parts = [
        SplitFile(config, split, _ordered(rows_of(table, "split", split)))
        for config, table in chosen.items()
        for split in SPLITS
    ]
    beside = {f"{COMPOSITIONS.name}.parquet": compositions.sort_by("id")}
    filled = [part for part in parts if part.lines]
    return Release(LAYOUT, filled, card_facts(compositions), beside, _retrieval(filled))


def _retrieval(parts: Iterable[SplitFile]) -> Retrieval:
    """The collection is all paragraphs that any record shows; to each answerable question belong those of its hops."""
    passages: dict[str, dict[str, str]] = {}
    asked: dict[str, str] = {}
    relevant: dict[tuple[str, str], dict[str, list[str]]] = {}
    for part in parts:
        for record in map(MultihopRecord.decode, part.lines):
            named = {shown.idx: text_id("paragraph", shown.paragraph_text) for shown in record.paragraphs}
            for shown in record.paragraphs:
                name = named[shown.idx]
                passages.setdefault(name, {"passage": name, "title": shown.title, "text": shown.paragraph_text})
            if part.config == ANS:
                asked[record.id] = record.question
                own = [named[idx] for idx in sorted(record.supports)]
                relevant.setdefault((ANS, part.split), {})[record.id] = own
    return Retrieval(collect(no_corpus, pa.Table.from_pylist(list(passages.values()))), asked, relevant)


def _ordered(rows: pa.Table) -> list[str]:
    """In an order that tells nothing: which of the two with one id is answerable depends on a hash of the id."""
    ranked = sorted(
        (rank(0, name), rank(0, f"{name} {answerable}"), line)
        for name, answerable, line in values(rows, "id", "answerable", "record")
    )
    return [line for *_, line in ranked]


def card_facts(compositions: pa.Table) -> Facts:
    """The card's fields from COMPOSITIONS, at least one."""
    rows = compositions.to_pylist()
    splits = by_split(rows)
    shapes = {
        shape.name: [sum(row["shape"] == shape.name for row in own) for own in splits.values()] for shape in SHAPES
    }
    written = sum(not row["mechanical"] for row in rows)
    return {
        "splits": "\n".join(card_row(split, _split_cells(own)) for split, own in splits.items()),
        "present": " | ".join(splits),
        "rule": "---:|" * len(splits),
        "shapes": "\n".join(card_row(name, counts) for name, counts in shapes.items() if any(counts)),
        "separate": _SEPARATE if TRAIN in splits and len(splits) > 1 else "",
        "sources": card_rows(sorted(Counter(source for row in rows for source in row["sources"]).items())),
        "forms": card_rows(sorted(Counter(row["form"] for row in rows if row["mechanical"]).items())),
        **totals(rows),
        "written": f"{written:,}",
        "mechanical": f"{len(rows) - written:,}",
    }


def _split_cells(rows: list[Mapping[str, Any]]) -> list[int]:
    hops = Counter(row["hop_count"] for row in rows)
    contrasts, written = sum(row["contrast"] for row in rows), sum(not row["mechanical"] for row in rows)
    return [len(rows), *(hops[count] for count in _HOPS), contrasts, written]
