from __future__ import annotations

import pytest

from stages.core.contract import StageError
from stages.core.memory import InMemory
from stages.musique.single_hops.hop_filter import FilterParams, filter_hops
from stages.musique.single_hops.stated import SingleHopParams, Stated, row
from stages.musique.single_hops.tables import READ_HOPS, SINGLE_HOPS
from stages.musique.soundness.sound_hops import SOUND_HOPS, SoundnessParams, load_rules, sound_hops, stage
from tests.stages.musique.single_hops.pool import FILL

HOPS = (
    ("Lake Van >> country", ["Turkey"], "Lake Van lies in Turkey ."),
    ("Lake Van >> part of", ["Anatolia"], "Lake Van is a part of Anatolia ."),
    ("Who led the uprising in Serbia?", ["Chetniks", "Tito"], "Chetniks and Tito led the uprising in Serbia ."),
    ("Who wrote Emma?", ["Jane Austen", "Austen"], "Jane Austen wrote Emma ."),
    ("Rome >> country", ["Italy"], "Rome is in Italy ."),
    ("Ada Lovelace >> place of birth", ["Rome"], "Ada Lovelace was born in Rome ."),
)


def test_what_stays_and_why_others_go() -> None:
    read = [
        row(Stated("s", None, question, answers, "", f"{text} {FILL}"), SingleHopParams())
        for question, answers, text in HOPS
    ]
    hops = filter_hops(READ_HOPS.table(read), params=FilterParams()).tables["single_hops"]
    output = sound_hops(hops, params=SoundnessParams(), rules=load_rules())
    # Rome is one word, and known as it is a value of another hop.
    assert sorted(output.tables["sound_hops"]["question"].to_pylist()) == [
        "Ada Lovelace >> place of birth",
        "Lake Van >> country",
        "Rome >> country",
        "Who wrote Emma?",
    ]
    assert {row["reason"]: row["detail"] for row in output.rejects.to_pylist()} == {
        "relation_of_levels": "Lake Van >> part of | Anatolia: part of",
        "contradicting_answers": "Who led the uprising in Serbia? | Chetniks: Tito",
    }
    assert output.metrics == {"hops": 4.0, "relational": 3.0}


def test_the_stage_writes_the_next_version_of_the_table() -> None:
    made = InMemory({SINGLE_HOPS.name: SINGLE_HOPS.empty()}).run(stage())
    assert made.rows(SOUND_HOPS.name) == []
    assert {"soundness/asked.yaml", "soundness/relations.yaml", "bridges/kinds.yaml"} <= set(stage().templates)
    with pytest.raises(StageError, match="answer_words: expected 1 or more"):
        SoundnessParams(answer_words=0)
