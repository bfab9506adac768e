from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.evaluation.files import Predictions
from stages.release.format import ReleaseError, read_records
from stages.wiqa.metrics.consistency import consistency
from stages.wiqa.metrics.metrics import evaluate, evaluate_choices, read_choices
from stages.wiqa.release.records import CHOICES, LETTERS, ChoiceQuestion, ChoiceRecord, Metadata, choices, stem
from tests.stages.release.samples import CHOICE, as_lines
from tests.stages.wiqa.world import many, run

IN, EX, OUT = "INPARA_EFFECT", "EXOGENOUS_EFFECT", "OUTOFPARA_DISTRACTOR"


def q(
    ques_id: str, change: str, effect: str, label: Any, hops: int = 1, kind: Any = IN, graph: str = "g"
) -> ChoiceRecord:
    question = ChoiceQuestion(stem(change, effect), ["s"], label, LETTERS[label], CHOICES)
    return ChoiceRecord(question, Metadata(ques_id, graph, "p", kind, hops + 1 if hops else 0))


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
RIGHT = {question.identity: question.label for question in GOLD}


def scores(**change: str | None) -> dict[str, tuple[Any, Any]]:
    """How many situations count, and how many are consistent."""
    found = consistency(GOLD, RIGHT | change)
    return {kind: (figures["situations"], figures["consistent"]) for kind, figures in found.items()}


def test_gold_answers_are_consistent_with_themselves() -> None:
    assert scores() == {
        "opposite_change": (3, 3),  # into x: v and z; into a: w against y, and w against x
        "opposite_effect": (2, 2),  # out of x: w against y, and w against a
        "transitive_chain": (2, 2),  # x y a and x w a
        "disjunction": (1, 1),  # x to a by y or by w
    }


def test_a_wrong_answer_breaks_what_it_takes_part_in() -> None:
    found = scores(xa="less")
    assert found["transitive_chain"] == (2, 0)
    assert found["disjunction"] == (1, 0)
    assert found["opposite_change"] == (3, 2)
    # One route now says less: then "less" agrees with a route, though not with both.
    found = scores(xa="less", xy="less")
    assert found["transitive_chain"] == (2, 1)
    assert found["disjunction"] == (1, 1)


def test_an_undirected_premise_says_nothing_and_an_undirected_conclusion_is_inconsistent() -> None:
    assert scores(xy="no_effect")["transitive_chain"] == (1, 1)
    assert scores(xa=None)["transitive_chain"] == (2, 0)
    assert consistency(GOLD, RIGHT | {"xy": None, "wa": None})["disjunction"] == {
        "situations": 0,
        "consistent": 0,
        "score": None,
    }
    assert scores(vx="no_effect")["opposite_change"] == (3, 2)


def test_graphs_are_never_mixed() -> None:
    apart = [q("xy", "x", "y", "more"), q("ya", "y", "a", "more", graph="h"), q("xa", "x", "a", "more", graph="k")]
    assert {value["situations"] for value in consistency(apart, {}).values()} == {0}


def test_accuracy_is_counted_by_type_hops_and_label() -> None:
    report = evaluate_choices(GOLD, Predictions(RIGHT | {"no": "more", "zx": None, "stranger": "more"}, ("xy",)))
    assert report.overall == {"questions": 8, "right": 6, "accuracy": 0.75}
    found = {
        name: {part: (own["right"], own["questions"]) for part, own in group.items()}
        for name, group in report.groups.items()
    }
    assert found["by_type"] == {EX: (1, 2), IN: (5, 5), OUT: (0, 1)}
    assert found["by_hops"] == {"0": (0, 1), "1": (5, 6), "2": (1, 1)}
    assert report.groups["by_label"]["no_effect"]["accuracy"] == 0
    confusion = {"more": {"more": 3, "none": 1}, "less": {"less": 3}, "no_effect": {"more": 1}}
    assert report.more["confusion"] == confusion
    assert report.odd == {"missing": (), "invalid": ("zx",), "unknown": ("stranger",), "repeated": ("xy",)}
    lines = report.as_text().splitlines()
    assert f"{'type INPARA_EFFECT':<30}{5:>10}{'100.0':>10}" in lines and "unknown: 1 (stranger)" in lines
    plain = json.loads(json.dumps(report.as_dict()))
    assert list(plain) == ["overall", *report.groups, "confusion", "consistency", *report.odd]
    assert plain["consistency"]["transitive_chain"]["score"] == 1.0


@given(st.dictionaries(st.sampled_from([*RIGHT, "other id"]), st.sampled_from(["more", "less", "no_effect", None])))
def test_any_predictions_give_a_report(labels: dict[str, str | None]) -> None:
    report = evaluate_choices(GOLD, Predictions(labels))
    assert len(report.odd["missing"]) == len(RIGHT.keys() - labels.keys())
    assert report.overall["right"] == sum(labels.get(name) == label for name, label in RIGHT.items())
    assert all(0 <= value["consistent"] <= value["situations"] for value in report.more["consistency"].values())
    report.as_text()


def test_a_released_file_scores_itself_in_full(tmp_path: Path) -> None:
    tables = run(many())
    records = choices(tables["chosen_questions"], tables["graphs"]).tables["records"].to_pylist()
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(f"{row['record']}\n" for row in records))
    report = evaluate(path, path)
    assert report.overall["accuracy"] == 1.0
    assert all(value["score"] == 1.0 for value in report.more["consistency"].values())
    assert not any(report.odd.values())


ID = CHOICE["metadata"]["ques_id"]


@pytest.mark.parametrize(
    ("content", "label"),
    [
        ({ID: "A"}, "more"),
        ([{"ques_id": ID, "label": "no effect"}], "no_effect"),
        ({"ques_id": ID, "prediction": " LESS "}, "less"),
        ({"id": ID, "answer": "c"}, "no_effect"),
        ([{"qid": ID, "answer_label": None}], None),
        ([{"qid": ID, "answer_label": ["more"]}], None),
        (CHOICE, "more"),
    ],
)
def test_predictions_come_in_several_shapes(tmp_path: Path, content: Any, label: str | None) -> None:
    path = tmp_path / "predictions.json"
    path.write_text(json.dumps(content))
    assert read_choices(path).answers == {ID: label}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('[{"label": "more"}]', "entry 1: expected the question's id"),
        ('[{"id": 7, "label": "more"}]', "entry 1: expected the question's id"),
        ('{"id": "a"}', "entry 1: expected an answer under 'label'"),
        ("nonsense", "line 1: expected one JSON object"),
    ],
)
def test_a_file_of_another_shape_names_the_place(tmp_path: Path, content: str, problem: str) -> None:
    path = tmp_path / "predictions.json"
    path.write_text(content)
    with pytest.raises(ReleaseError, match=problem):
        read_choices(path)


def test_one_bad_line_does_not_stop_a_file(tmp_path: Path) -> None:
    path = tmp_path / "predictions.jsonl"
    path.write_text('{"id": "a", "label": "more"}\nnonsense\n{"id": "b", "label": "less"}\n')
    found = read_choices(path)
    assert found.answers.keys() == {"a", "b"}
    assert len(found.unread) == 1 and "line 2: expected one JSON object" in found.unread[0]


def test_a_gold_file_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(as_lines(CHOICE, CHOICE))
    with pytest.raises(ReleaseError, match="line 2: the id .* appears twice"):
        read_records(path, ChoiceRecord)
    path.write_text('{"metadata": 1}')
    with pytest.raises(ReleaseError, match="entry 1"):
        read_records(path, ChoiceRecord)
    path.write_text("[]")
    with pytest.raises(ReleaseError, match="holds no question"):
        evaluate(path, path)
