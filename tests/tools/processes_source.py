"""Reads the source of the sample of processes: topics with paragraphs and graphs, answers of people, odd records.

    topics/*.yaml           topic: {prompt, paragraphs: {name: {sentences, written?, graphs: {id: graph}}}}
    answers/graphs.yaml     [{worker, paragraph, X, Y, outcome, W?, U?, Z?, V?}]: who filled a graph for which paragraph
    answers/questions.yaml  [{paragraph, change, effect, says: {worker: answer}}]: who answered a question, and how
    odd/paragraphs.yaml     [{why, record or line}], put behind the paragraphs as they stand
    odd/graphs.yaml         [{why, record or line}], put behind the graphs
    odd/answers.yaml        [{why, record or line}], put behind the answers
    odd/label_studio.yaml   [{why, paragraph, annotations, data?, drafts?}], tasks of Label Studio's export
    damaged/*.yaml          the same four, for files of their own

`why` is the reject that an odd record meets, a list of them, or "" where it meets none.

A graph is {X, Y, W?, U?, Z?, V?} with texts or lists of texts, and either `outcome` (what Y does to
the outcome: more, less or neither) or `is outcome` (Y is itself the outcome, happening more or less).
`written` tells in which of the readers' forms a paragraph is given, see WRITTEN.
An answer to a question is its choice, and where the worker pointed to sentences, the numbers
of those of the change and of the effect, "-" for none: "less 1 4".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stages.core import strict_yaml

SENTENCES, TEXT, WITHOUT_ID, TOPIC_APART, IN_GRAPHS = (
    "as sentences",
    "as text",
    "without id",
    "topic apart",
    "in its graphs alone",
)
WRITTEN = (SENTENCES, TEXT, WITHOUT_ID, TOPIC_APART, IN_GRAPHS)
ODD_FILES = ("paragraphs", "graphs", "answers", "label_studio")
NODES = ("X", "Y", "W", "U", "Z", "V")


Entries = Mapping[str, tuple[Mapping[str, Any], ...]]


class SourceError(ValueError):
    """The source of the sample is wrong; the message names the entry."""


@dataclass(frozen=True)
class Graph:
    """nodes: texts by node, none empty; affects, is_outcome: what Y does to the outcome, "" where it is not said."""

    id: str
    nodes: Mapping[str, tuple[str, ...]]
    affects: str = ""
    is_outcome: str = ""


@dataclass(frozen=True)
class Paragraph:
    name: str
    topic: str
    prompt: str
    sentences: tuple[str, ...]
    written: str
    graphs: tuple[Graph, ...]


@dataclass(frozen=True)
class Sample:
    """paragraphs: in the order of their files; odd, damaged: entries by file name; all as they stand in their files."""

    paragraphs: tuple[Paragraph, ...]
    graph_answers: tuple[Mapping[str, Any], ...]
    question_answers: tuple[Mapping[str, Any], ...]
    odd: Entries
    damaged: Entries

    def paragraph(self, name: str) -> Paragraph:
        """Raises SourceError: there is none of this name."""
        for paragraph in self.paragraphs:
            if paragraph.name == name:
                return paragraph
        raise SourceError(f"no paragraph is called {name!r}")


def read(folder: Path) -> Sample:
    """The whole source. Raises SourceError naming the file and the entry that is wrong."""
    paragraphs = [
        paragraph
        for file in sorted((folder / "topics").glob("*.yaml"))
        for topic, entry in _yaml(file).items()
        for paragraph in _paragraphs(topic, entry)
    ]
    names = [paragraph.name for paragraph in paragraphs]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise SourceError(f"topics: {twice[0]!r} stands twice")
    return Sample(
        tuple(paragraphs),
        tuple(_yaml(folder / "answers" / "graphs.yaml")),
        tuple(_yaml(folder / "answers" / "questions.yaml")),
        odd=_entries(folder / "odd"),
        damaged=_entries(folder / "damaged"),
    )


def _entries(folder: Path) -> Entries:
    return {file: tuple(_yaml(folder / f"{file}.yaml")) for file in ODD_FILES}


def _yaml(file: Path) -> Any:
    try:
        return strict_yaml.parse(file.read_text(encoding="utf-8")) or []
    except ValueError as error:
        raise SourceError(f"{file.parent.name}/{file.name}: {error}") from error


def _paragraphs(topic: str, entry: Mapping[str, Any]) -> list[Paragraph]:
    found = []
    for name, own in entry["paragraphs"].items():
        written = own.get("written", SENTENCES)
        if written not in WRITTEN:
            raise SourceError(f"{name}: written: expected one of {', '.join(WRITTEN)}, got {written!r}")
        graphs = tuple(_graph(f"{name} {id}", str(id), graph) for id, graph in own.get("graphs", {}).items())
        found.append(Paragraph(name, topic, entry["prompt"], tuple(own["sentences"]), written, graphs))
    return found


def _graph(place: str, id: str, entry: Mapping[str, Any]) -> Graph:
    unknown = sorted(set(entry) - {*NODES, "outcome", "is outcome"})
    if unknown:
        raise SourceError(f"{place}: unknown key {unknown[0]!r}")
    if ("outcome" in entry) == ("is outcome" in entry):
        raise SourceError(f"{place}: expected either 'outcome' or 'is outcome'")
    return Graph(id, nodes(entry), entry.get("outcome", ""), entry.get("is outcome", ""))


def nodes(entry: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The texts of each node that an entry has."""
    return {node: tuple(listed(entry[node])) for node in NODES if node in entry}


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
