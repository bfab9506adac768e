"""The card of a release of multiple-choice questions."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from stages.release.card import CardText
from stages.release.choice_card import render_choice_card
from stages.release.choice_records import CHOICE_QUESTIONS
from stages.release.format import ReleaseError

TEXT = CardText("wiqa", "What would change.", "0.1.0", {"paragraphs": "CC BY 4.0"})
BLANK = dict.fromkeys(CHOICE_QUESTIONS.schema.names, "")


def row(number: int, split: str, label: str, **more: object) -> dict[str, object]:
    kind = ("INPARA_EFFECT", 1) if label != "no_effect" else ("OUTOFPARA_DISTRACTOR", 0)
    fixed = {"question": str(number), "split": split, "label": label, "question_type": kind[0], "hops": kind[1]}
    return (
        BLANK
        | {"path": [], "topic": "rain", "confirmed": False, "graph_confirmed": False, "graph_source": "file"}
        | fixed
        | more
    )


DRAWN = {"graph_source": "annotation"}
QUESTIONS = CHOICE_QUESTIONS.table(
    [
        row(0, "train", "more", para_id="1", graph_id="a"),
        row(1, "train", "less", para_id="2", graph_id="a"),
        row(2, "train", "no_effect", para_id="2", graph_id="b", **DRAWN),
        row(3, "test", "more", topic="snow", confirmed=True, graph_id="c", **DRAWN, graph_confirmed=True),
        row(4, "test", "less", topic="snow", graph_id="c", **DRAWN, graph_confirmed=True),
    ]
)


def test_counts_per_split_and_kind() -> None:
    card = render_choice_card(TEXT, QUESTIONS)
    assert "| train | 3 | 1 | 1 | 1 | 1 | 2 | 0 |\n| test | 2 | 1 | 1 | 0 | 1 | 1 | 1 |" in card
    assert "| INPARA_EFFECT | 1 | 4 |\n| OUTOFPARA_DISTRACTOR | - | 1 |" in card
    assert "gave it; 1 of the 5\nare." in card
    assert "| paragraphs | CC BY 4.0 |" in card
    assert "$" not in card


def test_what_the_release_does_not_hold_is_not_described() -> None:
    card = render_choice_card(TEXT, CHOICE_QUESTIONS.table([row(0, "train", "more"), row(1, "dev", "less")]))
    assert "| split | questions | more | less | topics |" in card and "| train | 1 | 1 | 0 | 1 |" in card
    assert "This release has no test set." in card and "no answer here is no_effect" in card
    for absent in ("OUTOFPARA", "EXOGENOUS", "without an effect", "have no effect", "drawn by people in this build"):
        assert absent not in card
    whole = render_choice_card(TEXT, QUESTIONS)
    assert "This release has no dev set." in whole and "OUTOFPARA_DISTRACTOR (the change has no effect)." in whole
    assert "\nQuestions without an effect join" in whole and "it may have one after all.\n- Where" in whole


def test_graphs_are_counted_by_where_they_come_from() -> None:
    card = render_choice_card(TEXT, QUESTIONS)
    assert "| from files | 2 | 2 |\n| drawn by people in this build | 2 | 3 |\n" in card
    assert "not to see them | 1 | 2 |\n" in card


def test_the_metadata_names_the_files_of_the_splits_there_are() -> None:
    metadata = yaml.safe_load(render_choice_card(TEXT, QUESTIONS).split("---")[1])
    files = metadata["configs"][0]["data_files"]
    assert files == [{"split": name, "path": f"parquet/{name}.parquet"} for name in ("train", "test")]


def test_a_template_with_an_unknown_field_is_named(tmp_path: Path) -> None:
    template = tmp_path / "card.md"
    template.write_text("$nothing")
    with pytest.raises(ReleaseError, match=r"card\.md: cannot be filled in .*configs"):
        render_choice_card(TEXT, QUESTIONS, template)
