from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stages.influence.explain import explanations
from stages.influence.lexicon import load_lexicon
from stages.release.choice_records import choices
from stages.release.choices import ChoiceRecord, decode_choice, encode_choice, read_choices, split_stem, stem
from stages.release.export import CHOICES, export_release
from stages.release.format import ReleaseError
from tests.stages.influence.world import many, run

RECORD: dict[str, Any] = {
    "question": {
        "stem": "suppose during sunshine happens, how will it affect more vapors.",
        "para_steps": ["Water is heated.", "It evaporates."],
        "answer_label": "more",
        "answer_label_as_choice": "A",
        "choices": [
            {"label": "A", "text": "more"},
            {"label": "B", "text": "less"},
            {"label": "C", "text": "no effect"},
        ],
    },
    "metadata": {
        "ques_id": "influence_graph:127:12:9#1",
        "graph_id": "12",
        "para_id": "127",
        "question_type": "EXOGENOUS_EFFECT",
        "path_len": 3,
    },
}


def changed(part: str, **change: Any) -> dict[str, Any]:
    return RECORD | {part: RECORD[part] | change}


def test_a_record_survives_reading_and_writing() -> None:
    record = decode_choice(json.dumps(RECORD))
    assert (record.hops, record.parts) == (2, ("during sunshine", "more vapors"))
    assert encode_choice(record) == json.dumps(RECORD)
    assert decode_choice(encode_choice(record)) == record


@pytest.mark.parametrize(
    ("record", "key"),
    [
        (changed("question", stem="what is rain?"), "question.stem"),
        (changed("question", para_steps=[]), "question.para_steps"),
        (changed("question", para_steps=["a", " "]), "question.para_steps"),
        (changed("question", answer_label="maybe"), "answer_label"),
        (changed("question", answer_label_as_choice="B"), "question.answer_label_as_choice"),
        (changed("question", choices=RECORD["question"]["choices"][::-1]), "question.choices"),
        (changed("question", extra=1), "extra"),
        (changed("metadata", ques_id="influence_graph:127:13:9#1"), "metadata.ques_id"),
        (changed("metadata", ques_id="9#1"), "metadata.ques_id"),
        (changed("metadata", question_type="OUTOFPARA_DISTRACTOR"), "metadata.question_type"),
        (changed("metadata", path_len=5), "metadata.path_len"),
        (changed("metadata", path_len=0), "metadata.path_len"),
        (changed("metadata", path_len="3"), "path_len"),
        ({"question": RECORD["question"]}, "metadata"),
        ([], "array"),
    ],
)
def test_a_broken_record_names_the_key(record: Any, key: str) -> None:
    with pytest.raises(ReleaseError, match=key):
        decode_choice(json.dumps(record))


def test_a_file_names_its_line_and_refuses_repeats(tmp_path: Path) -> None:
    path = tmp_path / "dev.jsonl"
    path.write_text(json.dumps(RECORD) + "\n\n" + json.dumps(RECORD) + "\n")
    with pytest.raises(ReleaseError, match=r"dev\.jsonl, line 3: .*already stands in line 1"):
        read_choices(path)
    path.write_text(json.dumps(RECORD) + "\n{")
    with pytest.raises(ReleaseError, match=r"dev\.jsonl, line 2"):
        read_choices(path)


def test_stems_are_split_where_the_wording_is() -> None:
    assert split_stem(stem("it happens, how odd", "a. b")) == ("it happens, how odd", "a. b")


def test_a_build_exports_what_it_reads_back(tmp_path: Path) -> None:
    tables = run(many())
    output = choices(tables["chosen_questions"], tables["graphs"])
    records, questions = output.tables["records"], output.tables["questions"]
    side = explanations(tables["chosen_questions"], tables["graphs"], lexicon=load_lexicon()).tables["explanations"]
    folder = tmp_path / "release"
    exported = export_release(records, side, folder, "# Card\n", layout=CHOICES, extra={"questions": questions})
    assert exported.files == (
        "README.md",
        "dev.jsonl",
        "explanations.parquet",
        "parquet/dev.parquet",
        "parquet/test.parquet",
        "parquet/train.parquet",
        "questions.parquet",
        "test.jsonl",
        "train.jsonl",
    )
    read: list[ChoiceRecord] = [
        record for split in exported.questions for record in read_choices(folder / f"{split}.jsonl")
    ]
    asked = {row["question"]: row for row in questions.to_pylist()}
    assert len(read) == len(asked) == output.metrics["records"]
    for record in read:
        row = asked[record.metadata.ques_id]
        assert (record.question.stem, record.question.answer_label, record.hops) == (
            row["stem"],
            row["label"],
            row["hops"],
        )
        assert record.parts == (row["change"], row["effect"])
    assert not any(row["confirmed"] for row in asked.values())
