"""The released record: real records come back byte by byte, wrong ones are named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stages.release.format import ReleaseError, decode_record, encode_record, make_qid, read_release, split_qid

RECORD: dict[str, Any] = {
    "entities": [{"entity_url": "https://en.wikipedia.org/wiki/X", "entity_text": "X", "aliases": ["X"]}],
    "question_text": "Which film was directed by X?",
    "answer_list": [
        {
            "answer_text": "Jaws",
            "aid": "3__wikidata_simple__dev__0",
            "aliases": ["Jaws"],
            "answer_url": "https://en.wikipedia.org/wiki/Jaws",
            "proof": [
                {
                    "proof_text": "X directed Jaws.",
                    "found_in_url": "https://en.wikipedia.org/wiki/Jaws",
                    "pid": "3__wikidata_simple__dev__0__0",
                }
            ],
        }
    ],
    "qid": "3__wikidata_simple__dev",
}


def changed(path: list[str | int], value: Any) -> str:
    record = json.loads(json.dumps(RECORD))
    place = record
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return json.dumps(record)


def test_released_records_round_trip_to_the_same_bytes(shared_data: Path) -> None:
    path = shared_data / "qampari" / "released_format_dev_tables.jsonl"
    records = read_release(path)
    assert len(records) == 85
    assert {(record.kind, record.split) for record in records} == {("wikitables_simple", "dev")}
    assert "".join(f"{encode_record(record)}\n" for record in records) == path.read_text(encoding="utf-8")


def test_field_order_is_the_released_one() -> None:
    record = json.loads(encode_record(decode_record(json.dumps(RECORD))))
    assert list(record) == ["entities", "question_text", "answer_list", "qid"]
    assert list(record["answer_list"][0]) == ["answer_text", "aid", "aliases", "answer_url", "proof"]
    assert record == RECORD


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (changed(["answer_list", 0, "aid"], "3__wikidata_simple__dev__1"), r"answer_list\[0\].aid: expected"),
        (changed(["answer_list", 0, "aid"], 7), r"Expected `str`, got `int` - at `\$.answer_list\[0\].aid`"),
        (changed(["answer_list", 0, "aliases"], ["JAWS"]), r"answer_list\[0\].aliases: expected to hold 'Jaws'"),
        (changed(["answer_list", 0, "proof", 0, "pid"], "x"), r"answer_list\[0\].proof\[0\].pid: expected"),
        (changed(["entities", 0, "aliases"], []), r"entities\[0\].aliases: expected to hold 'X'"),
        (changed(["qid"], "three"), "qid: expected '<number>__<kind>__<split>', got 'three'"),
        (changed(["qid"], f"{'1' * 5000}__a__dev"), "qid: expected '<number>__<kind>__<split>'"),
        (changed(["level"], "hard"), "unknown field `level`"),
        ('{"qid": "3__wikidata_simple__dev"}', "missing required field"),
        ('{"qid": ', "truncated"),
    ],
)
def test_wrong_records_are_named_by_line_and_key(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "dev.jsonl"
    file.write_text(f"\n{json.dumps(RECORD).replace('3__', '4__')}\n{line}\n", encoding="utf-8")
    with pytest.raises(ReleaseError, match=f"dev.jsonl, line 3: .*{message}"):
        read_release(file)


def test_repeated_qids_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "dev.jsonl"
    file.write_text(f"{json.dumps(RECORD)}\n{json.dumps(RECORD)}\n", encoding="utf-8")
    with pytest.raises(ReleaseError, match="line 2: qid: '3__wikidata_simple__dev' already stands in line 1"):
        read_release(file)


def test_bytes_that_are_no_utf8_are_named(tmp_path: Path) -> None:
    file = tmp_path / "dev.jsonl"
    file.write_bytes(b'{"qid": "\xff"}\n')
    with pytest.raises(ReleaseError, match=r"line 1: .*(utf-8|UTF-8)"):
        read_release(file)


def test_parts_of_a_qid() -> None:
    assert split_qid("1368__wikidata_simple__dev") == (1368, "wikidata_simple", "dev")


def test_an_id_follows_from_the_query_alone() -> None:
    # 10**14 + sha256 of the query mod 9 * 10**14, worked out apart from the code.
    assert make_qid("P57:Q8877>P58", "wikidata_comp", "test") == "646749667689523__wikidata_comp__test"
    assert {len(make_qid(f"P57:Q{n}", "a", "dev")) for n in range(500)} == {len("646749667689523__a__dev")}
