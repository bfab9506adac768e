"""Multiple-choice questions as released records, their files and their card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stages.release.card import CardText
from stages.release.export import export_release, files_in
from stages.release.format import read_records
from stages.wiqa.explanations import explanations
from stages.wiqa.polarity import load_lexicon
from stages.wiqa.release.records import CHOICE_QUESTIONS, CHOICE_RECORDS, ChoiceRecord, choices, release
from tests.stages.wiqa.world import many, run

TEXT = CardText("wiqa", "What would change.", "0.1.0", {"paragraphs": "CC BY 4.0"})
BLANK: dict[str, Any] = dict.fromkeys(CHOICE_QUESTIONS.schema.names, "") | {"path": [], "topic": "rain"}
BLANK |= {"confirmed": False, "graph_confirmed": False, "graph_source": "file"}
DRAWN = {"graph_source": "annotation"}


def row(number: int, split: str, label: str, **more: Any) -> dict[str, Any]:
    kind = ("INPARA_EFFECT", 1) if label != "no_effect" else ("OUTOFPARA_DISTRACTOR", 0)
    fixed = {"question": str(number), "split": split, "label": label, "question_type": kind[0], "hops": kind[1]}
    return BLANK | fixed | more


QUESTIONS = (
    row(0, "train", "more", para_id="1", graph_id="a"),
    row(1, "train", "less", para_id="2", graph_id="a"),
    row(2, "train", "no_effect", para_id="2", graph_id="b", **DRAWN),
    row(3, "test", "more", topic="snow", confirmed=True, graph_id="c", **DRAWN, graph_confirmed=True),
    row(4, "test", "less", topic="snow", graph_id="c", **DRAWN, graph_confirmed=True),
)


def card(*rows: dict[str, Any]) -> str:
    records = [{"qid": r["question"], "split": r["split"], "kind": "", "para_id": "", "record": ""} for r in rows]
    side = explanations(
        *(run(many())[name].slice(0, 0) for name in ("chosen_questions", "graphs")), lexicon=load_lexicon()
    )
    made = release(CHOICE_RECORDS.table(records), CHOICE_QUESTIONS.table(list(rows)), side.tables["explanations"])
    return made.card(TEXT)


def test_a_build_exports_what_it_reads_back(tmp_path: Path) -> None:
    tables = run(many())
    output = choices(tables["chosen_questions"], tables["graphs"])
    side = explanations(tables["chosen_questions"], tables["graphs"], lexicon=load_lexicon()).tables["explanations"]
    folder = tmp_path / "release"
    export_release(release(output.tables["records"], output.tables["questions"], side), folder, TEXT)
    splits = ("dev", "test", "train")
    lines, parquet = [f"{split}.jsonl" for split in splits], [f"parquet/{split}.parquet" for split in splits]
    tasks = ["lm_eval/benchwright_wiqa.yaml", "lm_eval/tasks.py"]
    assert sorted(map(str, files_in(folder))) == sorted(
        ["README.md", "croissant.json", *tasks, "explanations.parquet", "questions.parquet", *lines, *parquet]
    )
    read = [record for path in lines for record in read_records(folder / path, ChoiceRecord)]
    asked = {row["question"]: row for row in output.tables["questions"].to_pylist()}
    assert len(read) == len(asked) == output.metrics["records"]
    for record in read:
        own = asked[record.identity]
        found = (record.question.stem, record.label, record.hops, *record.parts)
        assert found == tuple(own[name] for name in ("stem", "label", "hops", "change", "effect"))
    assert not any(row["confirmed"] for row in asked.values())


def test_the_card_counts_per_split_kind_and_source_of_the_graphs() -> None:
    told = card(*QUESTIONS)
    assert "| train | 3 | 1 | 1 | 1 | 1 | 2 | 0 |\n| test | 2 | 1 | 1 | 0 | 1 | 1 | 1 |" in told
    assert "| INPARA_EFFECT | 1 | 4 |\n| OUTOFPARA_DISTRACTOR | - | 1 |" in told
    assert "gave it; 1 of the 5\nare." in told
    assert "| paragraphs | CC BY 4.0 |" in told and "- question-answering\n- multiple-choice\ntags" in told
    assert "| from files | 2 | 2 |\n| drawn by people in this build | 2 | 3 |\n" in told
    assert "not to see them | 1 | 2 |\n" in told
    assert "$" not in told


def test_what_the_release_does_not_hold_is_not_described() -> None:
    told = card(row(0, "train", "more"), row(1, "dev", "less"))
    assert "| split | questions | more | less | topics |" in told and "| train | 1 | 1 | 0 | 1 |" in told
    assert "This release has no test set." in told and "no answer here is no_effect" in told
    for absent in ("OUTOFPARA", "EXOGENOUS", "without an effect", "have no effect", "drawn by people in this build"):
        assert absent not in told
    whole = card(*QUESTIONS)
    assert "This release has no dev set." in whole and "OUTOFPARA_DISTRACTOR (the change has no effect)." in whole
    assert "\nQuestions without an effect join" in whole and "it may have one after all.\n- Where" in whole
