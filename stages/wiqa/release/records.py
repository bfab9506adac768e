"""Stage `wiqa.records`: multiple-choice questions over a paragraph as released records, and as a table for users.

stem           "suppose {change} happens, how will it affect {effect}."
ques_id        "influence_graph:{para_id}:{graph_id}:..." or "out_of_para:{para_id}:{graph_id}:..."
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import pyarrow as pa

from stages.core.columns import flag, number, text, texts
from stages.core.contract import Join, Output, Stage, TableSpec
from stages.release.card import Facts, by_split, card_row, totals
from stages.release.export import Layout, Release, splits_of
from stages.release.format import Part, Record, ReleaseError, need
from stages.release.harness import Harness
from stages.wiqa.explanations import EXPLANATIONS
from stages.wiqa.graph import DISTRACTOR, EXOGENOUS, IN_PARAGRAPH, LESS, MORE, NO_EFFECT
from stages.wiqa.influence_graphs import GRAPHS
from stages.wiqa.tables import CHOSEN_QUESTIONS
from stages.wiqa.verification import ANNOTATION

LABELS = (MORE, LESS, NO_EFFECT)
Letter = Literal["A", "B", "C"]
LETTERS: dict[str, Letter] = {MORE: "A", LESS: "B", NO_EFFECT: "C"}
STEM = re.compile(r"(?=.*\.\Z)suppose (?P<change>.+?) happens, how will it affect (?P<effect>.+)\.", re.DOTALL)
_IDS = re.compile(r"(?:influence_graph:(?P<ids>[^:#]+:[^:#]+):\d+#\d+|out_of_para:(?P<foreign>[^:#]+:[^:#]+):\d+)")
_PATH_LENGTHS = (2, 3, 4)


class Choice(Part, frozen=True):
    """One of the answers to choose from."""

    label: Annotated[Letter, "its letter"]
    text: Annotated[str, "the answer in words"]


CHOICES = [Choice("A", "more"), Choice("B", "less"), Choice("C", "no effect")]


class ChoiceQuestion(Part, frozen=True):
    """What is asked, and the answer."""

    stem: Annotated[str, "what changes, and what the question asks about"]
    para_steps: Annotated[list[str], "the paragraph, sentence by sentence"]
    answer_label: Annotated[Literal["more", "less", "no_effect"], "the answer: more, less or no_effect"]
    answer_label_as_choice: Annotated[Letter, "its letter among the choices"]
    choices: Annotated[list[Choice], "always more (A), less (B) and no effect (C)"]


class Metadata(Part, frozen=True):
    """Where the question comes from."""

    ques_id: Annotated[str, "the question's id"]
    graph_id: Annotated[str, "of the graph whose path answers it, among those of the paragraph"]
    para_id: Annotated[str, "of the paragraph"]
    question_type: Annotated[
        Literal["EXOGENOUS_EFFECT", "INPARA_EFFECT", "OUTOFPARA_DISTRACTOR"],
        "where the change comes from",
    ]
    path_len: Annotated[int, "nodes on the path from change to effect, 0 without one"]


class ChoiceRecord(Record, frozen=True):
    """One question over a paragraph."""

    question: Annotated[ChoiceQuestion, "what is asked, and the answer"]
    metadata: Annotated[Metadata, "where the question comes from"]

    @property
    def identity(self) -> str:
        return self.metadata.ques_id

    @property
    def label(self) -> str:
        return self.question.answer_label

    @property
    def hops(self) -> int:
        """Edges of the path; 0 without one."""
        return max(0, self.metadata.path_len - 1)

    @property
    def graph(self) -> str:
        return f"{self.metadata.para_id}:{self.metadata.graph_id}"

    @property
    def paragraph(self) -> str:
        return " ".join(self.question.para_steps)

    @property
    def parts(self) -> tuple[str, str]:
        """Change and effect."""
        return split_stem(self.question.stem)

    def check(self) -> None:
        """Wording, letters, id and type must fit the answer and the path."""
        question, metadata = self.question, self.metadata
        split_stem(question.stem)
        need(bool(question.para_steps), "question.para_steps", "at least one sentence")
        need(all(step.strip() for step in question.para_steps), "question.para_steps", "no empty sentence")
        letter = LETTERS[self.label]
        need(
            question.answer_label_as_choice == letter,
            "question.answer_label_as_choice",
            f"{letter!r} for {self.label!r}, got {question.answer_label_as_choice!r}",
        )
        need(question.choices == CHOICES, "question.choices", "A more, B less, C no effect, in this order")
        match = _IDS.fullmatch(metadata.ques_id)
        need(
            match is not None and (match["ids"] or match["foreign"]) == self.graph,
            "metadata.ques_id",
            f"'influence_graph:' or 'out_of_para:', then {self.graph} and the question's own number, "
            f"got {metadata.ques_id!r}",
        )
        unrelated = self.label == NO_EFFECT
        need(
            (metadata.question_type == DISTRACTOR) == unrelated,
            "metadata.question_type",
            f"{DISTRACTOR} for no_effect alone",
        )
        lengths = (0,) if unrelated else _PATH_LENGTHS
        need(metadata.path_len in lengths, "metadata.path_len", f"one of {lengths}, got {metadata.path_len}")


def stem(change: str, effect: str) -> str:
    """The question's wording."""
    return f"suppose {change} happens, how will it affect {effect}."


def split_stem(text: str) -> tuple[str, str]:
    """Change and effect of a question's wording; ReleaseError where it has another."""
    match = STEM.fullmatch(text.strip())
    if match is None:
        raise ReleaseError(
            f"question.stem: expected 'suppose ... happens, how will it affect ....', got {text[:200]!r}"
        )
    return match["change"], match["effect"]


CHOICE_RECORDS = TableSpec(
    name="records",
    schema=pa.schema(
        [
            *map(text, ("qid", "split", "kind", "para_id")),
            pa.field("record", pa.large_string(), nullable=False),
        ]
    ),
    key=("qid",),
    bucket_by=("para_id",),
)
"""qid: the question's id; kind: its type; record: the released JSON line."""

CHOICE_QUESTIONS = TableSpec(
    name="questions",
    schema=pa.schema(
        [
            *map(text, ("question", "split", "stem", "change", "effect", "label")),
            number("hops"),
            *map(text, ("question_type", "source_node", "target_node")),
            texts("path"),
            *map(text, ("topic", "prompt", "para_id", "graph_id", "from_para", "from_graph")),
            flag("confirmed"),
            flag("graph_confirmed"),
            text("graph_source"),
        ]
    ),
    key=("question",),
    bucket_by=("para_id",),
)
"""One row per question of the benchmark; columns as in PATH_QUESTIONS.

stem: the question's wording; prompt: what the paragraph explains; confirmed: whether most people who answered the
question anew gave this answer; graph_source: annotation where people drew the graph in this build, else file;
graph_confirmed: whether such a graph stands (an expert has let it, or was not to see it); false for those of files.
"""

LAYOUT = Layout(
    ChoiceRecord,
    (f"{CHOICE_QUESTIONS.name}.parquet", f"{EXPLANATIONS.name}.parquet"),
    "choices.md",
    harness=Harness("choices.yaml"),
    categories=("question-answering", "multiple-choice"),
)

_TYPES = {
    EXOGENOUS: "the change comes from outside the paragraph",
    IN_PARAGRAPH: "the change comes from within it",
    DISTRACTOR: "the change has no effect",
}
# What is true only where there are questions without an effect.
_UNAFFECTED = "\nQuestions without an effect join a change of another topic to an effect of this one."
_UNAFFECTED_LIMIT = (
    "- A change from another topic is taken to have no effect; where nobody has confirmed it, it may have one "
    "after all.\n"
)


def choices(questions: pa.Table, graphs: pa.Table) -> Output:
    """CHOICE_RECORDS and CHOICE_QUESTIONS from one bucket of CHOSEN_QUESTIONS and of GRAPHS, both by para_id."""
    of_graph = {(row["para_id"], row["graph_id"]): row for row in graphs.to_pylist()}
    records, rows = [], []
    confirmed = 0
    for question in questions.to_pylist():
        graph = of_graph[question["para_id"], question["graph_id"]]
        words = stem(question["change"], question["effect"])
        record = ChoiceRecord(
            ChoiceQuestion(words, graph["sentences"], question["label"], LETTERS[question["label"]], CHOICES),
            Metadata(
                ques_id=question["question"],
                graph_id=question["graph_id"],
                para_id=question["para_id"],
                question_type=question["question_type"],
                path_len=len(question["path"]),
            ),
        )
        records.append(
            {
                "qid": question["question"],
                "split": question["split"],
                "kind": question["question_type"],
                "para_id": question["para_id"],
                "record": record.line(),
            }
        )
        of_graph_itself = {"graph_confirmed": graph["confirmed"], "graph_source": graph["source"]}
        rows.append(question | {"stem": words, "prompt": graph["prompt"]} | of_graph_itself)
        confirmed += question["confirmed"]
    return Output(
        {CHOICE_RECORDS.name: CHOICE_RECORDS.table(records), CHOICE_QUESTIONS.name: CHOICE_QUESTIONS.table(rows)},
        metrics={"records": float(len(records)), "confirmed": float(confirmed)},
    )


def stage(questions: str = CHOSEN_QUESTIONS.name) -> Stage:
    """questions: the name of a table of CHOSEN_QUESTIONS, such as one in which people's verdicts stand."""
    return Stage(
        name="wiqa.records",
        shape=Join(on=(("para_id",), ("para_id",))),
        kernel=choices,
        inputs=(questions, GRAPHS.name),
        outputs=(CHOICE_RECORDS, CHOICE_QUESTIONS),
        about="Release: one JSON record a question, and a table of the questions.",
    )


def release(records: pa.Table, questions: pa.Table, explanations: pa.Table) -> Release:
    """What is written of CHOICE_RECORDS, CHOICE_QUESTIONS and EXPLANATIONS."""
    beside = {
        f"{spec.name}.parquet": table.select(spec.schema.names).sort_by("question")
        for spec, table in ((CHOICE_QUESTIONS, questions), (EXPLANATIONS, explanations))
    }
    return Release(LAYOUT, splits_of(records), card_facts(questions), beside)


def card_facts(questions: pa.Table) -> Facts:
    """The card's fields from CHOICE_QUESTIONS, at least one."""
    rows = questions.to_pylist()
    types = Counter((row["question_type"], row["hops"]) for row in rows)
    labels = [label for label in LABELS if any(row["label"] == label for row in rows)]
    absent = [label for label in LABELS if label not in labels]
    return {
        "splits": "\n".join(_split_row(split, own, labels) for split, own in by_split(rows).items()),
        "labels": " | ".join(label.replace("_", " ") for label in labels),
        "rule": "---:|" * len(labels),
        "never": f"; no answer here is {' or '.join(absent)}" if absent else "",
        "unaffected": _UNAFFECTED if NO_EFFECT in labels else "",
        "limits": _UNAFFECTED_LIMIT if NO_EFFECT in labels else "",
        "types": " or ".join(f"{name} ({why})" for name, why in _TYPES.items() if name in {kind for kind, _ in types}),
        "kinds": "\n".join(card_row(kind, [str(hops or "-"), count]) for (kind, hops), count in sorted(types.items())),
        "graphs": _graphs(rows),
        **totals(rows),
    }


def _graphs(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows of the graphs that the questions come from, and how many questions that is: from files, drawn, confirmed."""
    drawn = [row for row in rows if row["graph_source"] == ANNOTATION]
    groups = (
        {"from files": [row for row in rows if row["graph_source"] != ANNOTATION]} if len(drawn) < len(rows) else {}
    )
    if drawn:
        groups["drawn by people in this build"] = drawn
        # It is worth a row that none of them stands.
        groups["of these confirmed: an expert let them stand, or was not to see them"] = [
            row for row in drawn if row["graph_confirmed"]
        ]
    return "\n".join(
        card_row(name, [len({(row["para_id"], row["graph_id"]) for row in group}), len(group)])
        for name, group in groups.items()
    )


def _split_row(split: str, rows: Sequence[Mapping[str, Any]], labels: Sequence[str]) -> str:
    found = Counter(row["label"] for row in rows)
    sizes = [len({row[name] for row in rows}) for name in ("topic", "para_id")]
    return card_row(
        split, [len(rows), *(found[label] for label in labels), *sizes, sum(row["confirmed"] for row in rows)]
    )
