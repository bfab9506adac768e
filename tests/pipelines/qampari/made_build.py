"""A QAMPARI build of a few questions, made of rows, with a label that a page must not run."""

from __future__ import annotations

from typing import Any

from manifests.manifest import BuildManifest, Table
from manifests.storage import Storage
from stages.core.contract import TableSpec
from stages.facts.nli_validation import ENTAILED
from stages.qampari.judging.judged import RELEASED_QUESTIONS
from stages.qampari.release.format import Answer, AnswersRecord, Proof, QuestionEntity, make_qid
from stages.qampari.release.records import RECORDS, SIDECAR
from stages.qampari.tables import SIMPLE_QUERIES
from tests.pipelines import made

HOSTILE = "<img src=x onerror=alert(1)>"
PREMISE = "The film came out. It was directed by Ada."


def query_of(number: int) -> str:
    return f"P57:Q{number}"


def build(root: Storage, questions: int = 3, answers: int = 2, buckets: int = 1) -> BuildManifest:
    """A question of each number, the first of train, the others of dev; its first answer is called HOSTILE."""
    rows = [_question(number, answers) for number in range(questions)]

    def table(spec: TableSpec) -> Table:
        return made.table(root, "toy", spec, [row for found in rows for row in found[spec.name]], buckets)

    return made.build(
        "qampari",
        made.stage("qampari.query_filter", table(SIMPLE_QUERIES), rejects={"low_support": 7}),
        made.stage("facts.nli_validation", table(ENTAILED)),
        made.stage("qampari.judged", table(RELEASED_QUESTIONS)),
        made.stage("qampari.records", table(RECORDS), table(SIDECAR)),
        notes=["nothing was confirmed"],
    )


def _question(number: int, answers: int) -> dict[str, list[dict[str, Any]]]:
    query, split = query_of(number), "train" if number == 0 else "dev"
    kind = "wikidata_simple"
    qid = make_qid(query, kind, split)
    names = [HOSTILE if place == 0 else f"Film {number}.{place}" for place in range(answers)]
    given = [
        Answer(
            name,
            f"{qid}__{place}",
            [name],
            "",
            [Proof(PREMISE, f"https://en.wikipedia.org/wiki/F{place}", f"{qid}__{place}__0")],
        )
        for place, name in enumerate(names)
    ]
    record = AnswersRecord([QuestionEntity("", "Ada", ["Ada"])], f"Which films did Ada direct in {number}?", given, qid)
    found: dict[str, list[dict[str, Any]]] = {
        RECORDS.name: [
            {"qid": qid, "query": query, "split": split, "kind": kind, "record": record.line(), "known_share": 0.5}
        ],
        RELEASED_QUESTIONS.name: [
            {"query": query, "split": split, "number": number, "kind": "simple", "properties": ["P57"]}
        ],
        SIMPLE_QUERIES.name: [
            {
                "query": query,
                "kind": "simple",
                "properties": ["P57"],
                "entities": ["Q7"],
                "entity_labels": ["Ada"],
                "entity_aliases": [[]],
                "classes": [None],
                "answers": answers + 1,
                "known": 2 * answers,
                "validated": answers,
                "share": answers / (answers + 1),
            }
        ],
        SIDECAR.name: [],
        ENTAILED.name: [],
    }
    for place, name in enumerate(names):
        statement = {"subject": f"Q{number}00{place}", "property": "P57", "object": "Q7", "unit": ""}
        found[SIDECAR.name].append(
            statement
            | {"aid": f"{qid}__{place}", "position": 0, "pid": f"{qid}__{place}__0", "qid": qid, "query": query}
            | {"split": split, "kind": kind, "properties": ["P57"], "entities": ["Q7"], "classes": [None]}
            | {
                "answer": statement["subject"],
                "answer_kind": "item",
                "types": [],
                "title": name,
                "passage_id": f"{name}#0",
            }
            | {"sentence_index": 1, "sentence": "It was directed by Ada.", "score": 0.875, "confirmed": place == 0}
            | {"template_question": record.question_text, "known_share": 0.5}
        )
        found[ENTAILED.name].append(
            statement
            | {"page": statement["subject"], "index": 1, "title": name, "passage": 0, "side": "subject"}
            | {"surface": "Ada", "subject_label": name, "object_label": "Ada", "sentence": "It was directed by Ada."}
            | {"premise": PREMISE, "hypotheses": [], "hypothesis": f"{name} was directed by Ada.", "score": 0.875}
        )
    return found
