"""Writes the worked example of a domain without Wikidata: a football league in which all is invented.

python -m tests.tools.build_league            writes templates/samples/league/*.csv
python -m tests.tools.build_league --check    only tells whether they are up to date
"""

from __future__ import annotations

import csv
import io
import random
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

LEAGUE = Path(__file__).resolve().parents[2] / "templates" / "samples" / "league"
DIVISIONS = [f"Invented League {name}" for name in ("One", "Two", "Three", "Four", "Five", "Six")]
COLOURS = ["amber", "black", "blue", "brown", "crimson", "green", "grey", "maroon", "orange", "purple", "red", "teal"]
STARTS = ("Bar", "Cor", "Dun", "Fel", "Gor", "Hal", "Kel", "Lor", "Mor", "Pel", "Tar", "Wen")
ENDS = ("brook", "ford")
KINDS = ("Albion", "Athletic", "City", "Rovers", "United")
GROUNDS = ("Arena", "Field", "Lane", "Park", "Road")
FIRST = ("Ada", "Bruno", "Clara", "Dario", "Edda", "Felix", "Greta", "Hugo", "Ines", "Jonas", "Karla", "Leo")
LAST = ("Ashdown", "Birkett", "Calloway", "Dunmore", "Eastlake", "Farrow", "Garland", "Holloway", "Ingram", "Kestrel")
SEED = 7


@dataclass(frozen=True)
class Club:
    """A club and all that is said of it."""

    name: str
    town: str
    division: str
    colour: str
    ground: str
    coach: str
    birthplace: str
    founded: int


def clubs() -> list[Club]:
    """120 clubs, five in each of 24 towns, twenty in each division."""
    chance = random.Random(SEED)
    towns = [f"{start}{end}" for start in STARTS for end in ENDS]
    coaches = [f"{first} {last}" for last in LAST for first in FIRST]
    divisions = [division for division in DIVISIONS for _ in range(len(towns) * len(KINDS) // len(DIVISIONS))]
    births = [town for town in towns for _ in KINDS]
    for listed in (coaches, divisions, births):
        chance.shuffle(listed)
    places = [(town, number) for town in towns for number in range(len(KINDS))]
    return [
        Club(
            name=f"{town} {KINDS[number]}",
            town=town,
            division=divisions[place],
            colour=chance.choice(COLOURS),
            ground=f"{town} {GROUNDS[number]}",
            coach=coaches[place],
            birthplace=births[place],
            founded=chance.randint(1890, 1980),
        )
        for place, (town, number) in enumerate(places)
    ]


def facts(found: Iterable[Club]) -> Iterator[tuple[str, str, str]]:
    """(subject, property, object) in words."""
    for club in found:
        yield club.name, "instance of", "football club"
        yield club.name, "alias", f"FC {club.name}"
        yield club.name, "home town", club.town
        yield club.name, "league", club.division
        yield club.name, "club colour", club.colour
        yield club.name, "home ground", club.ground
        yield club.name, "coach", club.coach
        yield club.name, "inception", str(club.founded)
        yield club.coach, "instance of", "football coach"
        yield club.coach, "place of birth", club.birthplace
        yield club.ground, "instance of", "football ground"


def pages(found: Iterable[Club]) -> Iterator[tuple[str, str]]:
    """(title, text)."""
    listed = list(found)
    for club in listed:
        yield (
            club.name,
            f"{club.name} is an invented football club founded in {club.founded}. {club.name} is based in the town of "
            f"{club.town}. {club.name} plays in {club.division}. {club.name} plays in {club.colour} shirts. "
            f"The home ground of {club.name} is {club.ground}. {club.name} is coached by {club.coach}.",
        )
        yield (
            club.coach,
            f"{club.coach} is an invented football coach. {club.coach} was born in {club.birthplace}. "
            f"{club.coach} coaches {club.name}.",
        )
    for town in sorted({club.town for club in listed}):
        yield town, f"{town} is an invented town with five football clubs."
    for division in DIVISIONS:
        yield division, f"{division} is a division of a league that does not exist. Twenty football clubs play in it."


def build() -> dict[str, str]:
    """File name to content."""
    found = clubs()
    licence = "CC0-1.0 (all of it is invented)"
    return {
        "facts.csv": _csv(("subject", "property", "object"), facts(found)),
        "pages.csv": _csv(("name", "contents", "license"), ((*page, licence) for page in pages(found))),
    }


def _csv(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return file.getvalue()


def main(arguments: list[str]) -> int:
    files = build()
    if "--check" in arguments:
        stale = [name for name, text in files.items() if (LEAGUE / name).read_text(encoding="utf-8") != text]
        print(f"not up to date: {', '.join(stale)}" if stale else "up to date")
        return 1 if stale else 0
    for name, text in files.items():
        (LEAGUE / name).write_text(text, encoding="utf-8")
        print(f"{name}: {len(text):,} characters")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
