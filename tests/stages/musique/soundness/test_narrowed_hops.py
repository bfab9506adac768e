from __future__ import annotations

from pathlib import Path

import pytest

from stages.core.contract import StageError
from stages.musique.single_hops.tables import SINGLE_HOPS
from stages.musique.soundness.narrowed_hops import digests, load_wholes, narrow, stage
from tests.stages.musique.single_hops.pool import single_hops, stated

WITHIN = "located in the administrative territorial entity"


def test_a_place_within_places_is_asked_for_as_what_it_is() -> None:
    hops = single_hops(
        stated(f"Antakya >> {WITHIN}", "Turkey", "Antakya is in Turkey ."),
        stated(f"Mount Blackburn >> {WITHIN}", "Alaska", "Mount Blackburn is in Alaska ."),
        stated(f"Betley >> {WITHIN}", "Newcastle", "Betley is near Newcastle ."),
        stated(f"Coral Gables >> {WITHIN}", "Miami-Dade County", "Coral Gables is in Miami-Dade County ."),
        stated("Ada >> part of", "Turkey", "Ada is in Turkey ."),
        stated("Where is Antakya?", "Turkey", "Antakya is in Turkey ."),
    )
    output = narrow(hops, wholes=load_wholes())
    rows = output.tables["narrowed_hops"].to_pylist()
    assert {row["question"]: row["relation"] for row in rows} == {
        "Antakya >> country": "country",
        "Mount Blackburn >> state": "state",
        f"Betley >> {WITHIN}": WITHIN,
        "Coral Gables >> county": "county",
        "Ada >> part of": "part of",
        "Where is Antakya?": None,
    }
    assert [row["tokens"] for row in rows if row["question"] == "Mount Blackburn >> state"] == [3]
    assert output.metrics == {"hops": 6.0, "narrowed": 3.0}


def test_what_is_asked_already_is_asked_once() -> None:
    hops = single_hops(
        stated(f"Antakya >> {WITHIN}", "Turkey", "Antakya is in Turkey ."),
        stated("Antakya >> country", "Turkey", "Antakya is in Turkey ."),
        stated("Antakya >> location", "Turkey", "Antakya is in Turkey ."),
    )
    output = narrow(hops, wholes=load_wholes())
    assert output.tables["narrowed_hops"]["question"].to_pylist() == ["Antakya >> country"]
    assert [row["reason"] for row in output.rejects.to_pylist()] == ["repeated_hop"] * 2


def test_nothing_gives_nothing() -> None:
    assert narrow(SINGLE_HOPS.empty(), wholes=load_wholes()).tables["narrowed_hops"].num_rows == 0
    assert set(stage().templates) == set(digests())


def test_the_file_is_read_strictly(tmp_path: Path) -> None:
    file = tmp_path / "wholes.yaml"
    file.write_text("version: 2\nrelations: []\nends: {}\n")
    with pytest.raises(StageError, match="expected version 1"):
        load_wholes(file)
    file.write_text("version: 1\nends: {}\n")
    with pytest.raises(StageError, match="expected relations, ends and lists"):
        load_wholes(file)
