from __future__ import annotations

import json

from stages.annotation.tables import VERDICTS
from stages.core.rejects import Rejects
from stages.wiqa.explanations import SentenceFinder, explain, explanations
from stages.wiqa.polarity import load_lexicon
from stages.wiqa.tables import CHOSEN_QUESTIONS
from stages.wiqa.verification import verified
from tests.stages.wiqa.world import many, run

SENTENCES = [
    "A tree produces seeds.",
    "The seeds are dispersed by wind.",
    "The seeds reach the ground.",
    "New trees grow.",
]


def explained(
    change: str, effect: str, label: str, path: list[str], rejects: Rejects | None = None, **pointed: int
) -> dict[str, object]:
    question = {"question": "q", "para_id": "1", "split": "train", "label": label, "path": path, **pointed}
    graph = {"X": ["more seeds are produced"], "Y": ["more seeds reach the ground"]}
    asked = question | {"change": change, "effect": effect}
    found = explain(asked, graph, SentenceFinder(SENTENCES), load_lexicon(), rejects or Rejects())
    return {name: found[name] for name in found if name not in ("question", "para_id", "split", "label")}


def test_a_path_points_to_its_sentences_and_their_directions() -> None:
    assert explained("fewer seeds are produced", "LESS forest formation", "more", ["X", "Y", "D"]) == {
        "path": ["X", "Y", "D"],
        "texts": ["fewer seeds are produced", "more seeds reach the ground", "LESS forest formation"],
        "change_sentence": 0,
        "change_by": "words",
        "change_direction": "less",
        "effect_sentence": None,
        "effect_by": "",
        "effect_direction": "less",
    }


def test_the_sentences_that_people_point_to_go_before_those_of_words() -> None:
    rejects = Rejects()
    ends = ("wind disperses seeds", "more new trees", "more", ["Z", "X"])
    found = explained(*ends, rejects, change_sentence=2, effect_sentence=4)
    assert (found["change_sentence"], found["change_by"]) == (2, "people")
    # The paragraph has four sentences.
    assert (found["effect_sentence"], found["effect_by"]) == (3, "words")
    assert rejects.table().to_pylist() == [
        {"key": "q", "reason": "no_such_sentence", "detail": "effect: 5 of 4", "count": 1}
    ]


def test_a_question_that_people_took_out_has_no_explanation() -> None:
    tables = run(many())
    asked = [row for row in tables["chosen_questions"].to_pylist() if row["label"] == "more"][:4]
    said = [("confirmed", {"answer": ["more"], "change_sentence": ["1"]}), ("confirmed", {"answer": ["less"]})]
    said += [("no_majority", {}), ("needs_vote", {"answer": ["more"], "change_sentence": ["1"]})]
    rows = [
        {"task": str(n), "kind": "k", "origin": asked[n]["question"], "answers": json.dumps(answers), "status": status}
        for n, (status, answers) in enumerate(said)
    ]
    verdicts = VERDICTS.table([row | {"votes": 5, "agreeing": 3} for row in rows])
    kept = verified(CHOSEN_QUESTIONS.table(asked), verdicts).tables["verified_questions"]
    found = explanations(kept, tables["graphs"], lexicon=load_lexicon())
    by = {
        row["question"]: (row["change_sentence"], row["change_by"]) for row in found.tables["explanations"].to_pylist()
    }
    assert by.keys() == {asked[0]["question"], asked[3]["question"]}
    assert by[asked[0]["question"]] == (0, "people")
    # What people have not settled does not count yet.
    assert by[asked[3]["question"]][1] != "people"
    assert found.metrics["by_people"] == 1


def test_an_answer_of_less_turns_the_effect_round() -> None:
    found = explained("wind disperses seeds", "more new trees", "less", ["Z", "X"])
    assert (found["change_sentence"], found["change_direction"]) == (1, None)
    assert (found["effect_sentence"], found["effect_direction"]) == (3, "less")


def test_a_direction_that_the_words_do_not_tell_is_none() -> None:
    found = explained("wind disperses seeds", "birds eat seeds", "less", ["Z", "X"])
    assert (found["change_direction"], found["effect_direction"]) == (None, None)


def test_of_equal_overlaps_the_shorter_sentence_wins_then_the_first() -> None:
    finder = SentenceFinder(["The seeds fall far away.", "The seeds fall.", "Seeds fall."])
    assert finder.find("seeds falling") == 1
    assert finder.find("volcano") is None
    assert SentenceFinder([]).find("seeds") is None


def test_only_questions_with_a_path_are_explained() -> None:
    tables = run(many())
    output = explanations(tables["chosen_questions"], tables["graphs"], lexicon=load_lexicon())
    wanted = [row for row in tables["chosen_questions"].to_pylist() if row["label"] != "no_effect"]
    assert output.tables["explanations"].num_rows == len(wanted) == output.metrics["explanations"]
    for row in output.tables["explanations"].to_pylist():
        assert len(row["texts"]) == len(row["path"])
