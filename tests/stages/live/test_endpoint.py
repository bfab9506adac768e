"""Through the fault proxy, before a real oxigraph server that holds the sample."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from stages.live.addresses import LiveError
from stages.live.queries import Membership, Years
from stages.live.service import NotAsked
from tests.faults.proxy import Proxy, proxied
from tests.stages.live.made import MANNERS, StoppedClock, endpoint
from tests.tools.rdf import records

pytestmark = pytest.mark.network
FILMS = Membership(("Q11424",))


@pytest.fixture
def proxy(world: str) -> Iterator[Proxy]:
    with proxied(world) as made:
        yield made


@pytest.fixture(scope="module")
def films(sample_dump: str) -> list[str]:
    """Of the dump, by plain Python: what is a film, or of a class below it."""
    entities = {record["id"]: record for record in records(sample_dump)}

    def values(item: str, name: str) -> set[str]:
        found = entities.get(item, {"claims": {}})["claims"].get(name, [])
        best = "preferred" if any(given["rank"] == "preferred" for given in found) else "normal"
        snaks = [given["mainsnak"] for given in found if given["rank"] == best]
        return {snak["datavalue"]["value"]["id"] for snak in snaks if snak["snaktype"] == "value"}

    classes = {"Q11424"}
    while more := {item for item in entities if values(item, "P279") & classes} - classes:
        classes |= more
    return sorted(item for item in entities if values(item, "P31") & classes)


def test_members_by_pages(world: str, tmp_path: Path, films: list[str]) -> None:
    assert len(films) > 20
    small = replace(endpoint(world, tmp_path), page=7)
    found = small.members(FILMS, 10_000)
    assert list(found.ids) == films and found.total == len(films)
    assert small.service.tally.sent == 1 + -(-len(films) // 7)
    assert endpoint(world, tmp_path / "b").members(FILMS, 5).ids == tuple(films[:5])


def test_members_of_some_years(world: str, tmp_path: Path, films: list[str]) -> None:
    asked = endpoint(world, tmp_path)
    every = asked.members(Membership(("Q11424",), (Years("P577", -100, 3000),)), 10_000).ids
    none = asked.members(Membership(("Q11424",), (Years("P577", 100, 200),)), 10_000).ids
    assert set(every) <= set(films) and none == ()


@pytest.mark.parametrize(
    ("faults", "pauses"),
    [
        (["too_many", "too_many", ""], [2, 4]),
        (["too_many_wait", ""], [7]),
        (["unavailable", ""], [2]),
        (["unavailable_wait", ""], [9]),
        (["unavailable_until", ""], [0]),
        (["reset", ""], [2]),
        (["half_reset", ""], [2]),
        (["reset", "half_reset", ""], [2, 4]),
        (["shorter", ""], [2]),
        (["gzip_garbage", ""], [2]),
        (["gzip_cut", ""], [2]),
        (["cut", ""], [2]),
        (["cut_json", ""], [2]),
        (["html", ""], [2]),
        (["broken", ""], [2]),
        (["big", ""], [2]),
        (["drip", ""], [2]),
    ],
)
def test_what_a_repetition_helps_is_asked_again(
    proxy: Proxy, tmp_path: Path, films: list[str], faults: list[str], pauses: list[float]
) -> None:
    manners = replace(MANNERS, most_bytes=5_000_000, answer_seconds=0.5)
    asked = endpoint(proxy.address, tmp_path, manners=manners)
    proxy.faults = faults
    assert asked.members(FILMS, 10_000).ids == tuple(films)
    assert isinstance(asked.service.clock, StoppedClock) and asked.service.clock.pauses == pauses


@pytest.mark.parametrize("fault", ["cut", "cut_json", "broken", "fewer_rows"])
def test_what_is_cut_again_and_again_is_asked_in_smaller_batches(
    proxy: Proxy, tmp_path: Path, films: list[str], fault: str
) -> None:
    asked = replace(endpoint(proxy.address, tmp_path / "a"), names_batch=8)
    proxy.faults = [fault] * 4
    rows = list(asked.names(films[:8], ("en",), "https://en.wikipedia.org/"))
    whole = list(endpoint(proxy.address, tmp_path / "b").names(films[:8], ("en",), "https://en.wikipedia.org/"))
    assert keyed(rows) == keyed(whole) and len(rows) > 8
    assert asked.service.tally.again == 2
    offline = replace(endpoint(proxy.address, tmp_path / "a", offline=True), names_batch=8)
    assert list(offline.names(films[:8], ("en",), "https://en.wikipedia.org/")) == rows


def keyed(rows: list) -> list[str]:  # type: ignore[type-arg]
    return sorted(json.dumps([str(row[name]) for name in ("item", "kind", "text")]) for row in rows)


def test_pages_that_change_between_requests_are_no_answer(proxy: Proxy, tmp_path: Path) -> None:
    asked = replace(endpoint(proxy.address, tmp_path), page=7)
    proxy.faults = ["", "", *["other_order"] * 50]
    with pytest.raises(LiveError, match="out of order"):
        asked.members(FILMS, 10_000)


def test_a_page_that_is_short_is_not_the_last_one(proxy: Proxy, tmp_path: Path, films: list[str]) -> None:
    asked = replace(endpoint(proxy.address, tmp_path), page=7)
    proxy.faults = ["", "fewer_rows", "", "fewer_rows"]
    assert asked.members(FILMS, 10_000).ids == tuple(films)


def test_members_that_are_fewer_than_the_count_are_no_answer(proxy: Proxy, tmp_path: Path) -> None:
    asked = replace(endpoint(proxy.address, tmp_path), page=1)
    proxy.faults = ["", "", "fewer_rows"]
    with pytest.raises(LiveError, match="--refresh"):
        asked.members(FILMS, 10_000)


def test_one_entity_that_is_too_much_is_asked_property_by_property(proxy: Proxy, tmp_path: Path) -> None:
    properties = ["P31", "P57", "P577", "P161"]
    [film] = endpoint(proxy.address, tmp_path / "a").members(FILMS, 1).ids
    whole = list(endpoint(proxy.address, tmp_path / "b").statements([film], properties))
    proxy.faults = ["broken", "broken"]
    parted = list(endpoint(proxy.address, tmp_path / "c").statements([film], properties))
    assert len(parted) == len(whole) > 3


def test_a_redirect_loop_ends_the_run(proxy: Proxy, tmp_path: Path) -> None:
    proxy.always = "loop"
    with pytest.raises(LiveError, match="redirects"):
        endpoint(proxy.address, tmp_path).members(FILMS, 5)


def test_an_endless_refusal_names_no_secret(proxy: Proxy, tmp_path: Path) -> None:
    proxy.always = "refused"
    with pytest.raises(LiveError, match="refused with status 400") as caught:
        endpoint(f"{proxy.address}?token=s3cret", tmp_path).members(FILMS, 5)
    assert "s3cret" not in str(caught.value)


def test_interrupted_and_begun_again_nothing_is_asked_twice(proxy: Proxy, tmp_path: Path, films: list[str]) -> None:
    asked = replace(endpoint(proxy.address, tmp_path), page=7)
    proxy.faults = ["", "", "", "refused"]
    with pytest.raises(LiveError):
        asked.members(FILMS, 10_000)
    before = len(proxy.requests)
    again = replace(endpoint(proxy.address, tmp_path), page=7)
    assert again.members(FILMS, 10_000).ids == tuple(films)
    assert again.service.tally.cached == 3
    assert len(proxy.requests) - before == again.service.tally.sent == 1 + -(-len(films) // 7) - 3


def test_offline_nothing_is_asked(proxy: Proxy, tmp_path: Path, films: list[str]) -> None:
    with pytest.raises(NotAsked):
        endpoint(proxy.address, tmp_path, offline=True).members(FILMS, 5)
    assert proxy.requests == []


def test_types_of_properties(world: str, tmp_path: Path) -> None:
    found = endpoint(world, tmp_path).datatypes(["P31", "P577", "P999999"])
    assert found == {"P31": "wikibase-item", "P577": "time"}
    assert endpoint(world, tmp_path).merged(["Q11424"]) == {}
