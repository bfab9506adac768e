from __future__ import annotations

import random
from collections import Counter

import pyarrow as pa
import pytest

from stages.musique.single_hops.hop_filter import FilterParams, filter_hops
from stages.musique.single_hops.stated import SingleHopParams, Stated, row
from stages.musique.single_hops.tables import READ_HOPS
from stages.musique.soundness.one_answer import one_answer, stage
from tests.stages.musique.single_hops.pool import FILL


def hop(question: str, *answers: str, text: str = "", title: str = "") -> Stated:
    return Stated("test", None, question, answers, title, text or f"{' and '.join(answers)} . {FILL}")


def kept(*hops: Stated) -> tuple[list[tuple[str, str]], Counter[str]]:
    """((question, answer) of the hops that are kept, sorted; reasons)."""
    read = READ_HOPS.table([row(stated, SingleHopParams()) for stated in hops])
    output = one_answer(filter_hops(read, params=FilterParams()).tables["single_hops"], read)
    rows = output.tables["one_answer_hops"].to_pylist()
    reasons = Counter(row["reason"] for row in output.rejects.to_pylist())
    assert output.metrics == {"hops": len(rows), "several_answers": reasons["several_answers"]}
    return sorted((row["question"], row["answer"]) for row in rows), reasons


def test_a_relation_with_several_values_is_no_question() -> None:
    # Wikidata knows six of them (P58 of Q24953).
    cleese = hop("Life of Brian >> screenwriter", "John Cleese")
    idle = hop("Life of Brian >> screenwriter", "Eric Idle")
    other = hop("Life of Brian >> director", "Terry Jones")
    assert kept(cleese, idle, other) == ([("Life of Brian >> director", "Terry Jones")], {"several_answers": 2})


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Imagine >> performer", "IMAGINE >> Performer", True),
        ("Beyoncé >> spouse", "Beyonce >> spouse", True),
        ("the U.S. >> capital", "US >> capital", True),
        ("U.S. Congress >> chair", "U.S Congress >> chair", True),
        ("who wrote Emma", "Who wrote “Emma”?", True),
        ("Area 5 1 >> part of", "Area 51 >> part of", False),
        ("Imagine >> performer", "Imagine >> producer", False),
    ],
)
def test_spellings_of_a_question_ask_one_thing(one: str, other: str, same: bool) -> None:
    found, reasons = kept(hop(one, "Ada"), hop(other, "Ben"))
    assert (len(found), reasons["several_answers"]) == ((0, 2) if same else (2, 0))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (["Paris"], ["paris"], True),
        (["the U.S."], ["US"], True),
        (["São Paulo"], ["Sao Paulo"], True),
        (["Lennon", "John Lennon"], ["John Lennon"], True),
        (["10 5"], ["105"], False),
        # Words alone do not tell the same place from another of its name.
        (["Paris"], ["Paris, France"], False),
        (["Canada"], ["Canadian"], False),
        (["%"], ["$"], False),
    ],
)
def test_spellings_of_a_value_are_one(one: list[str], other: list[str], same: bool) -> None:
    found, reasons = kept(hop("Ada >> x", *one), hop("Ada >> x", *other, text=f"{other[0]} , also . {FILL}"))
    assert (len(found), reasons["several_answers"]) == ((2, 0) if same else (0, 2))


def test_values_meet_by_way_of_a_third() -> None:
    both = hop("Ada >> country", "United States", "America")
    assert len(kept(hop("Ada >> country", "America"), hop("Ada >> country", "the United States"), both)[0]) == 3


def test_a_subject_goes_by_all_names_that_its_paragraph_gives_it() -> None:
    text = f"Soviet troops of the Soviet Union entered Berlin in the Cold War . {FILL}"
    named = hop("Berlin >> occupied by", "Soviet Union", "Soviet", text=text)
    short = hop("Soviet >> participant of", "Cold War", text=text)
    full = hop("Soviet Union >> participant of", "World War II")
    elsewhere = hop("Soviet >> participant of", "Winter War")
    assert kept(named, short)[1] == {}
    assert kept(named, short, full)[1] == {"several_answers": 2}
    # What one paragraph calls so may be another thing in the next.
    assert kept(named, full, elsewhere)[1] == {}


def test_what_cannot_be_used_is_known_all_the_same() -> None:
    short = Stated("test", None, "Ada >> child", ["Byron"], "", "Ada's child is Byron.")
    assert kept(hop("Ada >> child", "Anne"), short) == ([], {"several_answers": 1})


def test_the_order_of_the_hops_does_not_matter() -> None:
    names = [["Ada", "A"], ["A", "Lovelace"], ["Lovelace"], ["Byron"]]
    hops = [hop(f"{subject} >> child", *some) for subject in ("x", "the X") for some in names]
    expected = kept(*hops[:3], *hops[4:7])
    for seed in range(5):
        random.Random(seed).shuffle(hops)
        assert kept(*hops) == ([], {"several_answers": 8})
        assert kept(*(one for one in hops if one.answers != ("Byron",))) == expected


def test_an_empty_pool_has_no_hops() -> None:
    assert kept() == ([], {})


def test_the_stage_reads_the_table_that_it_is_given() -> None:
    assert stage("other").inputs == ("other", "read_hops")
    assert isinstance(stage().outputs[0].schema, pa.Schema)
