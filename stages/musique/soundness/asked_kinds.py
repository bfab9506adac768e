"""What kind of thing a hop asks for, and whether an answer can be one (templates/soundness/asked.yaml)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from stages.core import template_files
from stages.core.english import FUNCTION_WORDS, MONTHS
from stages.core.overlay import remembered
from stages.core.template_files import read_template
from stages.facts import adjectives
from stages.musique.single_hops.forms import Words, bare, form
from stages.normalise.number_words import cardinal

TEMPLATES = ("soundness/asked.yaml", "adjectives.yaml")

FILE = "soundness/asked.yaml"
DATE, NUMBER, COUNTRY, CONTINENT, PERSON, WHO, NAME, PLACE = (
    *("date", "number", "country", "continent", "person", "who", "name", "place"),
)
_LISTS = ("own_text", "one_of_many_phrases", "pronouns_always", "continents", "adjectives")
_WORDS = ("of_today", "one_of_many", "pronouns", "bare_nouns", "telling", "deeds_of_many", "verbs")
_YEAR = re.compile(r"\b\d{3,4}s?\b|\b\d{1,4} ?(?:BC|BCE|AD|CE)\b|\b(?:BC|AD) ?\d+|\bcentur(?:y|ies)\b", re.IGNORECASE)
_DAY = re.compile(rf"(?:{'|'.join(MONTHS)})\.? \d|\d(?:st|nd|rd|th)? (?:of )?(?:{'|'.join(MONTHS)})", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_SEVERAL = "several"
_MOST_OF_PERSON, _MOST_OF_ADJECTIVE = 6, 2


@dataclass(frozen=True)
class AskedKinds:
    """Lists of the file, in small letters. kinds: the kind by the noun that asks for it; relations: by label;
    continents, countries, adjectives: joined forms (see `Words.joined`); continent_of: of countries, or "several"."""

    own_text: tuple[str, ...]
    of_today: frozenset[str]
    one_of_many: frozenset[str]
    one_of_many_phrases: tuple[str, ...]
    pronouns_always: frozenset[str]
    pronouns: frozenset[str]
    bare_nouns: frozenset[str]
    telling: frozenset[str]
    deeds_of_many: frozenset[str]
    verbs: frozenset[str]
    kinds: Mapping[str, str]
    relations: Mapping[str, str]
    continents: frozenset[str]
    countries: frozenset[str]
    continent_of: Mapping[str, str]
    adjectives: frozenset[str]

    def is_adjective(self, name: str) -> bool:
        """Whether a name is, or ends in, the adjective of a place or its people: "French", "South American"."""
        words = Words.of(name).words
        return bool(words) and f" {words[-1]} " in self.adjectives and len(words) <= _MOST_OF_ADJECTIVE

    def on_other_continent(self, country: str, continent: str) -> bool:
        """Whether a country is known to lie on one continent, and that is another."""
        known = self.continent_of.get(bare(form(country)), _SEVERAL)
        return known != _SEVERAL and form(known) != form(continent) and not form(known).endswith(form(continent))

    def can_be(self, kind: str, answer: str) -> bool:
        """Whether an answer can be of a kind, as far as its words tell."""
        return {
            DATE: is_date,
            NUMBER: is_number,
            COUNTRY: lambda text: bare(form(text)) in self.countries,
            CONTINENT: lambda text: bare(form(text)) in self.continents,
            PERSON: self._is_person,
            WHO: self._is_somebody,
            PLACE: self._is_place,
            NAME: lambda text: _has_capital(text) and not self.is_adjective(text),
        }[kind](answer)

    def _is_person(self, text: str) -> bool:
        return self._is_somebody(text) and bare(form(text)) not in self.countries | self.continents

    def _is_somebody(self, text: str) -> bool:
        """A person, or a group or a country that acts as one."""
        named = _has_capital(text) and not _DIGIT.search(text) and not self.is_adjective(text)
        return named and len(text.split()) <= _MOST_OF_PERSON and not _is_description(text)

    def _is_place(self, text: str) -> bool:
        return _has_capital(text) and not self.is_adjective(text) and not _YEAR.search(text)


def _is_description(text: str) -> bool:
    """Whether half of the words or more are no names: "Some Republican candidates"."""
    words = Words.of(text)
    telling = [
        text[start] for word, (start, _) in zip(words.words, words.spans, strict=True) if word not in FUNCTION_WORDS
    ]
    return 2 * sum(letter.islower() for letter in telling) >= max(len(telling), 1)


def is_date(text: str) -> bool:
    """Whether a text tells a year, a longer time or a day of the year."""
    return bool(_YEAR.search(text) or _DAY.search(text))


def is_number(text: str) -> bool:
    """Whether a number stands in a text, in figures or in words."""
    return bool(_DIGIT.search(text)) or any(cardinal(word) is not None for word in Words.of(text).words)


def _has_capital(text: str) -> bool:
    words = Words.of(text)
    first = bare(words.joined).split()
    start = len(words.words) - len(first)
    return start < len(words.spans) and not text[words.spans[start][0]].islower()


@remembered()
def load_asked_kinds(file: Path | None = None) -> AskedKinds:
    """Raises StageError naming the file and the key that is missing."""
    read = read_template(FILE, file)
    data = read.data
    try:
        lists = {name: [str(word).lower() for word in data[name]] for name in _LISTS}
        words = {name: frozenset(word.replace("_", " ") for word in _listed(data[name])) for name in _WORDS}
        kinds = {str(noun): kind for kind, listed in data["kinds"].items() for noun in _listed(listed)}
        by_continent = {str(continent): list(names) for continent, names in data["countries"].items()}
        relations = {str(label): kind for kind, listed in data["relations"].items() for label in listed}
    except (KeyError, TypeError, AttributeError) as error:
        raise read.fault(f"expected {error}") from error
    places = adjectives.places()
    countries = frozenset(bare(form(name)) for listed in by_continent.values() for name in listed)
    continent_of = {bare(form(name)): continent for continent, names in by_continent.items() for name in names}
    return AskedKinds(
        own_text=tuple(lists["own_text"]),
        one_of_many_phrases=tuple(lists["one_of_many_phrases"]),
        pronouns_always=frozenset(lists["pronouns_always"]),
        continents=frozenset(bare(form(name)) for name in lists["continents"]),
        countries=countries,
        continent_of=continent_of,
        adjectives=frozenset(bare(form(name)) for name in (*places, *lists["adjectives"])),
        kinds=kinds,
        relations=relations,
        **words,
    )


def _listed(value: str | list[str]) -> list[str]:
    return value.split() if isinstance(value, str) else value


def digests() -> dict[str, str]:
    """Of the files, for stages that depend on them."""
    return adjectives.digests() | template_files.digests(FILE)
