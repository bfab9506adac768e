from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from stages.core.contract import StageError
from stages.musique.single_hops.copies import CopyParams, merge, stage
from stages.musique.single_hops.hop_filter import FilterParams, filter_hops, paragraphs
from stages.musique.single_hops.passages import PooledPassage
from stages.musique.single_hops.stated import SingleHopParams, Stated, row
from stages.musique.single_hops.tables import READ_HOPS

LEAD = "Rome is the capital of Italy (and of Lazio), U.S. visitors like it; it was founded in 753 BC by Romulus."
REST = "Its people speak Italian, live in 15 municipi, and know that all roads of the old empire lead to them."
TYPED = f"{LEAD} {REST}"
TOKENISED = (
    "rome is the capital of Italy ( and of Lazio ) , U.S. visitors like it ; it was founded in 753 BC by Romulus . "
    "Its people speak Italian , live in 15 municipi , and know that all roads of the old empire lead to them ."
)


def merged(*hops: Stated, share: float = 0.8) -> tuple[list[dict[str, Any]], Counter[str], dict[str, float]]:
    """(rows of MERGED_HOPS by question, reasons, metrics)."""
    read = READ_HOPS.table([row(stated, SingleHopParams()) for stated in hops])
    filtered = filter_hops(read, params=FilterParams())
    assert filtered.rejects.num_rows == 0, filtered.rejects.to_pylist()
    output = merge(filtered.tables["single_hops"], params=CopyParams(share))
    rows = sorted(output.tables["merged_hops"].to_pylist(), key=lambda hop: hop["question"])
    assert paragraphs(output.tables["merged_hops"]).metrics == {"paragraphs": output.metrics["paragraphs"]}
    return rows, Counter(reject["reason"] for reject in output.rejects.to_pylist()), dict(output.metrics)


def hop(question: str, answer: str, text: str, title: str = "Rome", source: str = "test", **more: Any) -> Stated:
    return Stated(source, None, question, [answer], title, text, more.get("start"))


def test_ways_to_type_a_passage_are_one_paragraph_in_the_best_of_them() -> None:
    found, reasons, metrics = merged(
        hop("Capital of what?", "Italy", TYPED),
        hop("Rome >> founded by", "Romulus", TOKENISED, title="ROME", source="other"),
        hop("Rome >> visited by", "U.S.", TOKENISED.upper(), source="third"),
    )
    assert reasons == {}
    assert {(one["title"], one["text"], one["paragraph"]) for one in found} == {
        ("Rome", TYPED, PooledPassage("Rome", TYPED).id)
    }
    assert [one["text"][one["answer_start"] :].split(";")[0].split(".")[0] for one in found] == [
        "Italy (and of Lazio), U",
        "Romulus",
        "U",
    ]
    assert {one["words"] for one in found} == {len(TYPED.split())}
    assert metrics == {"hops": 3, "paragraphs": 1, "copies": 2, "retyped": 2}


def test_an_answer_stays_at_its_place_among_equal_words() -> None:
    at = TOKENISED.index("of the old")
    found, _, _ = merged(hop("Whose?", "of", TOKENISED, start=at), hop("Capital of what?", "Italy", TYPED))
    assert found[1]["answer_start"] == TYPED.index("of the old")


def test_of_versions_the_one_with_most_hops_is_kept_and_answers_must_stand_there() -> None:
    edited = TYPED.replace("Romulus", "Remus").replace("U.S. visitors", "Visitors")
    found, reasons, metrics = merged(
        hop("Rome >> founded by", "Romulus", TYPED),
        hop("Capital of what?", "Italy", TYPED),
        hop("What do they speak?", "Italian", edited),
        hop("Who founded it?", "Remus", edited),
        hop("Where from?", "Lazio", edited.replace("Remus", "him")),
        share=0.6,
    )
    assert [one["question"] for one in found] == ["Capital of what?", "Rome >> founded by", "What do they speak?"]
    assert {one["text"] for one in found} == {TYPED}
    assert found[2]["text"][found[2]["answer_start"] :].startswith("Italian, live")
    # "Remus" stands nowhere in the other version, and behind "(and of Lazio)" it has another word.
    assert reasons == {"not_in_copy": 2}
    assert metrics == {"hops": 3, "paragraphs": 1, "copies": 2, "retyped": 3}


def test_equal_hops_over_one_paragraph_are_used_once() -> None:
    cut = TYPED.removesuffix("lead to them.") + "lead here."
    one, other = hop("Capital of what?", "Italy", TYPED), hop("capital of what", "ITALY", cut, source="a")
    for hops in ((one, other), (other, one)):
        found, reasons, _ = merged(*hops, hop("Who?", "Romulus", TYPED))
        assert [found[0]["source"], reasons] == ["test", {"repeated_hop": 1}]


def test_passages_about_other_things_stay_apart() -> None:
    stub = "lies in the district of Szczytno, within the Warmian-Masurian Voivodeship, in northern Poland, near a lake."
    found, reasons, metrics = merged(
        hop("Lemany >> country", "Poland", f"Lemany {stub} Few people live there today.", "Lemany"),
        hop("Zabiele >> country", "Poland", f"Zabiele {stub} Few people live there today.", "Zabiele"),
    )
    assert (len({one["paragraph"] for one in found}), reasons, metrics["copies"]) == (2, {}, 0)


def test_an_answer_without_words_is_found_by_its_characters() -> None:
    text = f"{TYPED} It grew by 5 %."
    found, reasons, _ = merged(
        hop("Which sign?", "%", f"{TOKENISED} It grew by 5 %."),
        hop("Capital of what?", "Italy", text),
        hop("Which other sign?", ":", f"{TOKENISED} It grew by : 5"),
    )
    assert reasons == {"not_in_copy": 1}
    assert found[1]["text"][found[1]["answer_start"] :] == "%."


def test_the_order_of_the_hops_does_not_matter() -> None:
    edited = TYPED.replace("Romulus", "Remus")
    hops = [hop(f"{n}?", "Italy", text, source=f"s{n}") for n, text in enumerate((TYPED, TOKENISED, edited, LEAD))]
    expected = merged(*hops)
    for seed in range(5):
        random.Random(seed).shuffle(hops)
        assert merged(*hops) == expected


def test_no_hops_and_bad_shares() -> None:
    assert merged() == ([], {}, {"hops": 0, "paragraphs": 0, "copies": 0, "retyped": 0})
    for share in (0.0, 1.1):
        with pytest.raises(StageError, match="copies: expected above 0 and at most 1"):
            CopyParams(share)
    assert stage().inputs == ("single_hops",)
