from __future__ import annotations

import bz2
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from stages.contract import StageError
from stages.hops.parse import parse, stage
from stages.hops.source import HopFiles
from stages.hops.stated import HopParams
from stages.sources.detect import HOPS, kind_of

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
TOKENS = "<H1> Ada Lovelace </H1> <P> Ada was born in <B> London </B> . </P> <Ul> x </Ul>"
NQ: dict[str, Any] = {
    "example_id": 797803103760793766,
    "question_text": "where was ada born",
    "document_text": TOKENS,
    "document_url": "https://en.wikipedia.org//w/index.php?title=Ada_Lovelace&amp;oldid=1",
    "annotations": [
        {
            "long_answer": {"start_token": 4, "end_token": 14, "candidate_index": 0},
            "short_answers": [{"start_token": 10, "end_token": 11}],
            "yes_no_answer": "NONE",
        }
    ],
}
TREX: dict[str, Any] = {
    "docid": "http://www.wikidata.org/entity/Q1",
    "title": "Imagine",
    "text": "A line before.\nImagine was sung by John Lennon in 1971.\nA line after.",
    "triples": [
        {
            "subject": {"surfaceform": "Imagine", "uri": "Q1", "boundaries": [15, 22]},
            "predicate": {"surfaceform": None, "uri": "http://www.wikidata.org/entity/P175"},
            "object": {"surfaceform": "John Lennon", "uri": "Q1203", "boundaries": [35, 46]},
            "annotator": "SPOAligner",
        }
    ],
}
ZERO_SHOT = "performer\tWho sang XXX?\tImagine\tImagine was sung by John Lennon.\tJohn Lennon\tLennon"
NEUTRAL = {
    "id": "n1",
    "source": "My Set",
    "question": "Imagine >> performer",
    "answer": "Lennon",
    "paragraph": "By Lennon.",
}


def read(
    *paths: Path, labels: dict[str, str] | None = None, **limits: int
) -> tuple[list[dict[str, Any]], Counter[str]]:
    """(rows of READ_HOPS, reasons) of some files."""
    source = HopFiles(tuple(map(str, paths)), **limits)
    raw = [table for part in source.parts() for table in source.read(part)]
    outputs = [parse(table, params=HopParams(), labels=labels or {"P175": "performer"}) for table in raw]
    found = [row for output in outputs for row in output.tables["read_hops"].to_pylist()]
    reasons = Counter(row["reason"] for output in outputs for row in output.rejects.to_pylist())
    return found, reasons


def write(path: Path, *records: Any) -> Path:
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in records), encoding="utf-8")
    return path


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


def test_natural_questions(tmp_path: Path) -> None:
    path = write(tmp_path / "nq.jsonl", NQ)
    found, reasons = read(path)
    assert reasons == {}
    assert found[0] | {"content": ""} == {
        "content": "",
        "source": "natural-questions",
        "given_id": "797803103760793766",
        "question": "where was ada born",
        "answer": "London",
        "answer_aliases": [],
        "title": "Ada Lovelace",
        "text": "Ada was born in London .",
        "answer_start": 16,
    }
    assert kind_of(str(path)) == HOPS


def test_a_natural_question_is_known_though_its_page_is_long(tmp_path: Path) -> None:
    path = write(
        tmp_path / "nq.jsonl", {"document_text": "x " * 100_000, **{k: v for k, v in NQ.items() if k[0] != "d"}}
    )
    assert kind_of(str(path)) == HOPS


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"document_text": 7}, "bad_document"),
        ({"annotations": {}}, "bad_annotation"),
        ({"annotations": ["x"]}, "bad_annotation"),
        ({"annotations": []}, "unanswerable"),
        ({"annotations": [NQ["annotations"][0] | {"short_answers": []}]}, "unanswerable"),
        ({"annotations": [NQ["annotations"][0] | {"short_answers": [], "yes_no_answer": "YES"}]}, "yes_no"),
        (
            {"annotations": [NQ["annotations"][0] | {"long_answer": {"start_token": -1, "end_token": -1}}]},
            "unanswerable",
        ),
        (
            {"annotations": [NQ["annotations"][0] | {"long_answer": {"start_token": "4", "end_token": 14}}]},
            "bad_annotation",
        ),
        (
            {"annotations": [NQ["annotations"][0] | {"long_answer": {"start_token": 4, "end_token": 99}}]},
            "bad_annotation",
        ),
        (
            {"annotations": [NQ["annotations"][0] | {"long_answer": {"start_token": 4, "end_token": 9}}]},
            "bad_annotation",
        ),
        (
            {
                "annotations": [
                    {
                        "long_answer": {"start_token": 14, "end_token": 17},
                        "short_answers": [{"start_token": 15, "end_token": 16}],
                    }
                ]
            },
            "not_a_paragraph",
        ),
        ({"question_text": None}, "no_question"),
    ],
)
def test_bad_natural_questions(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    assert read(write(tmp_path / "nq.jsonl", NQ | change)) == ([], {reason: 1})


def test_trex_takes_the_line_that_holds_the_object(tmp_path: Path) -> None:
    path = write(tmp_path / "re-nlg_0.json", [TREX])
    found, reasons = read(path)
    assert reasons == {}
    assert found[0]["question"] == "Imagine >> performer"
    assert (found[0]["answer"], found[0]["text"]) == ("John Lennon", "Imagine was sung by John Lennon in 1971.")
    assert found[0]["text"][found[0]["answer_start"] :].startswith("John Lennon")
    assert kind_of(str(path)) == HOPS


def test_a_relation_with_two_values_has_no_one_answer(tmp_path: Path) -> None:
    second = TREX["triples"][0] | {"object": {"surfaceform": "Imagine", "uri": "Q2", "boundaries": [15, 22]}}
    same = TREX["triples"][0] | {"annotator": "Simple-Aligner"}
    record = TREX | {"triples": [*TREX["triples"], same]}
    assert len(read(write(tmp_path / "one.json", [record]))[0]) == 1
    record = TREX | {"triples": [*TREX["triples"], second]}
    assert read(write(tmp_path / "two.json", [record])) == ([], {"several_values": 1})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"text": None}, "bad_document"),
        ({"triples": {"a": 1}}, "bad_document"),
        ({"triples": ["x"]}, "bad_triple"),
        ({"triples": [TREX["triples"][0] | {"object": "Lennon"}]}, "bad_triple"),
        ({"triples": [TREX["triples"][0] | {"object": {"surfaceform": None}}]}, "bad_triple"),
        ({"triples": [TREX["triples"][0] | {"object": {"surfaceform": "x", "boundaries": [999, 1000]}}]}, "bad_triple"),
        ({"triples": [TREX["triples"][0] | {"predicate": None}]}, "bad_triple"),
        ({"triples": [TREX["triples"][0] | {"predicate": {"uri": "P99999"}}]}, "no_relation_label"),
    ],
)
def test_bad_trex(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    assert read(write(tmp_path / "t.json", [TREX | change])) == ([], {reason: 1})


def test_zero_shot_lines(tmp_path: Path) -> None:
    negative = "spouse\tWho married XXX?\tImagine\tImagine was sung by John Lennon."
    path = write(tmp_path / "train.0", ZERO_SHOT, negative, "too\tfew", "\t\tx\ty\tz")
    found, reasons = read(path)
    assert reasons == {"unanswerable": 1, "bad_line": 2}
    assert [(row["question"], row["answer"], row["title"]) for row in found] == [
        ("Imagine >> performer", "John Lennon", "Imagine")
    ]
    assert kind_of(str(path)) == HOPS


def test_lines_are_read_in_parts_and_bad_bytes_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "train.tsv"
    path.write_bytes(
        b"\n".join([ZERO_SHOT.encode(), b"a\tb\tc\td\t\xff", ZERO_SHOT.replace("Imagine", "Help").encode()])
    )
    whole = read(path)
    assert whole[1] == {"bad_encoding": 1}
    assert sorted(row["question"] for row in read(path, part_bytes=40)[0]) == [
        "Help >> performer",
        "Imagine >> performer",
    ]
    assert read(path, max_record_bytes=50)[1] == {"oversized_line": 2, "bad_encoding": 1}


def test_the_neutral_shape(tmp_path: Path) -> None:
    path = write(tmp_path / "n.jsonl", NEUTRAL, NEUTRAL | {"answers": ["Lennon", "J. Lennon", " J. Lennon"]})
    found, reasons = read(path)
    assert reasons == {}
    assert [(row["source"], row["answer_aliases"]) for row in found] == [("my-set", []), ("my-set", ["J. Lennon"])]
    assert found[0]["content"] == found[1]["content"]
    assert kind_of(str(path)) == HOPS


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ("{broken", "broken_json"),
        ([1], "not_an_object"),
        ({"a": 1}, "unknown_record"),
        (NEUTRAL | {"answers": "Lennon"}, "bad_answers"),
        (NEUTRAL | {"answer": None}, "no_answer"),
        (NEUTRAL | {"answer": 5}, "not_text"),
        (NEUTRAL | {"answers": ["x"] * 99}, "too_many_answers"),
        (NEUTRAL | {"source": "<b>"}, "bad_source"),
        (NEUTRAL | {"source": 5}, "bad_source"),
        (NEUTRAL | {"id": True}, "bad_id"),
        (NEUTRAL | {"id": "x" * 200}, "bad_id"),
        (NEUTRAL | {"paragraph": "x" * 30_000}, "too_long"),
        (NEUTRAL | {"paragraph": "a\u0000b"}, "control_characters"),
    ],
)
def test_bad_neutral_records(tmp_path: Path, record: Any, reason: str) -> None:
    found, reasons = read(write(tmp_path / "n.jsonl", NEUTRAL, record))
    assert len(found) == 1
    assert reasons == {reason: 1}


def test_a_file_that_ends_early_gives_what_came_before(tmp_path: Path) -> None:
    packed = gzip.compress(
        "\n".join(json.dumps(NEUTRAL | {"id": str(n), "question": f"{n}?"}) for n in range(2000)).encode()
    )
    path = tmp_path / "n.jsonl.gz"
    path.write_bytes(packed[: len(packed) // 2])
    found, reasons = read(path)
    assert 0 < len(found) < 2000
    assert reasons["truncated_input"] == 1


def test_what_is_read_depends_on_neither_order_nor_parts(tmp_path: Path) -> None:
    records = [
        json.dumps(NEUTRAL | {"id": str(number), "question": f"Song {number} >> performer"}) for number in range(50)
    ]
    one = write(tmp_path / "a.jsonl", *records)
    two = tmp_path / "b.jsonl.bz2"
    two.write_bytes(bz2.compress("\n".join(reversed(records)).encode()))

    def ordered(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return sorted(rows, key=lambda row: row["content"])

    assert ordered(read(one, part_bytes=500)[0]) == ordered(read(two)[0])
    assert HopFiles((str(one),)).identity() != HopFiles((str(two),)).identity()


def test_the_stage_needs_a_file_and_knows_relations() -> None:
    with pytest.raises(StageError, match="no file given; name at least one with --source"):
        HopFiles(())
    built = stage(HopFiles(("a.json",)))
    assert built.kernel is not None and built.kernel.keywords["labels"]["P175"] == "performer"  # type: ignore[attr-defined]
    assert built.templates


@pytest.mark.slow
def test_the_real_pool(shared_data: Path) -> None:
    path = shared_data / "singlehop" / "pool.jsonl.gz"
    assert kind_of(str(path)) == HOPS
    source = HopFiles((str(path),))
    outputs = [parse(table, params=HopParams(), labels={}) for part in source.parts() for table in source.read(part)]
    found = pa.concat_tables([output.tables["read_hops"] for output in outputs])
    reasons = Counter[str]()
    for output in outputs:
        reasons.update({row["reason"]: row["count"] for row in output.rejects.to_pylist()})
    assert found.num_rows == 28_450
    assert set(reasons) == {"markup", "control_characters"}
