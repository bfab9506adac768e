from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.evaluation.spans import GoldSpan
from stages.ifqa.profile import Lengths, Profile, analyse, analyse_parts, asks, has_span, kind_of, profile
from stages.release.format import ReleaseError

PASSAGE = "The bridge was opened in 1936 by the Duke of York and was 2 km long."
QUESTIONS = [
    GoldSpan("0", "If it had opened a year later, when would that have been?", ("1937",), (PASSAGE,)),
    GoldSpan("1", "If nobody else had come, who would have opened it?", ("Duke of York", "the Duke"), (PASSAGE, "x y")),
    GoldSpan("2", "How many would there be if one fell?", ("two", "2"), (PASSAGE,)),
    GoldSpan("3", "If it were wet, would it hold?", ("yes",), (PASSAGE,)),
]


def test_a_profile_by_hand() -> None:
    assert profile(QUESTIONS) == Profile(
        questions=4,
        answers=6,
        contexts=5,
        kinds={"date": 1, "named_span": 1, "number": 1, "yes_no": 1},
        question_words=Lengths(9.25, 9.0, 12, {7: 1, 8: 1, 10: 1, 12: 1}),
        answer_words=Lengths(9 / 6, 1.0, 3, {1: 4, 2: 1, 3: 1}),
        passage_words=Lengths(66 / 5, 16.0, 16, {2: 1, 16: 4}),
        spans=2,
        several=2,
        variants=1,
        free_form=1,
        asked={"how many": 1, "other": 1, "when": 1, "who": 1},
        answer_counts={1: 2, 2: 2},
    )


def test_spans_are_whole_words_whatever_their_case_and_articles() -> None:
    def spans(answer: str, passage: str) -> bool:
        return has_span(GoldSpan("0", "If?", (answer,), (passage,)))

    assert spans("The duke of york", PASSAGE)
    assert not spans("bridg", PASSAGE) and not spans("193", PASSAGE)
    assert not spans("the", PASSAGE)
    # Two passages are searched as one text, for an answer may be told by either.
    assert has_span(GoldSpan("0", "If?", ("none", "x y"), ("a x", "y b")))


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("If he had not fallen when it rained, who would have won?", "who"),
        ("If there were one more, how many would there be?", "how many"),
        ("If it had failed, would it have been mended?", "other"),
        ("How long would it be if it were half?", "how long"),
        ("If the showman had left?", "other"),
        ("Where would he be if he had not come when it rained?", "where"),
    ],
)
def test_the_main_clause_asks(question: str, word: str) -> None:
    assert asks(question) == word


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("Duke of York", "named_span"),
        ("duke of York", "span"),
        ("The Beatles", "named_span"),
        ("K2", "named_span"),
        ("the", "span"),
        ("1936", "date"),
        ("a strong wind", "span"),
    ],
)
def test_kinds_tell_names_from_other_spans(answer: str, kind: str) -> None:
    assert kind_of(GoldSpan("0", "If?", (answer,))) == kind


def test_a_kind_that_comes_with_the_question_counts() -> None:
    assert kind_of(GoldSpan("0", "If?", ("York",), given_kind="entity")) == "entity"


def test_the_table_has_a_column_per_part() -> None:
    table = analyse_parts({"train": QUESTIONS[:3], "dev": QUESTIONS[3:]}).as_text().splitlines()
    assert table[0].split() == ["train", "dev", "all"]
    assert table[1].split() == ["questions", "3", "1", "4"]
    assert next(line for line in table if "several answers" in line).split("answers")[1].split() == [
        *("66.7", "%", "0.0", "%", "50.0", "%")
    ]
    assert len({len(line) for line in table}) == 1


def test_one_part_is_not_shown_twice() -> None:
    assert list(analyse_parts({"dev": QUESTIONS}).parts) == ["dev"]


def test_files_are_parts(tmp_path: Path) -> None:
    rows = [{"idx": 0, "question": "If so, who?", "answers": ["x"], "context": ["x y"]}]
    paths = [tmp_path / config / "dev.json" for config in ("full", "few")]
    for path in paths:
        path.parent.mkdir()
        path.write_text(json.dumps(rows), encoding="utf-8")
    found = analyse(paths)
    assert list(found.parts) == ["dev", "few/dev", "all"]
    assert json.loads(json.dumps(found.as_dict()))["dev"]["answer_words"]["counts"] == {"1": 1}
    paths[0].write_text("[]", encoding="utf-8")
    with pytest.raises(ReleaseError, match="holds no question"):
        analyse(paths)


@given(st.permutations(QUESTIONS))
def test_the_order_of_the_questions_changes_nothing(questions: list[GoldSpan]) -> None:
    assert profile(questions) == profile(QUESTIONS)


def test_plots_are_the_same_bytes_each_time_and_hold_their_texts() -> None:
    pytest.importorskip("matplotlib")
    found = analyse_parts({"train": QUESTIONS[:3], "dev": QUESTIONS[1:]})
    drawn = found.plots()
    assert drawn == found.plots()
    assert sorted(drawn) == ["answer-words.svg", "answers.svg", "asked.svg", "kinds.svg", "question-words.svg"]
    for name, svg in drawn.items():
        words = " ".join(ET.fromstring(svg).itertext())  # noqa: S314
        assert "train" in words and "dev" in words and " all " not in words, name
        assert b"<dc:date>" not in svg
    assert "how many" in " ".join(ET.fromstring(drawn["asked.svg"]).itertext())  # noqa: S314


def test_plots_without_matplotlib_name_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(StageError, match=r"pip install 'benchwright\[plots\]'"):
        analyse_parts({"dev": QUESTIONS}).plots()


def test_the_real_release(shared_data: Path) -> None:
    found = analyse([shared_data / "ifqa" / f"full_{part}.json" for part in ("train", "dev")]).parts["all"]
    assert (found.questions, found.answers) == (3100, 3885)
    assert round(found.question_words.mean, 2) == 23.33
    assert round(found.answer_words.mean, 2) == 1.85
    assert (found.free_form, found.several) == (8, 621)


def test_files_of_one_name_are_told_apart_by_as_many_folders_as_that_takes(tmp_path: Path) -> None:
    paths = [tmp_path / folder / "dev.json" for folder in ("a", "b", "c/b")]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps([{"idx": 1, "question": "If so, who?", "answers": ["x"]}]), encoding="utf-8")
    assert list(analyse([*paths, paths[0]]).parts) == ["dev", "b/dev", "c/b/dev", "a/dev", "all"]
