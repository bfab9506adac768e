"""Tests of stages.facts.relations.render and of the English of every installed template, on true statements.

Objects and subjects come from the shared Wikidata excerpt where it has the property, and
from `examples.EXAMPLES` elsewhere.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.facts.relations.model import AnswerClass, Relations
from stages.facts.relations.render import composition, hypothesis, intersection, narrower, noun_phrase, question
from stages.facts.relations.templates import load_relations
from tests.stages.facts.relations.examples import EXAMPLES

RELATIONS = load_relations()
MARK = "Zork"
PAST = ("had", "held", "made", "took")
PLURALS = "|".join(sorted({c.plural for c in RELATIONS.classes.values() if c.plural != c.singular}))

ODD = st.text(alphabet=st.sampled_from("{}%?!\"‘'<>&;: aAtheThe.,entitysubject0\\$é—\n\t"), min_size=1).filter(
    lambda text: text.split() != []
)


@pytest.fixture(scope="module")
def examples(shared_data: Path) -> dict[str, tuple[str, str]]:
    """A true (subject label, object label) per property."""
    entities = list(entities_of(shared_data / "wikidata" / "entities.json.gz"))
    labels = {entity["id"]: label for entity in entities if (label := label_of(entity))}
    found = dict(EXAMPLES)
    for entity in entities:
        subject = labels.get(entity["id"])
        for pid in entity["claims"].keys() & RELATIONS.properties.keys() - found.keys() if subject else ():
            values = [text for claim in entity["claims"][pid] if (text := value_text(claim, labels))]
            if values:
                found[pid] = (subject, values[0])
    return found


def entities_of(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("{"):
                yield msgspec.json.decode(line.rstrip().rstrip(","))


def label_of(entity: dict[str, Any]) -> str | None:
    return entity.get("labels", {}).get("en", {}).get("value")


def value_text(claim: dict[str, Any], labels: dict[str, str]) -> str | None:
    value = claim["mainsnak"].get("datavalue", {})
    match value.get("type"):
        case "wikibase-entityid":
            return labels.get(value["value"]["id"])
        case "quantity":
            return value["value"]["amount"].lstrip("+")
        case "time":
            return value["value"]["time"][1:5]
        case "monolingualtext":
            return value["value"]["text"]
        case "string":
            return value["value"]
    return None


def flaws(text: str, *labels: str) -> list[str]:
    """What is wrong with the English around the labels."""
    for label in sorted(labels, key=len, reverse=True):
        text = text.replace(" ".join(label.split()), MARK)
    found = []
    if re.search(r"[{}]|\s\s|^\s|\s$|\s[,.?]|\?.*\?", text):
        found.append("braces, spacing or marks")
    if not text.startswith(MARK) and not text[0].isupper():
        found.append("no capital")
    if re.search(r"\b([\w’']+) \1\b", text.replace(MARK, ""), re.IGNORECASE):
        found.append("a word twice")
    found += [f"article of {word}" for word in re.findall(r"\ba ([aeio]\w*)", text) if word not in ("one", "once")]
    found += [f"article of {word}" for word in re.findall(r"\ban ([^aeiouh\W]\w*)", text) if word != MARK]
    if re.search(rf"\b(?:{PLURALS}) (?:is|was|has|does|plays|lives|belongs|depicts|appears)\b", text):
        found.append("plural noun with a singular verb")
    return found


def kinds(relation: Any) -> tuple[AnswerClass, ...]:
    return relation.classes or (relation.noun,)


def test_there_is_a_true_example_of_every_property(examples: dict[str, tuple[str, str]]) -> None:
    assert sorted(RELATIONS.properties.keys() - examples.keys()) == []
    assert sorted(EXAMPLES.keys() - RELATIONS.properties.keys()) == []


def test_every_hypothesis_is_clean_english(examples: dict[str, tuple[str, str]]) -> None:
    for pid in RELATIONS.properties:
        subject, object_ = examples[pid]
        for alternative in (False, True):
            text = hypothesis(RELATIONS, pid, subject, object_, alternative)
            assert (text, flaws(text, subject, object_)) == (text, [])
            assert text.endswith(".") and not text.endswith("..")
            assert subject in text and object_ in text


def test_every_question_is_clean_english(examples: dict[str, tuple[str, str]]) -> None:
    for pid, relation in RELATIONS.simple.items():
        for kind in (None, *kinds(relation)):
            text = question(relation, examples[pid][1], kind)
            assert (text, flaws(text, examples[pid][1])) == (text, [])
            assert text.endswith("?")


def test_every_intersection_of_one_kind_of_answer_is_clean_english(examples: dict[str, tuple[str, str]]) -> None:
    seen = 0
    for first in RELATIONS.simple.values():
        for second in RELATIONS.simple.values():
            for kind in kinds(first):
                if kind in kinds(second):
                    entities = examples[first.pid][1], examples[second.pid][1]
                    text = intersection(first, entities[0], second, entities[1], kind)
                    assert (text, flaws(text, *entities)) == (text, [])
                    seen += 1
    assert seen > 5000


def test_every_composition_of_some_inner_questions_is_clean_english(examples: dict[str, tuple[str, str]]) -> None:
    inner = ["P19", "P31", "P57", "P112", "P131", "P161", "P276", "P403", "P463", "P710", "P1441", "P4584"]
    for outer in RELATIONS.composition.values():
        for relation in (RELATIONS.simple[pid] for pid in inner):
            for kind in kinds(relation)[:2]:
                text = composition(outer, relation, examples[relation.pid][1], kind)
                phrase = noun_phrase(relation, examples[relation.pid][1], kind)
                assert (text, flaws(text, examples[relation.pid][1])) == (text, [])
                assert phrase in text and text.endswith("?")


def test_plural_phrases_have_plural_verbs_around_them() -> None:
    singular = re.compile(r"\b(?:is|was|does|has)$")
    for pid, outer in RELATIONS.composition.items():
        before, _, after = outer.question.text.partition("{phrase}")
        assert (pid, singular.search(before.strip())) == (pid, None)
        assert (pid, re.match(r" (?:is|was|has|does)\b", after)) == (pid, None)


def test_clauses_have_singular_verbs() -> None:
    for pid, relation in RELATIONS.simple.items():
        verb = relation.clause.text.split()[0]
        assert (pid, verb, verb.endswith(("s", "ed")) or verb in PAST) == (pid, verb, True)


def test_classes_agree_with_their_articles() -> None:
    for kind in RELATIONS.classes.values():
        assert (kind.singular, kind.article) == (kind.singular, "an" if kind.singular[0] in "aeio" else "a")
        assert kind.plural != kind.singular or kind.singular.endswith("series")


@pytest.mark.parametrize(
    ("pid", "entity", "qid", "expected"),
    [
        ("P57", "Richard Donner", "Q11424", "Which film was directed by Richard Donner?"),
        ("P57", "Richard Donner", "Q5398426", "Which television series was directed by Richard Donner?"),
        ("P19", "Ulm", None, "Who was born in Ulm?"),
        ("P27", "United States of America", None, "Who was a citizen of the United States of America?"),
        ("P27", "Germany", None, "Who was a citizen of Germany?"),
        ("P27", "The Gambia", None, "Who was a citizen of The Gambia?"),
        ("P31", "airline", "Q783794", "Which company is an airline?"),
        ("P31", "university", "Q5341295", "Which educational institution is a university?"),
        ("P106", "actor", None, "Who is or was an actor?"),
        ("P106", "FBI agent", None, "Who is or was an FBI agent?"),
        ("P206", "Danube", "Q486972", "Which settlement is located in or next to the Danube?"),
        ("P138", "Paul the Apostle", None, "What is named after Paul the Apostle?"),
        (
            "P1441",
            "Who Framed Roger Rabbit?",
            "Q95074",
            'Which fictional character appears in "Who Framed Roger Rabbit?"?',
        ),
    ],
)
def test_questions_as_worked_out_by_hand(pid: str, entity: str, qid: str | None, expected: str) -> None:
    kind = RELATIONS.classes[qid] if qid else None
    assert question(RELATIONS.simple[pid], entity, kind) == expected


def test_an_intersection_merges_two_clauses() -> None:
    simple = RELATIONS.simple
    film, work = RELATIONS.classes["Q11424"], RELATIONS.classes["Q17537576"]
    expected = "Which film had Sean Astin as a cast member and was directed by Richard Donner?"
    assert intersection(simple["P161"], "Sean Astin", simple["P57"], "Richard Donner", film) == expected
    assert intersection(simple["P161"], "Sean Astin", simple["P57"], "Richard Donner") == expected
    assert narrower(work, film) is film
    assert narrower(film, work) is film
    assert (
        intersection(simple["P19"], "Ulm", simple["P20"], "Princeton") == "Who was born in Ulm and died in Princeton?"
    )


def test_a_composition_asks_about_a_plural_phrase() -> None:
    outer, simple = RELATIONS.composition, RELATIONS.simple
    building, university = RELATIONS.classes["Q41176"], RELATIONS.classes["Q5341295"]
    assert (
        composition(outer["P2048"], simple["P131"], "Dubai", building)
        == "What are the heights of the buildings located in Dubai?"
    )
    assert (
        composition(outer["P58"], simple["P57"], "Richard Donner")
        == "Who are the screenwriters of the films directed by Richard Donner?"
    )
    assert (
        composition(outer["P571"], simple["P463"], "Ivy League", university)
        == "When were the educational institutions that have been members of the Ivy League founded or created?"
    )
    album, film = RELATIONS.classes["Q482994"], RELATIONS.classes["Q11424"]
    assert composition(outer["P577"], simple["P31"], "studio album", album) == "When did the studio albums come out?"
    assert (
        composition(outer["P577"], simple["P31"], "road movie", film)
        == "When did the films classed as a road movie come out?"
    )
    assert composition(outer["P19"], simple["P463"], "Royal Society", RELATIONS.classes["Q215627"]) == (
        "Where were the people who have been members of the Royal Society born?"
    )


@pytest.mark.parametrize(
    ("pid", "subject", "object_", "expected"),
    [
        ("P57", "The Goonies", "Richard Donner", "The Goonies was directed by Richard Donner."),
        ("P58", "The Goonies", "Steven Spielberg", "The Goonies has Steven Spielberg as screenwriter."),
        ("P161", "The Goonies", "Sean Astin", "The Goonies has Sean Astin as a cast member."),
        ("P127", "YouTube", "Google", "YouTube is or was owned by Google."),
        ("P1830", "Google", "YouTube", "Google owns or owned YouTube."),
        ("P31", "Qantas", "airline", "Qantas is or was an airline."),
        ("P530", "United Kingdom", "Fiji", "The United Kingdom has or had diplomatic relations with Fiji."),
        ("P355", "Time Warner", "Warner Bros. Inc.", "Warner Bros. Inc. is or was a subsidiary of Time Warner."),
        ("P749", "Warner Bros.", "Time Inc.", "Warner Bros. is or was a subsidiary of Time Inc."),
        ("P8345", "Bart Simpson", "The Simpsons", "Bart Simpson is part of The Simpsons franchise."),
        ("P569", "Ada Lovelace", "10 December 1815", "The date of birth of Ada Lovelace is 10 December 1815."),
        ("P47", "eSwatini", "South Africa", "eSwatini borders on South Africa."),
        (
            "P126",
            "Fort Point",
            "National Park Service",
            "Fort Point is or was maintained by the National Park Service.",
        ),
        ("P520", "Humvee", "M16 rifle", "Humvee is or was armed with the M16 rifle."),
        ("P361", "Royal Artillery", "British Army", "The Royal Artillery is or was part of the British Army."),
        ("P2348", "Roman Republic", "classical antiquity", "The Roman Republic belongs to classical antiquity."),
        ("P2348", "Larry Hagman", "20th century", "Larry Hagman belongs to the 20th century."),
        ("P1454", "Iberia", "joint-stock company", "The legal form of Iberia is that of a joint-stock company."),
    ],
)
def test_hypotheses_keep_the_statements_direction(pid: str, subject: str, object_: str, expected: str) -> None:
    assert hypothesis(RELATIONS, pid, subject, object_) == expected


def test_a_property_without_template_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="P999999"):
        hypothesis(RELATIONS, "P999999", "a", "b")


@pytest.mark.parametrize("label", ["", " ", "\n\t"])
def test_an_empty_label_is_refused(label: str) -> None:
    with pytest.raises(ValueError, match="empty label"):
        question(RELATIONS.simple["P57"], label)
    with pytest.raises(ValueError, match="empty label"):
        hypothesis(RELATIONS, "P57", "The Goonies", label)


@given(label=ODD, pid=st.sampled_from(sorted(RELATIONS.simple)))
@settings(max_examples=300, deadline=None)
def test_odd_labels_are_rendered_as_they_stand_in_questions(label: str, pid: str) -> None:
    relations: Relations = RELATIONS
    shown = " ".join(label.split())
    outer = relations.composition["P2048"]
    for text in (question(relations.simple[pid], label), composition(outer, relations.simple[pid], label)):
        assert shown in text
        assert "  " not in text and text[0].isupper()
        assert text.endswith("?") and text.count("?") == shown.count("?") + 1
        assert text.count("{") == shown.count("{")


@given(first=ODD, second=ODD)
@settings(max_examples=200, deadline=None)
def test_odd_labels_are_rendered_as_they_stand_in_intersections(first: str, second: str) -> None:
    text = intersection(RELATIONS.simple["P27"], first, RELATIONS.simple["P106"], second)
    shown = [" ".join(label.split()) for label in (first, second)]
    assert all(label in text for label in shown)
    assert "  " not in text
    assert text.count("?") == sum(label.count("?") for label in shown) + 1


@given(subject=ODD, object_=ODD, pid=st.sampled_from(sorted(RELATIONS.properties)))
@settings(max_examples=300, deadline=None)
def test_odd_labels_are_rendered_as_they_stand_in_hypotheses(subject: str, object_: str, pid: str) -> None:
    text = hypothesis(RELATIONS, pid, subject, object_)
    for label in (subject, object_):
        assert " ".join(label.split()) in text or " ".join(label.split()).endswith(".")
    assert "  " not in text
    assert text.endswith(".")
