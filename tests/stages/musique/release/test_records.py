"""Composed questions as released records, their files and their card."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from stages.core.contract import Output
from stages.musique.composition.tables import COMPOSED_QUESTIONS
from stages.musique.graphs.shapes import SHAPES
from stages.musique.release.records import COMPOSITIONS, MULTIHOP_RECORDS, MultihopRecord, records, release, stage
from stages.release.card import CardText
from stages.release.export import Release, export_release, files_in
from stages.release.format import read_records
from tests.stages.musique.composition.world import ADA, ADA_ANSWERS, contexts_table, graph, hops_table

COUNT = 12
TEXT = CardText("musique", "About it.", "0.1", {"single hops": "CC0 | all"})


def composed(*rows: dict[str, Any]) -> pa.Table:
    """A question of each graph; the first of several is worded by people."""
    wording = {"form": "phrase", "mechanical_question": "Which country?", "confirmed": False, "question": "Which?"}
    made = [{"graph": row["graph"], "mechanical": n > 0 or len(rows) == 1} for n, row in enumerate(rows)]
    return COMPOSED_QUESTIONS.table([row | wording for row in made])


def many() -> Output:
    """Questions of dev, and one of test without a contrast."""
    rows = [graph("2hop", ADA, ADA_ANSWERS, f"h{number}") for number in range(COUNT)]
    shown = [contexts_table(row, missing=1) for row in rows[1:]]
    contexts = pa.concat_tables([contexts_table(rows[0], "test"), *shown])
    return records(composed(*rows), hops_table(*rows), contexts)


def made(turned: bool = False) -> Release:
    found, compositions = (many().tables[spec.name] for spec in (MULTIHOP_RECORDS, COMPOSITIONS))
    return release(found.take(list(reversed(range(found.num_rows)))) if turned else found, compositions)


def test_a_graph_becomes_two_records_and_a_row() -> None:
    row = graph("2hop", ADA, ADA_ANSWERS, answer_aliases=["the Nor", "Nor", "Norland"])
    output = records(composed(row), hops_table(row), contexts_table(row, missing=1))
    whole, contrast = sorted(output.tables[MULTIHOP_RECORDS.name].to_pylist(), key=lambda r: not r["answerable"])
    record = MultihopRecord.decode(whole["record"])
    assert [step.paragraph_support_idx for step in record.question_decomposition] == [1, 2]
    assert record.answer_aliases == ["Nor", "the Nor"]
    assert (record.id, whole["split"], whole["shape"]) == ("2hop__h:1_h:2", "dev", "2hop")
    other = MultihopRecord.decode(contrast["record"])
    assert [step.paragraph_support_idx for step in other.question_decomposition] == [None, 1]
    assert (other.answerable, other.question, other.answer) == (False, record.question, record.answer)
    [composition] = output.tables[COMPOSITIONS.name].to_pylist()
    assert (composition["contrast"], composition["missing"], composition["hop_count"]) == (True, 1, 2)
    counts = {"questions": 1.0, "records": 2.0, "unanswerable": 1.0, "mechanical": 1.0, "confirmed": 0.0}
    assert output.metrics == counts


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_all_shapes_make_sound_records(shape: Any) -> None:
    heads = {number: [head for head, tail in shape.edges if tail == number] for number in range(1, shape.level + 1)}
    steps = [f"what of {' and '.join(f'#{head}' for head in own) or 'Rome'}" for own in heads.values()]
    row = graph(shape.name, steps, [f"A{number}" for number in heads])
    output = records(composed(row), hops_table(row), contexts_table(row))
    [found] = output.tables[MULTIHOP_RECORDS.name].to_pylist()
    assert MultihopRecord.decode(found["record"]).shape == shape


def test_a_graph_without_a_context_or_a_question_gives_no_record() -> None:
    row, other = graph("2hop", ADA, ADA_ANSWERS), graph("2hop", ADA, ADA_ANSWERS, "other")
    assert records(composed(row), hops_table(row, other), contexts_table(other)).metrics["records"] == 0
    assert records(COMPOSED_QUESTIONS.empty(), hops_table(row), contexts_table(row)).metrics["records"] == 0
    assert stage().outputs == (MULTIHOP_RECORDS, COMPOSITIONS)


def test_both_benchmarks_lie_in_one_folder(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    export_release(made(), folder, TEXT)
    splits = [f"{config}/{split}" for config in ("ans", "full") for split in ("dev", "test")]
    files = [
        "README.md",
        "compositions.parquet",
        *(f"{s}.jsonl" for s in splits),
        *(f"parquet/{s}.parquet" for s in splits),
        *("corpus.jsonl", "queries.jsonl", "qrels/ans/dev.tsv", "qrels/ans/test.tsv", "croissant.json"),
        *("lm_eval/benchwright_musique_ans.yaml", "lm_eval/tasks.py"),
    ]
    assert list(map(str, files_in(folder))) == sorted(files)
    ans, full = (read_records(folder / config / "dev.jsonl", MultihopRecord) for config in ("ans", "full"))
    assert all(record.answerable for record in ans)
    assert len(full) == 2 * len(ans) == 2 * (COUNT - 1)
    nested = pq.read_table(folder / "parquet/full/dev.parquet").to_pylist()
    assert nested == [json.loads(line) for line in (folder / "full/dev.jsonl").read_text().splitlines()]


def test_the_order_of_a_pair_tells_nothing_and_depends_on_no_order_of_rows() -> None:
    lines, turned = ({(p.config, p.split): p.lines for p in made(turned).splits} for turned in (False, True))
    assert lines == turned
    found = [MultihopRecord.decode(line) for line in lines["full", "dev"]]
    assert [record.id for record in found[::2]] == [record.id for record in found[1::2]]
    assert {record.answerable for record in found[::2]} == {True, False}


def test_the_card_counts_what_is_there() -> None:
    card = made().card(TEXT)
    head = yaml.safe_load(card.split("---")[1])
    assert [config["config_name"] for config in head["configs"]] == ["ans", "full"]
    assert [entry["split"] for entry in head["configs"][0]["data_files"]] == ["dev", "test"]
    assert f"| dev | {COUNT - 1} | {COUNT - 1} | 0 | 0 | {COUNT - 1} | 0 |" in card
    assert "| test | 1 | 1 | 0 | 0 | 0 | 1 |" in card
    assert f"| shape | dev | test |\n|---|---:|---:|\n| 2hop | {COUNT - 1} | 1 |\n\nOf" in card
    assert "This release has no train set." in card and "Train shares" not in card
    assert f"| squad | {2 * COUNT} |" in card
    assert "CC0 \\| all" in card


def test_to_an_answerable_question_belong_the_paragraphs_of_its_hops() -> None:
    release_ = made()
    found = release_.retrieval
    assert found is not None
    collection = {line["_id"]: line for line in found.collection.lines}
    for part in release_.splits:
        for record in map(MultihopRecord.decode, part.lines):
            shown = {(one.title, one.paragraph_text) for one in record.paragraphs}
            assert shown <= {(line["title"], line["text"]) for line in collection.values()}
            if part.config == "ans":
                own = [collection[name]["text"] for name in found.relevant["ans", part.split][record.id]]
                assert own == [one.paragraph_text for one in record.paragraphs if one.is_supporting]
                assert found.queries[record.id] == record.question
    assert {config for config, _ in found.relevant} == {"ans"}
