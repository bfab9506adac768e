"""Files of one's own over built-in ones: one rule, and what is wrong named with file and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from stages.core.contract import StageError
from stages.core.overlay import Overlay, OwnFile, using
from stages.core.template_files import digests, known, read_template


def over(name: str, *texts: str) -> Overlay:
    files = [OwnFile(name, text.encode(), layer, f"mine{layer}/{name}") for layer, text in enumerate(texts, start=1)]
    return Overlay(tuple(files))


def test_entries_stand_beside_and_in_place_of_built_in_ones() -> None:
    plain = read_template("adjectives.yaml").data["places"]
    with using(over("adjectives.yaml", "version: 1\nplaces: {Danish: Jutland, Ardenite: Arden}", "version: 1")):
        found = read_template("adjectives.yaml")
        assert found.data["places"] == {**plain, "Danish": "Jutland", "Ardenite": "Arden"}
        assert found.where == "--templates mine2/adjectives.yaml"
        assert list(digests("adjectives.yaml")) == ["adjectives.yaml", "own/adjectives.yaml", "own2/adjectives.yaml"]
    assert read_template("adjectives.yaml").data["places"] == plain


def test_lists_are_replaced_whole_and_what_is_not_said_stays() -> None:
    plain = read_template("lexicons/polarity.yaml").data
    with using(over("lexicons/polarity.yaml", "version: 2\nmore: [aplenty]")):
        assert read_template("lexicons/polarity.yaml").data == {**plain, "more": ["aplenty"]}


def test_a_later_folder_stands_over_an_earlier_one() -> None:
    texts = [f"version: 2\nreasons: {{{reason}: {{{cue}: 1}}}}" for reason, cue in [("mine", "a"), ("mine", "b")]]
    with using(over("screening/causal.yaml", *texts)):
        assert read_template("screening/causal.yaml").data["reasons"]["mine"] == {"b": 1}


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("adjectives.yaml", "places: {A: B}", "version: expected 1, that of the built-in file, found None"),
        ("adjectives.yaml", "version: 2\nplaces: {A: B}", "version: expected 1, that of the built-in file, found 2"),
        ("adjectives.yaml", "version: true", "version: expected 1, that of the built-in file, found True"),
        ("adjectives.yaml", "version: 1\nplace: {A: B}", "place: unknown key; expected some of version, places"),
        ("adjectives.yaml", "version: 1\nplaces: {A: 5}", "places.A: expected a text, found 5"),
        ("adjectives.yaml", "version: 1\nplaces: {no: A}", "places.False: expected a text as a key"),
        ("adjectives.yaml", "version: 1\nplaces: [A]", r"places: expected a mapping, found \['A'\]"),
        ("adjectives.yaml", "version: 1\nplaces:", "places: expected a mapping, found None"),
        ("adjectives.yaml", "- 1", "expected a mapping with version, found list"),
        ("adjectives.yaml", "version: 1\nversion: 1", "line 2: 'version' stands twice"),
        ("sorts.yaml", "version: 1\nsorts: {a: {words: [b], near: [true]}}", r"sorts.a.near: expected true or false"),
        (
            "screening/causal.yaml",
            "version: 2\nreasons: {a: {b: high}}",
            "reasons.a.b: expected a number, found 'high'",
        ),
        ("normalise/currencies.yaml", "version: 1\ncurrencies: [5]", "currencies, number 1: expected a mapping"),
        (
            "normalise/units.yaml",
            "version: 1\nunits: {zz: {one: 1, many: b}}",
            "units.zz.one: expected a text, found 1",
        ),
        ("composition/relations.yaml", "version: 2\nrelations: {a: {ask: 5}}", "relations.a.ask: expected a text"),
    ],
)
def test_what_does_not_look_like_the_built_in_file_is_named(name: str, text: str, told: str) -> None:
    with using(over(name, text)), pytest.raises(StageError, match=f"^--templates mine1/{name}: {told}"):
        read_template(name)


def test_every_known_file_may_lie_over_itself() -> None:
    assert {"sorts.yaml", "soundness/wholes.yaml", "normalise/dates.yaml", "bridges/kinds.yaml"} < set(known())
    for name in known():
        plain = read_template(name)
        with using(Overlay((OwnFile(name, Path(plain.where).read_bytes()),))):
            assert read_template(name).data == plain.data


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(StageError, match=r"nowhere\.yaml: cannot be read .*; install the package again"):
        read_template("sorts.yaml", Path("nowhere.yaml"))
