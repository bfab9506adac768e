"""The released record of composed questions: the real sample, records by hand, and what is refused."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from stages.composition.tables import COMPOSED_QUESTIONS
from stages.graphs.shapes import SHAPES
from stages.release.format import ReleaseError
from stages.release.multihop import MultihopRecord, decode_multihop, encode_multihop, identity, iterate_multihop
from stages.release.multihop_records import COMPOSITIONS, MULTIHOP_RECORDS, records, stage
from tests.stages.composition.world import ADA, ADA_ANSWERS, contexts_table, graph, hops_table


def by_hand() -> dict[str, Any]:
    return {
        "id": "2hop__7_a:b",
        "paragraphs": [
            {"idx": 0, "title": "Brig", "paragraph_text": "Brig is a town.", "is_supporting": True},
            {"idx": 1, "title": "Rome", "paragraph_text": "Rome is old.", "is_supporting": False},
            {"idx": 2, "title": "Ada", "paragraph_text": "Ada was born in Brig.", "is_supporting": True},
        ],
        "question": "In which country was Ada born?",
        "question_decomposition": [
            {"id": 7, "question": "Where was Ada born?", "answer": "Brig", "paragraph_support_idx": 2},
            {"id": "a:b", "question": "#1 >> country", "answer": "Norland", "paragraph_support_idx": 0},
        ],
        "answer": "Norland",
        "answer_aliases": ["the Nor"],
        "answerable": True,
    }


def changed(*path: Any, to: Any) -> str:
    record = copy.deepcopy(by_hand())
    place: Any = record
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return json.dumps(record)


def test_a_record_comes_back_as_it_was() -> None:
    record = decode_multihop(json.dumps(by_hand()))
    assert json.loads(encode_multihop(record)) == by_hand()
    assert list(json.loads(encode_multihop(record))) == list(by_hand())
    assert (record.shape.name, record.edges, record.supports) == ("2hop", {(1, 2)}, {0, 2})


def test_the_released_sample_validates_and_comes_back_with_equal_content(shared_data: Path) -> None:
    path = shared_data / "musique" / "train_sample_60.json"
    raw = json.loads(path.read_text(encoding="utf-8"))
    found = list(iterate_multihop(path))
    assert [json.loads(encode_multihop(record)) for record in found] == raw
    assert [list(json.loads(encode_multihop(record))) for record in found] == [list(record) for record in raw]
    assert {record.shape.name for record in found} == {"2hop", "3hop1", "3hop2", "4hop1", "4hop3"}
    for record in found:
        assert record.edges == set(record.shape.edges)
        assert len(record.supports) == record.shape.level
        assert len(record.paragraphs) == 20


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (changed("id", to="5hop__7_a:b"), "id"),
        (changed("id", to="2hop"), "id"),
        (changed("id", to="2hop__a:b_7"), "2hop__7_a:b"),
        (changed("id", to="3hop1__7_a:b"), "3 steps for 3hop1"),
        (changed("question", to=" "), "question"),
        (changed("question_decomposition", 1, "question", to="Rome >> country"), "edges"),
        (changed("question_decomposition", 0, "question", to="#1 >> country"), None),
        (changed("question_decomposition", 0, "paragraph_support_idx", to=1), "is_supporting"),
        (changed("question_decomposition", 0, "paragraph_support_idx", to=9), "is_supporting"),
        (changed("paragraphs", 1, "is_supporting", to=True), "is_supporting"),
        (changed("paragraphs", 1, "idx", to=2), "idx from 0 up"),
        (changed("answer", to="Brig"), "answer"),
        (changed("answer_aliases", to=["Norland"]), "answer_aliases"),
        (changed("answerable", to=False), "answerable"),
        (changed("more", to=1), "more"),
        ("{", "truncated"),
        ("[]", "object"),
    ],
)
def test_what_contradicts_itself_is_refused(line: str, told: str | None) -> None:
    if told is None:
        # A later step's number, or the own one, is plain text.
        decode_multihop(line)
        return
    with pytest.raises(ReleaseError, match=told):
        decode_multihop(line)


def test_a_record_that_is_not_answerable_lacks_a_support() -> None:
    record = by_hand()
    record["answerable"] = False
    record["question_decomposition"][0]["paragraph_support_idx"] = None
    record["paragraphs"][2]["is_supporting"] = False
    assert identity(decode_multihop(json.dumps(record))) == "2hop__7_a:b unanswerable"


def test_a_file_may_be_lines_or_an_array_and_holds_each_record_once(tmp_path: Path) -> None:
    lines, array = tmp_path / "dev.jsonl", tmp_path / "dev.json"
    lines.write_text(f"{json.dumps(by_hand())}\n\n")
    array.write_text(json.dumps([by_hand()]))
    assert list(iterate_multihop(lines)) == list(iterate_multihop(array))
    lines.write_text(f"{json.dumps(by_hand())}\n" * 2)
    with pytest.raises(ReleaseError, match="line 2: id"):
        list(iterate_multihop(lines))
    array.write_text(json.dumps([by_hand(), by_hand()]))
    with pytest.raises(ReleaseError, match="entry 2: id"):
        list(iterate_multihop(array))
    array.write_text("[{}]")
    with pytest.raises(ReleaseError, match="entry 1"):
        list(iterate_multihop(array))


def composed(row: dict[str, Any]) -> Any:
    wording = {"mechanical": True, "form": "phrase", "mechanical_question": "Which country?", "confirmed": False}
    return COMPOSED_QUESTIONS.table([{"graph": row["graph"], "question": "Which country?"} | wording])


def test_a_graph_becomes_two_records_and_a_row() -> None:
    row = graph("2hop", ADA, ADA_ANSWERS, answer_aliases=["the Nor", "Nor", "Norland"])
    output = records(composed(row), hops_table(row), contexts_table(row, missing=1))
    whole, contrast = sorted(output.tables[MULTIHOP_RECORDS.name].to_pylist(), key=lambda r: not r["answerable"])
    record = decode_multihop(whole["record"])
    assert [step.paragraph_support_idx for step in record.question_decomposition] == [1, 2]
    assert record.answer_aliases == ["Nor", "the Nor"]
    assert (record.id, whole["split"], whole["shape"]) == ("2hop__h:1_h:2", "dev", "2hop")
    other = decode_multihop(contrast["record"])
    assert [step.paragraph_support_idx for step in other.question_decomposition] == [None, 1]
    assert (other.answerable, other.question, other.answer) == (False, record.question, record.answer)
    [composition] = output.tables[COMPOSITIONS.name].to_pylist()
    assert (composition["contrast"], composition["missing"], composition["hop_count"]) == (True, 1, 2)
    assert output.metrics == {
        "questions": 1.0,
        "records": 2.0,
        "unanswerable": 1.0,
        "mechanical": 1.0,
        "confirmed": 0.0,
    }


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_all_shapes_make_sound_records(shape: Any) -> None:
    heads = {number: [head for head, tail in shape.edges if tail == number] for number in range(1, shape.level + 1)}
    steps = [f"what of {' and '.join(f'#{head}' for head in own) or 'Rome'}" for own in heads.values()]
    row = graph(shape.name, steps, [f"A{number}" for number in heads])
    output = records(composed(row), hops_table(row), contexts_table(row))
    [found] = output.tables[MULTIHOP_RECORDS.name].to_pylist()
    assert isinstance(decode_multihop(found["record"]), MultihopRecord)


def test_a_graph_without_a_context_or_a_question_gives_no_record() -> None:
    row, other = graph("2hop", ADA, ADA_ANSWERS), graph("2hop", ADA, ADA_ANSWERS, "other")
    assert records(composed(row), hops_table(row, other), contexts_table(other)).metrics["records"] == 0
    assert records(COMPOSED_QUESTIONS.empty(), hops_table(row), contexts_table(row)).metrics["records"] == 0
    assert stage().outputs == (MULTIHOP_RECORDS, COMPOSITIONS)
