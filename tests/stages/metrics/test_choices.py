from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.metrics.choice_files import ChoicePredictions, GoldChoice, read_choice_predictions, read_gold_choices
from stages.metrics.choices import evaluate, evaluate_choices
from stages.metrics.consistency import Consistency, consistency
from stages.metrics.files import PredictionError
from stages.release.choice_records import choices
from tests.stages.influence.world import many, run
from tests.stages.release.test_choices import RECORD

IN, EX, OUT = "INPARA_EFFECT", "EXOGENOUS_EFFECT", "OUTOFPARA_DISTRACTOR"


def q(
    ques_id: str, change: str, effect: str, label: str, hops: int = 1, kind: str = IN, graph: str = "g"
) -> GoldChoice:
    return GoldChoice(ques_id, label, kind, hops, graph, change, effect)


# One graph: x brings about y and holds back w; both lead to a.
GOLD = [
    q("xy", "x", "y", "more"),
    q("xw", "x", "w", "less"),
    q("ya", "y", "a", "more"),
    q("wa", "w", "a", "less"),
    q("xa", "x", "a", "more", 2),
    q("vx", "v", "x", "less", 1, EX),
    q("zx", "z", "x", "more", 1, EX),
    q("no", "other", "a", "no_effect", 0, OUT),
]
RIGHT = {question.ques_id: question.label for question in GOLD}


def scores(**change: str | None) -> dict[str, Consistency]:
    return consistency(GOLD, RIGHT | change)


def test_gold_answers_are_consistent_with_themselves() -> None:
    assert scores() == {
        "opposite_change": Consistency(3, 3),  # into x: v and z; into a: w against y, and w against x
        "opposite_effect": Consistency(2, 2),  # out of x: w against y, and w against a
        "transitive_chain": Consistency(2, 2),  # x y a and x w a
        "disjunction": Consistency(1, 1),  # x to a by y or by w
    }


def test_a_wrong_answer_breaks_what_it_takes_part_in() -> None:
    found = scores(xa="less")
    assert found["transitive_chain"] == Consistency(2, 0)
    assert found["disjunction"] == Consistency(1, 0)
    assert found["opposite_change"] == Consistency(3, 2)
    # One route now says less: then "less" agrees with a route, though not with both.
    found = scores(xa="less", xy="less")
    assert found["transitive_chain"] == Consistency(2, 1)
    assert found["disjunction"] == Consistency(1, 1)


def test_an_undirected_premise_says_nothing_and_an_undirected_conclusion_is_inconsistent() -> None:
    assert scores(xy="no_effect")["transitive_chain"] == Consistency(1, 1)
    assert scores(xa=None)["transitive_chain"] == Consistency(2, 0)
    silent = scores(xy=None, wa=None)
    assert silent["disjunction"] == Consistency(0, 0) and silent["disjunction"].score is None
    assert scores(vx="no_effect")["opposite_change"] == Consistency(3, 2)


def test_graphs_are_never_mixed() -> None:
    apart = [q("xy", "x", "y", "more"), q("ya", "y", "a", "more", graph="h"), q("xa", "x", "a", "more", graph="k")]
    assert {value.situations for value in consistency(apart, {}).values()} == {0}


def test_accuracy_is_counted_by_type_hops_and_label() -> None:
    report = evaluate_choices(GOLD, ChoicePredictions(RIGHT | {"no": "more", "zx": None, "stranger": "more"}, ("xy",)))
    assert (report.overall.questions, report.overall.right, report.overall.accuracy) == (8, 6, 0.75)
    assert {name: (a.right, a.questions) for name, a in report.by_type.items()} == {EX: (1, 2), IN: (5, 5), OUT: (0, 1)}
    assert {name: (a.right, a.questions) for name, a in report.by_hops.items()} == {
        "0": (0, 1),
        "1": (5, 6),
        "2": (1, 1),
    }
    assert report.by_label["no_effect"].accuracy == 0
    assert report.confusion == {"more": {"more": 3, "none": 1}, "less": {"less": 3}, "no_effect": {"more": 1}}
    assert (report.invalid, report.unknown, report.repeated, report.missing) == (("zx",), ("stranger",), ("xy",), ())
    text = report.as_text()
    assert "type INPARA_EFFECT" in text and "100.0" in text and "unknown: 1 (stranger)" in text
    assert json.loads(json.dumps(report.as_dict()))["overall"]["accuracy"] == 0.75
    assert report.as_dict()["consistency"]["transitive_chain"]["score"] == 1.0


@given(st.dictionaries(st.sampled_from([*RIGHT, "other id"]), st.sampled_from(["more", "less", "no_effect", None])))
def test_any_predictions_give_a_report(labels: dict[str, str | None]) -> None:
    report = evaluate_choices(GOLD, ChoicePredictions(labels))
    assert len(report.missing) == len(RIGHT.keys() - labels.keys())
    assert report.overall.right == sum(labels.get(name) == label for name, label in RIGHT.items())
    assert all(0 <= value.consistent <= value.situations for value in report.consistency.values())
    report.as_text()


def test_a_released_file_scores_itself_in_full(tmp_path: Path) -> None:
    tables = run(many())
    records = choices(tables["chosen_questions"], tables["graphs"]).tables["records"].to_pylist()
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(f"{row['record']}\n" for row in records))
    report = evaluate(path, path)
    assert report.overall.accuracy == 1.0
    assert all(value.score == 1.0 for value in report.consistency.values())
    assert not report.missing + report.unknown + report.invalid + report.repeated


ID = RECORD["metadata"]["ques_id"]


@pytest.mark.parametrize(
    ("content", "label"),
    [
        ({ID: "A"}, "more"),
        ([{"ques_id": ID, "label": "no effect"}], "no_effect"),
        ({"ques_id": ID, "prediction": " LESS "}, "less"),
        ({"id": ID, "answer": "c"}, "no_effect"),
        ([{"qid": ID, "answer_label": None}], None),
        ([{"qid": ID, "answer_label": ["more"]}], None),
        (RECORD, "more"),
    ],
)
def test_predictions_come_in_several_shapes(tmp_path: Path, content: Any, label: str | None) -> None:
    path = tmp_path / "predictions.json"
    path.write_text(json.dumps(content))
    assert read_choice_predictions(path).labels == {ID: label}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('[{"label": "more"}]', "entry 1: expected the question's id"),
        ('[{"id": 7, "label": "more"}]', "entry 1: expected the question's id"),
        ('{"id": "a"}', "entry 1: expected an answer under 'label'"),
        ('{"id": "a", "label": "more"}\nnonsense', "line 2: expected one JSON object"),
    ],
)
def test_a_file_of_another_shape_names_the_place(tmp_path: Path, content: str, problem: str) -> None:
    path = tmp_path / "predictions.json"
    path.write_text(content)
    with pytest.raises(PredictionError, match=problem):
        read_choice_predictions(path)


def test_a_gold_file_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps(RECORD) + "\n" + json.dumps(RECORD))
    with pytest.raises(PredictionError, match="line 2: the id .* appears twice"):
        read_gold_choices(path)
    path.write_text('{"metadata": 1}')
    with pytest.raises(PredictionError, match="entry 1"):
        read_gold_choices(path)
    path.write_text("[]")
    with pytest.raises(PredictionError, match="holds no question"):
        evaluate(path, path)
