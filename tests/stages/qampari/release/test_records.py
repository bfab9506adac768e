"""Records and sidecar: by hand, and released records taken apart and put together again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest

from stages.core.contract import StageError
from stages.qampari.judging.judged import RELEASED_ANSWERS, RELEASED_QUESTIONS
from stages.qampari.paraphrasing.paraphrasing import WORDED
from stages.qampari.release.format import AnswersRecord
from stages.qampari.release.parts import ENTITY_PAGES, PAGE_ORIGINS, PROOF_PASSAGES
from stages.qampari.release.records import RECORDS, SIDECAR, RecordParams, records, release, stage
from stages.release.card import CardText
from stages.release.corpus import Collection
from stages.release.format import read_records
from tests.stages.release.world import World, title_of

QUERY = "P57:Q8877>P58"
ASKED = '{"question_text": "Who?"}'


def triple(subject: str, pid: str, title: str, passage: int) -> dict:
    return {
        "subject": subject,
        "property": pid,
        "object": "Q9",
        "title": title,
        "passage": passage,
        "index": 4,
        "sentence": f"{subject} {pid}.",
    }


def answer(value: str, shown: str, kind: str, proofs: Sequence[dict], title: str | None = None, unit: str = "") -> dict:
    return {
        "query": QUERY,
        "answer": value,
        "unit": unit,
        "answer_kind": kind,
        "answer_text": shown,
        "aliases": [shown, f"{shown}!"],
        "types": ["Q5"] if kind == "item" else [],
        "title": title,
        "proofs": list(proofs),
        "scores": [0.25, 0.75, 0.5][: len(proofs)],
        "confirmed": shown == "Zoe Writer",
    }


ANSWERS = RELEASED_ANSWERS.table(
    [
        answer(
            "Q3", "Zoe Writer", "item", [triple("Q1", "P57", "Jaws (film)", 0), triple("Q1", "P58", "Jaws (film)", 0)]
        ),
        answer("Q2", "Ann Writer", "item", [triple("Q4", "P57", "T", 1), triple("Q4", "P58", "Ann?", 2)], "Ann?"),
        answer("1969", "1969", "time", [triple("Q4", "P57", "T", 1)]),
        answer("Q6", "Lost Writer", "item", [triple("Q4", "P57", "Gone", 1)]),
    ]
)
QUESTION = WORDED.table(
    [
        {
            "query": QUERY,
            "kind": "composition",
            "question": "Who wrote the films directed by X?",
            "normal": "",
            "template_question": "Who are the writers of the films of X?",
            "properties": ["P57", "P58"],
            "entities": ["Q8877"],
            "entity_labels": ["X"],
            "entity_aliases": [["Mr Xavier", "X", "xv", "U.S.", "\U0001f1ee\U0001f1f3", "★ ★ ★ ★"]],
            "classes": ["Q11424"],
            "answers": 3,
            "known": 12,
            "answer_set": "",
        }
    ]
)
SPLIT = RELEASED_QUESTIONS.table(
    [{"query": QUERY, "split": "test", "number": 17, "kind": "composition", "properties": ["P57", "P58"]}]
)
NO_PAGES = ENTITY_PAGES.table([{"query": QUERY, "position": 0, "entity": "Q8877", "title": None}])
ORIGINS = PAGE_ORIGINS.table(
    [
        {
            "query": QUERY,
            "title": title,
            "url": f"https://my.org/{title}",
            "licence": "CC0-1.0",
            "revision": "7",
            "date": None,
        }
        for title in ("Ann?", "Jaws (film)")
    ]
)


def found_passages(lost: str = "Gone") -> pa.Table:
    return PROOF_PASSAGES.table(
        [
            {
                "query": QUERY,
                "answer": row["answer"],
                "unit": row["unit"],
                "position": position,
                "title": proof["title"],
                "passage": proof["passage"],
                "passage_id": f"{proof['title']}#{proof['passage']}",
                "passage_text": f"Text of {proof['title']}.",
            }
            for row in ANSWERS.to_pylist()
            for position, proof in enumerate(row["proofs"])
            if proof["title"] != lost
        ]
    )


def test_a_record_by_hand() -> None:
    output = records(SPLIT, QUESTION, ANSWERS, NO_PAGES, found_passages(), ORIGINS, params=RecordParams())
    (row,) = output.tables[RECORDS.name].to_pylist()
    # 10**14 + sha256(QUERY) mod 9 * 10**14, worked out apart from the code.
    qid = "646749667689523__wikidata_comp__test"
    assert (row["qid"], row["query"], row["kind"], row["split"]) == (qid, QUERY, "wikidata_comp", "test")
    wiki = "https://my.org/"
    assert json.loads(row["record"]) == {
        "entities": [
            {"entity_url": "https://www.wikidata.org/wiki/Q8877", "entity_text": "X", "aliases": ["X", "Mr Xavier"]}
        ],
        "question_text": "Who wrote the films directed by X?",
        "answer_list": [
            {
                "answer_text": "1969",
                "aid": f"{qid}__0",
                "aliases": ["1969", "1969!"],
                "answer_url": "",
                "proof": [{"proof_text": "Text of T.", "found_in_url": "", "pid": f"{qid}__0__0"}],
            },
            {
                "answer_text": "Ann Writer",
                "aid": f"{qid}__1",
                "aliases": ["Ann Writer", "Ann Writer!"],
                "answer_url": f"{wiki}Ann?",
                "proof": [
                    {"proof_text": "Text of T.", "found_in_url": "", "pid": f"{qid}__1__0"},
                    {"proof_text": "Text of Ann?.", "found_in_url": f"{wiki}Ann?", "pid": f"{qid}__1__1"},
                ],
            },
            {
                "answer_text": "Zoe Writer",
                "aid": f"{qid}__2",
                "aliases": ["Zoe Writer", "Zoe Writer!"],
                "answer_url": "https://www.wikidata.org/wiki/Q3",
                "proof": [
                    {"proof_text": "Text of Jaws (film).", "found_in_url": f"{wiki}Jaws (film)", "pid": f"{qid}__2__0"}
                ],
            },
        ],
        "qid": qid,
    }
    assert output.rejects.to_pylist() == [{"key": f"{QUERY} Q6", "reason": "no_proof", "detail": "", "count": 1}]
    # Three answers with proof of the twelve that Wikidata knows.
    assert row["known_share"] == 0.25
    assert output.metrics == {
        "records": 1.0,
        "proofs": 4.0,
        "known_counted": 1.0,
        "hold_80_percent_of_known": 0.0,
        "hold_50_percent_of_known": 0.0,
    }


def test_the_sidecar_has_a_row_per_triple() -> None:
    output = records(SPLIT, QUESTION, ANSWERS, NO_PAGES, found_passages(), ORIGINS, params=RecordParams())
    side = output.tables[SIDECAR.name]
    assert side.schema.equals(SIDECAR.schema)
    zoe = [row for row in side.to_pylist() if row["answer"] == "Q3"]
    assert [(row["position"], row["pid"], row["property"], row["score"]) for row in zoe] == [
        (0, "646749667689523__wikidata_comp__test__2__0", "P57", 0.25),
        (1, "646749667689523__wikidata_comp__test__2__0", "P58", 0.75),
    ]
    expected = {
        "properties": ["P57", "P58"],
        "entities": ["Q8877"],
        "classes": ["Q11424"],
        "types": ["Q5"],
        "title": "Jaws (film)",
        "passage_id": "Jaws (film)#0",
        "sentence_index": 4,
        "sentence": "Q1 P57.",
        "subject": "Q1",
        "object": "Q9",
        "confirmed": True,
        "template_question": "Who are the writers of the films of X?",
        "known_share": 0.25,
        "url": "https://my.org/Jaws (film)",
        "licence": "CC0-1.0",
        "revision": "7",
        "date": None,
    }
    assert {name: zoe[0][name] for name in expected} == expected


def test_a_question_without_any_proof_is_rejected() -> None:
    output = records(SPLIT, QUESTION, ANSWERS, NO_PAGES, PROOF_PASSAGES.empty(), ORIGINS, params=RecordParams())
    assert output.tables[RECORDS.name].num_rows == 0
    assert sorted(output.rejects["reason"].to_pylist()) == ["no_answers", *["no_proof"] * 4]


def without_repeated_proofs(record: AnswersRecord) -> dict:
    """What must come back: answers in the order of their texts, each passage once, addresses decoded."""
    order = sorted(enumerate(record.answer_list), key=lambda pair: (pair[1].answer_text, f"Q{pair[0]}"))
    return {
        "question": record.question_text,
        "entities": [(title_of(e.entity_url), e.entity_text, e.aliases) for e in record.entities],
        "answers": [
            (
                a.answer_text,
                list(dict.fromkeys(a.aliases)),
                title_of(a.answer_url),
                list(dict.fromkeys((proof.proof_text, title_of(proof.found_in_url)) for proof in a.proof)),
            )
            for _, a in order
        ],
    }


def test_released_records_come_back_with_the_same_content(shared_data: Path) -> None:
    released = read_records(shared_data / "qampari" / "released_format_dev_tables.jsonl", AnswersRecord)
    world = World(released)
    params = RecordParams(simple="wikitables_simple")
    output = world.build(params)
    made = {row["query"]: AnswersRecord.decode(row["record"]) for row in output.tables[RECORDS.name].to_pylist()}
    assert len(made) == 85
    for place, record in enumerate(released):
        own = made[f"P1:Q{place}"]
        assert without_repeated_proofs(own) == without_repeated_proofs(record)
        assert (own.kind, own.split) == (record.kind, record.split)
    assert output.tables[SIDECAR.name].num_rows == 3492
    backwards = world.build(params, range(world.answers.num_rows)[::-1])
    by_qid = [("qid", "ascending")]
    assert backwards.tables[RECORDS.name].sort_by(by_qid).equals(output.tables[RECORDS.name].sort_by(by_qid))


def test_a_question_keeps_its_key_where_other_questions_come_and_go() -> None:
    # Another build: the question has another number in its split, and its first answer is gone.
    moved = SPLIT.set_column(2, RELEASED_QUESTIONS.schema.field("number"), pa.array([90], pa.int32()))
    before = records(SPLIT, QUESTION, ANSWERS, NO_PAGES, found_passages(), ORIGINS, params=RecordParams()).tables
    after = records(
        moved, QUESTION, ANSWERS.slice(0, 2), NO_PAGES, found_passages(), ORIGINS, params=RecordParams()
    ).tables
    assert before[RECORDS.name]["qid"].equals(after[RECORDS.name]["qid"])
    keys = [{tuple(row[name] for name in SIDECAR.key) for row in t[SIDECAR.name].to_pylist()} for t in (before, after)]
    assert keys[0] - keys[1] == {(QUERY, "1969", "", 0)} and not keys[1] - keys[0]


def test_params_are_checked() -> None:
    with pytest.raises(StageError, match="simple: expected lower-case letters"):
        RecordParams(simple="two__parts!")
    assert stage().outputs == (RECORDS, SIDECAR)


def test_the_card_counts_questions_answers_and_kinds() -> None:
    kinds = (("0", "wikidata_simple", "train"), ("1", "wikidata_comp", "train"), ("2", "x", "test"))
    made = [
        {"qid": number, "query": number, "split": split, "kind": kind, "record": ASKED, "known_share": share}
        for (number, kind, split), share in zip(kinds, (0.8, 0.3, None), strict=True)
    ]
    base = dict.fromkeys(SIDECAR.schema.names, "") | {"sentence_index": 0, "score": 0.5, "confirmed": False}
    base |= {"properties": [], "entities": [], "classes": [], "types": [], "known_share": None}
    triples = (("a", 0, "train"), ("a", 1, "train"), ("b", 0, "train"), ("c", 0, "train"), ("d", 0, "test"))
    side = [base | {"aid": aid, "position": position, "split": split} for aid, position, split in triples]
    card = release(RECORDS.table(made), SIDECAR.table(side), Collection(repeated=1200)).card(
        CardText("a", "b", "1", {})
    )
    assert "| train | 2 | 3 | 1.50 |\n| test | 1 | 1 | 1.00 |\n\nThis release has no dev set.\n" in card
    said = "counted for 2 questions: 1 hold at least 80 %, 1 hold at least 50 % of them, the median is 55%."
    assert said in card
    assert "| wikidata_comp | 1 |\n| wikidata_simple | 1 |\n| x | 1 |" in card


def test_to_a_question_belong_the_passages_of_its_proofs() -> None:
    made = records(SPLIT, QUESTION, ANSWERS, NO_PAGES, found_passages(), ORIGINS, params=RecordParams()).tables
    found = release(made[RECORDS.name], made[SIDECAR.name], Collection()).retrieval
    assert found is not None
    [(qid, question)] = found.queries.items()
    assert question == json.loads(made[RECORDS.name]["record"][0].as_py())["question_text"]
    wanted = set(made[SIDECAR.name]["passage_id"].to_pylist())
    assert found.relevant == {("", "test"): {qid: wanted}} and len(wanted) == 3
