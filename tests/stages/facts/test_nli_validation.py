from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pytest

from stages.core.contract import StageError
from stages.facts.candidate_evidence import CANDIDATES
from stages.facts.nli_validation import ENTAILED, Judge, ValidateParams, judge_of, stage, validate
from stages.facts.readings import CANDIDATE_KEY
from stages.facts.relations.templates import load_relations
from stages.facts.roles.lexicon import load_lexicon
from stages.facts.scored_readings import SCORED_READINGS
from stages.facts.sorts import load_sorts
from stages.facts.thresholds import Thresholds, load_thresholds
from stages.models.scoring.resolve import scorer

FILM = "Grey Harbour was directed by Ada Lindqvist and produced by Tomas Vell."


def candidate(
    object_: str, label: str, sentence: str = FILM, side: str = "subject", prop: str = "P57", hypotheses: Any = ("h",)
) -> dict[str, Any]:
    return {
        "subject": "Q1",
        "property": prop,
        "object": object_,
        "unit": "",
        "page": "Q1" if side == "subject" else object_,
        "index": 0,
        "title": "x",
        "passage": 0,
        "side": side,
        "surface": label if side == "subject" else "Grey Harbour",
        "subject_label": "Grey Harbour",
        "object_label": label,
        "sentence": sentence,
        "premise": sentence,
        "hypotheses": list(hypotheses),
    }


def scores(rows: pa.Table, *values: float) -> pa.Table:
    """Of all hypotheses of the candidates, in their order."""
    keys = [
        {name: row[name] for name in CANDIDATE_KEY} | {"hypothesis": hypothesis}
        for row in rows.to_pylist()
        for hypothesis in row["hypotheses"]
    ]
    return SCORED_READINGS.table([key | {"score": score} for key, score in zip(keys, values, strict=True)])


def test_score_and_check_decide() -> None:
    rows = CANDIDATES.table(
        [
            candidate("Q2", "Ada Lindqvist"),
            candidate("Q3", "Tomas Vell"),
            candidate("Q4", "Ada Lindqvist", "Ada Lindqvist spoke."),
        ]
    )
    judge = Judge({"P57": 0.1}, 0.9, load_lexicon())
    output = validate(rows, scores(rows, 0.1, 0.99, 0.0999), judge=judge)
    (kept,) = output.tables["entailed"].to_pylist()
    assert output.tables["entailed"].schema == ENTAILED.schema
    # A score equal to the threshold passes, in the precision of the table.
    assert (kept["object"], kept["score"]) == ("Q2", pytest.approx(0.1))
    assert {(row["key"], row["reason"]) for row in output.rejects.to_pylist()} == {
        ("Q1 P57 Q3", "other_role"),
        ("Q1 P57 Q4", "not_entailed"),
    }
    unchecked = validate(rows, scores(rows, 0.1, 0.99, 0.0999), judge=Judge({}, 0.1, None))
    assert set(unchecked.tables["entailed"]["object"].to_pylist()) == {"Q2", "Q3"}


def test_on_the_other_page_the_pronoun_is_the_topic() -> None:
    rows = CANDIDATES.table(
        [
            candidate("Q2", "Ada Lindqvist", "She produced Grey Harbour.", side="object"),
            candidate("Q3", "Tomas Vell", "He directed Grey Harbour.", side="object"),
        ]
    )
    output = validate(rows, scores(rows, 1.0, 1.0), judge=Judge({}, 0.5, load_lexicon()))
    assert output.tables["entailed"]["object"].to_pylist() == ["Q3"]


def test_a_candidate_without_a_score_stops_the_build() -> None:
    with pytest.raises(StageError, match="1 candidates have no score"):
        validate(CANDIDATES.table([candidate("Q2", "X")]), SCORED_READINGS.empty(), judge=Judge({}, 0.5, None))


def test_the_best_hypothesis_counts_and_of_equals_the_first() -> None:
    rows = CANDIDATES.table(
        [candidate("Q2", "X", hypotheses=("one", "two", "three")), candidate("Q3", "Y", hypotheses=("z", "a"))]
    )
    output = validate(rows, scores(rows, 0.2, 0.7, 0.3, 0.6, 0.6), judge=Judge({}, 0.5, None))
    found = output.tables["entailed"].sort_by("object").to_pylist()
    assert [(row["hypothesis"], row["score"]) for row in found] == [
        ("two", pytest.approx(0.7)),
        ("z", pytest.approx(0.6)),
    ]


def test_what_says_the_hypothesis_itself_is_never_refused() -> None:
    rows = CANDIDATES.table(
        [
            candidate(
                "Q2",
                "Ada Lind",
                "The film was produced by Ada Lind.",
                hypotheses=("The film was produced by Ada Lind.",),
            ),
            candidate("Q3", "Tomas Vell", "The film was produced by Tomas Vell", hypotheses=("h",)),
        ]
    )
    output = validate(rows, scores(rows, 0.0, 0.0), judge=Judge({}, 0.5, load_lexicon(), load_sorts()))
    assert output.tables["entailed"]["object"].to_pylist() == ["Q2"]


def test_a_sentence_without_words_for_the_sort_is_refused() -> None:
    rows = CANDIDATES.table(
        [
            candidate("Q2", "French", "She was a French actress.", prop="P1412"),
            candidate("Q3", "German", "She spoke German.", prop="P1412"),
        ]
    )
    output = validate(rows, scores(rows, 1.0, 1.0), judge=Judge({}, 0.5, None, load_sorts()))
    assert output.tables["entailed"]["object"].to_pylist() == ["Q3"]
    assert output.rejects.to_pylist() == [
        {
            "key": "Q1 P1412 Q2",
            "reason": "other_sort",
            "detail": "subject: She was a French actress.",
            "count": 1,
        }
    ]


def test_thresholds_by_family_and_by_hand() -> None:
    relations, lexicon = load_relations(), load_lexicon()
    family = relations.properties["P57"].family
    calibrated = judge_of(ValidateParams(), Thresholds("m", 0.3, {family: 0.1}), relations, lexicon)
    assert calibrated.limits["P57"] == 0.1
    assert calibrated.limits["P569"] == calibrated.default == 0.3
    fixed = judge_of(ValidateParams(threshold=0.0, roles=False), None, relations, lexicon)
    assert (fixed.limits, fixed.default, fixed.lexicon, fixed.sorts) == ({}, 0.0, None, None)
    with pytest.raises(StageError, match="threshold is a probability"):
        ValidateParams(threshold=1.5)


def test_the_stage_names_what_it_depends_on() -> None:
    relations = load_relations()
    built = pickle.loads(pickle.dumps(stage(relations, scorer(), suffix="_hop")))  # noqa: S301
    assert (built.name, built.inputs) == ("facts.nli_validation_hop", ("candidates_hop", "scored_readings_hop"))
    assert {"roles.yaml", "sorts.yaml", "adjectives.yaml", "thresholds.yaml"} <= set(built.templates)
    fixed = stage(relations, scorer(), ValidateParams(threshold=0.5, roles=False))
    assert fixed.templates == {}


def test_thresholds_of_another_model_are_refused() -> None:
    @dataclass(frozen=True)
    class Other:
        identity: str = "0" * 64
        name: str = "other"

        def load(self) -> Any:
            raise NotImplementedError

    with pytest.raises(StageError, match="belongs to model"):
        stage(load_relations(), Other())
    assert stage(load_relations(), Other(), ValidateParams(threshold=0.5)).name == "facts.nli_validation"
    assert load_thresholds().model != Other().identity
