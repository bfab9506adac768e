from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from stages.core.contract import StageError
from stages.io.json_records import JsonRecords
from stages.wiqa.paragraphs import ParagraphParams, paragraphs, parse, parse_stage

GRID = {"para_id": "4", "sentence_texts": ["Plants die.", "They are  buried."], "participants": [], "states": []}
TOPIC = {"para_id": "4", "topic": "Oil", "prompt": "How does oil form?"}


def read(*paths: Path, **limits: int) -> pa.Table:
    source = JsonRecords(tuple(map(str, paths)), kind="paragraphs", **limits)
    return pa.concat_tables([source.schema.empty_table(), *(t for part in source.parts() for t in source.read(part))])


def built(*paths: Path, params: ParagraphParams | None = None) -> tuple[list[dict[str, Any]], Counter[str]]:
    """(paragraphs, reasons) of some files."""
    first = parse(read(*paths), params=params or ParagraphParams())
    second = paragraphs(*first.tables.values())
    found = pa.concat_tables([first.rejects, second.rejects]).to_pylist()
    return second.tables["paragraphs"].to_pylist(), Counter(row["reason"] for row in found)


def lines(path: Path, *records: Any) -> Path:
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in records), encoding="utf-8")
    return path


def test_a_grid_gets_its_topic_from_a_file_of_topics(tmp_path: Path) -> None:
    topics = tmp_path / "topics.json"
    topics.write_text(json.dumps([TOPIC], indent=0))
    found, reasons = built(lines(tmp_path / "grid.json", GRID), topics)
    assert not reasons
    assert found == [
        {
            "para_id": "4",
            "topic": "oil",
            "prompt": "How does oil form?",
            "sentences": ["Plants die.", "They are buried."],
            "source": "propara",
        }
    ]


def test_plain_paragraphs_are_cut_into_sentences_and_need_no_id(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "plain.jsonl",
        {"topic": "rain", "paragraph": "Water warms up. It rises.", "prompt": "How does rain form?"},
        {"topic": "rain", "sentences": ["Water warms up.", "It rises."], "para_id": 12},
    )
    found, reasons = built(path)
    assert not reasons
    assert [row["sentences"] for row in found] == [["Water warms up.", "It rises."]] * 2
    assert found[1]["para_id"] == "12"
    assert found[0]["para_id"].startswith("p") and len(found[0]["para_id"]) == 13


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ('{"topic": "rain", "paragraph": "cut off', "truncated_input"),
        ("[1, 2]", "not_an_object"),
        ({"para_id": "1"}, "no_text"),
        ({"para_id": "1", "topic": "rain", "paragraph": " \n "}, "empty_paragraph"),
        ({"para_id": "1", "topic": "rain", "paragraph": None}, "empty_paragraph"),
        ({"para_id": "1", "topic": "rain", "sentences": []}, "empty_paragraph"),
        ({"para_id": "1", "topic": "rain", "sentences": [None]}, "not_text"),
        ({"para_id": "1", "topic": "rain", "sentences": "a text"}, "not_text"),
        ({"para_id": "1", "topic": "rain", "sentences": [3]}, "not_text"),
        ({"para_id": "1", "topic": 3, "sentences": ["a"]}, "not_text"),
        ({"para_id": "1", "topic": "rain", "sentences": ["<script>x</script>"]}, "markup"),
        ({"para_id": "1", "topic": "rain", "sentences": ["a\u0000b"]}, "control_characters"),
        ({"para_id": "1", "topic": "rain", "sentences": ["a" * 1001]}, "too_long"),
        ({"para_id": "1", "topic": "rain", "paragraph": "a" * 10_000_000}, "too_long"),
        ({"para_id": "1", "topic": "rain", "sentences": ["a"] * 61}, "too_many_sentences"),
        ({"para_id": "a:b#c", "topic": "rain", "sentences": ["a"]}, "bad_para_id"),
        ({"para_id": True, "topic": "rain", "sentences": ["a"]}, "bad_para_id"),
        ({"para_id": ["1"], "topic": "rain", "sentences": ["a"]}, "bad_para_id"),
        ({"para_id": "1", "topic": " ", "sentences": ["a"]}, "no_topic"),
        ({"para_id": "1", "sentences": ["a"]}, "no_topic"),
        ({"para_id": "9", "topic": "rain"}, "no_paragraph"),
    ],
)
def test_a_bad_record_has_a_reason_and_its_neighbour_survives(tmp_path: Path, record: Any, reason: str) -> None:
    good = {"para_id": "good", "topic": "rain", "sentences": ["It rains."]}
    found, reasons = built(lines(tmp_path / "mixed.jsonl", good, record))
    assert [row["para_id"] for row in found] == ["good"]
    assert reasons == {reason: 1}


def test_faults_of_the_file_keep_what_came_before(tmp_path: Path) -> None:
    good = json.dumps({"para_id": "good", "topic": "rain", "sentences": ["It rains."]}).encode() + b"\n"
    whole = gzip.compress(good + b'{"topic": "x", "paragraph": "y."}\n' * 9)
    (tmp_path / "cut.jsonl.gz").write_bytes(whole[:-12])
    found, reasons = built(tmp_path / "cut.jsonl.gz")
    assert any(row["para_id"] == "good" for row in found)
    assert reasons["truncated_input"] == 1


def test_a_topic_of_the_record_itself_wins(tmp_path: Path) -> None:
    found, _ = built(lines(tmp_path / "both.jsonl", GRID | {"topic": "coal"}, TOPIC))
    assert (found[0]["topic"], found[0]["prompt"]) == ("coal", "How does oil form?")


def test_bad_records_are_counted_for_the_builds_limit(tmp_path: Path) -> None:
    metrics = parse(read(lines(tmp_path / "mixed.jsonl", GRID, "{")), params=ParagraphParams()).metrics
    assert metrics == {"records": 2, "bad_records": 1}


def test_no_file_and_bad_limits_are_errors_that_say_so() -> None:
    with pytest.raises(StageError, match="no file given"):
        JsonRecords((), kind="paragraphs")
    with pytest.raises(StageError, match="max_sentence: expected 1 or more"):
        ParagraphParams(max_sentence=0)


def test_the_source_states_its_kind_and_licence(tmp_path: Path) -> None:
    source = JsonRecords((str(lines(tmp_path / "a.jsonl", GRID)),), kind="ProPara", licence="Apache-2.0")
    assert source.licences() == {"ProPara": "Apache-2.0"}
    assert list(source.identity()) == ["ProPara:0"]
    assert parse_stage(source).name == "wiqa.paragraphs_read"


@pytest.mark.parametrize(
    ("records", "licence"),
    [
        ([GRID], "not stated by the file"),
        ([GRID, GRID | {"license": "Apache-2.0"}, GRID | {"licence": " CC0 \n 1.0 "}], "Apache-2.0 | CC0 1.0"),
        ([GRID | {"license": "A"}, GRID | {"license": 7}, GRID | {"note": '"licence"'}], "A"),
    ],
)
def test_records_may_state_their_licence(records: list[dict[str, Any]], licence: str, tmp_path: Path) -> None:
    path = str(lines(tmp_path / "a.jsonl", *records))
    with Path(path).open("a") as file:
        file.write('\n{"license": broken\n["license"]\n')
    assert JsonRecords((path,), kind="paragraphs", stated=True).licences() == {"paragraphs": licence}
    # Where nobody asks, nothing is read.
    assert JsonRecords((path,), kind="paragraphs").licences() == {"paragraphs": "not stated by the file"}
    assert JsonRecords((path,), kind="paragraphs", licence="B", stated=True).licences() == {"paragraphs": "B"}


def test_all_real_paragraphs_have_a_topic_and_sentences(shared_data: Path) -> None:
    folder = shared_data / "propara"
    found, reasons = built(*sorted((folder / "emnlp18").glob("*.json")), folder / "topics.json")
    assert not reasons
    assert (len(found), len({row["topic"] for row in found})) == (488, 152)
    [forest] = [row for row in found if row["para_id"] == "1217"]
    assert (forest["topic"], forest["prompt"], len(forest["sentences"])) == ("forest", "How do forests form?", 6)
