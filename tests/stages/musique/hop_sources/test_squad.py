from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from stages.core.texts import Refused
from stages.io.detect import HOPS, kind_of
from stages.musique.hop_sources import squad
from stages.musique.single_hops.stated import Stated
from tests.stages.musique.single_hops.files import read, write

SQUAD: dict[str, Any] = {
    "version": "v2.0",
    "data": [
        {
            "title": "Super_Bowl_50",
            "paragraphs": [
                {
                    "context": "Denver  beat Carolina. It was Denver's third title.",
                    "qas": [
                        {"id": "q1", "question": "Who won?", "answers": [{"text": "Denver", "answer_start": 30}]},
                        {"id": "q2", "question": "Who lost?", "answers": [], "is_impossible": True},
                        {"id": "q3", "question": "Why?", "answers": []},
                    ],
                }
            ],
        }
    ],
}


def test_squad_in_one_line_pretty_printed_and_compressed(tmp_path: Path) -> None:
    plain = write(tmp_path / "a.json", SQUAD)
    pretty = tmp_path / "b.json"
    pretty.write_text(json.dumps(SQUAD, indent=2), encoding="utf-8")
    packed = tmp_path / "c.json.gz"
    packed.write_bytes(gzip.compress(json.dumps(SQUAD).encode()))
    for path in (plain, pretty, packed):
        found, reasons = read(path)
        assert reasons == {"unanswerable": 1, "no_answer": 1}
        assert [(row["source"], row["given_id"], row["title"]) for row in found] == [("squad", "q1", "Super Bowl 50")]
        assert found[0]["text"] == "Denver beat Carolina. It was Denver's third title."
        # Stated as 30, of which one was a second space.
        assert found[0]["answer_start"] == 29
        assert kind_of(str(path)) == HOPS


def test_mlqa_is_told_by_its_ids(tmp_path: Path) -> None:
    known = json.loads(json.dumps(SQUAD))
    known["data"][0]["paragraphs"][0]["qas"] = [
        {"id": "a" * 40, "question": "Who won?", "answers": [{"text": "Denver", "answer_start": 0}]}
    ]
    found, _ = read(write(tmp_path / "mlqa.json", known))
    assert [row["source"] for row in found] == ["mlqa"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda r: r.update(data={"a": 1}), "bad_article"),
        (lambda r: r["data"].append("text"), "bad_article"),
        (lambda r: r["data"][0].update(paragraphs=None), "bad_paragraph"),
        (lambda r: r["data"][0]["paragraphs"].append(7), "bad_paragraph"),
        (lambda r: r["data"][0]["paragraphs"][0].update(qas="?"), "bad_question"),
        (lambda r: r["data"][0]["paragraphs"][0]["qas"].append([]), "bad_question"),
        (lambda r: r["data"][0]["paragraphs"][0]["qas"][0].update(answers=["Denver"]), "bad_question"),
        (lambda r: r["data"][0]["paragraphs"][0]["qas"][0].update(question=5), "not_text"),
        (lambda r: r["data"][0]["paragraphs"][0]["qas"][0].update(question=" "), "no_question"),
        (lambda r: r["data"][0]["paragraphs"][0]["qas"][0].update(id=["q"]), "bad_id"),
        (lambda r: r["data"][0]["paragraphs"][0].update(context=None), "no_text"),
        (lambda r: r["data"][0]["paragraphs"][0].update(context="<script>x</script>"), "markup"),
    ],
)
def test_bad_squad(tmp_path: Path, change: Any, reason: str) -> None:
    record = json.loads(json.dumps(SQUAD))
    change(record)
    _, reasons = read(write(tmp_path / "a.json", record))
    assert reasons[reason] >= 1


def asked(**question: Any) -> list[Stated | Refused]:
    """What is read of a document with one question."""
    paragraph = {"context": "Denver beat Carolina.", "qas": [{"id": "q", "question": "Who won?", **question}]}
    return list(squad.read({"data": [{"title": "Super_Bowl_50", "paragraphs": [paragraph]}]}))


def test_what_the_document_says_of_one_question() -> None:
    answers = [{"text": "Denver", "answer_start": 0}, {"text": "the Broncos", "answer_start": 99}]
    assert asked(answers=answers) == [
        Stated(
            source="squad",
            given_id="q",
            question="Who won?",
            answers=["Denver", "the Broncos"],
            title="Super_Bowl_50",
            text="Denver beat Carolina.",
            start=0,
        )
    ]


@pytest.mark.parametrize(
    ("given", "source"),
    [("0" * 40, "mlqa"), ("0" * 39, "squad"), ("0" * 24, "squad"), ("g" * 40, "squad"), (None, "squad"), (7, "squad")],
)
def test_only_40_hex_digits_are_an_id_of_mlqa(given: object, source: str) -> None:
    (found,) = asked(id=given, answers=[{"text": "Denver"}])
    assert isinstance(found, Stated)
    assert (found.source, found.given_id, found.start) == (source, given, None)


def test_a_question_is_unanswerable_only_where_the_file_says_so() -> None:
    (impossible,) = asked(answers=[{"text": "Denver"}], is_impossible=True)
    assert isinstance(impossible, Refused) and (impossible.reason, str(impossible)) == ("unanswerable", "q: Who won?")
    assert all(isinstance(item, Stated) for value in (False, None) for item in asked(answers=[], is_impossible=value))


def test_one_bad_part_costs_no_other(tmp_path: Path) -> None:
    record = json.loads(json.dumps(SQUAD))
    record["data"] = [5, {"title": "Empty"}, *record["data"]]
    record["data"][2]["paragraphs"] = ["text", {"context": "x"}, *record["data"][2]["paragraphs"]]
    found, reasons = read(write(tmp_path / "a.json", record))
    assert [row["given_id"] for row in found] == ["q1"]
    assert reasons == {"bad_article": 1, "bad_paragraph": 2, "bad_question": 1, "unanswerable": 1, "no_answer": 1}
