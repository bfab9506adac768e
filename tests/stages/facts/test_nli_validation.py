from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pytest

from stages.core.contract import StageError
from stages.facts.candidate_evidence import CANDIDATES
from stages.facts.nli_scores import SCORES
from stages.facts.nli_validation import ENTAILED, Judge, ValidateParams, judge_of, stage, validate
from stages.facts.relations.templates import load_relations
from stages.facts.roles.lexicon import load_lexicon
from stages.facts.thresholds import Thresholds, load_thresholds
from stages.models.scoring.resolve import scorer

FILM = "Grey Harbour was directed by Ada Lindqvist and produced by Tomas Vell."


def candidate(pair: str, object_: str, label: str, sentence: str = FILM, side: str = "subject") -> dict[str, Any]:
    return {
        "subject": "Q1",
        "property": "P57",
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
        "hypothesis": "h",
        "pair": pair,
    }


def scores(**values: float) -> pa.Table:
    return SCORES.table([{"pair": pair, "score": score} for pair, score in values.items()])


def test_score_and_check_decide() -> None:
    rows = CANDIDATES.table(
        [
            candidate("a", "Q2", "Ada Lindqvist"),
            candidate("b", "Q3", "Tomas Vell"),
            candidate("c", "Q4", "Ada Lindqvist", "Ada Lindqvist spoke."),
        ]
    )
    judge = Judge({"P57": 0.1}, 0.9, load_lexicon())
    output = validate(rows, scores(a=0.1, b=0.99, c=0.0999), judge=judge)
    (kept,) = output.tables["entailed"].to_pylist()
    assert output.tables["entailed"].schema == ENTAILED.schema
    # A score equal to the threshold passes, in the precision of the table.
    assert (kept["object"], kept["score"]) == ("Q2", pytest.approx(0.1))
    assert {(row["key"], row["reason"]) for row in output.rejects.to_pylist()} == {
        ("Q1 P57 Q3", "other_role"),
        ("Q1 P57 Q4", "not_entailed"),
    }
    unchecked = validate(rows, scores(a=0.1, b=0.99, c=0.0999), judge=Judge({}, 0.1, None))
    assert set(unchecked.tables["entailed"]["object"].to_pylist()) == {"Q2", "Q3"}


def test_on_the_other_page_the_pronoun_is_the_topic() -> None:
    rows = CANDIDATES.table(
        [
            candidate("a", "Q2", "Ada Lindqvist", "She produced Grey Harbour.", side="object"),
            candidate("b", "Q3", "Tomas Vell", "He directed Grey Harbour.", side="object"),
        ]
    )
    output = validate(rows, scores(a=1.0, b=1.0), judge=Judge({}, 0.5, load_lexicon()))
    assert output.tables["entailed"]["object"].to_pylist() == ["Q3"]


def test_a_candidate_without_a_score_stops_the_build() -> None:
    with pytest.raises(StageError, match="1 candidates have no score"):
        validate(CANDIDATES.table([candidate("a", "Q2", "X")]), scores(), judge=Judge({}, 0.5, None))


def test_thresholds_by_family_and_by_hand() -> None:
    relations, lexicon = load_relations(), load_lexicon()
    family = relations.properties["P57"].family
    calibrated = judge_of(ValidateParams(), Thresholds("m", 0.3, {family: 0.1}), relations, lexicon)
    assert calibrated.limits["P57"] == 0.1
    assert calibrated.limits["P569"] == calibrated.default == 0.3
    fixed = judge_of(ValidateParams(threshold=0.0, roles=False), None, relations, lexicon)
    assert (fixed.limits, fixed.default, fixed.lexicon) == ({}, 0.0, None)
    with pytest.raises(StageError, match="threshold is a probability"):
        ValidateParams(threshold=1.5)


def test_the_stage_names_what_it_depends_on() -> None:
    relations = load_relations()
    built = pickle.loads(pickle.dumps(stage(relations, scorer(), suffix="_hop")))  # noqa: S301
    assert (built.name, built.inputs) == ("facts.nli_validation_hop", ("candidates_hop", "scores_hop"))
    assert {"roles.yaml", "thresholds.yaml"} <= set(built.templates)
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
