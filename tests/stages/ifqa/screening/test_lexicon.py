"""The lexicon of cues: what counts as a cue in a text, and files of another shape."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.ifqa.screening.lexicon import FILE, Cue, CueLexicon, Found, load_lexicon, plain, read_lexicon

SMALL = read_lexicon(
    {
        "version": 2,
        "past": 1.0,
        "reasons": {"plan": {"planned to": 0.5, "was to be": 0.25}, "origin": {"originally": 2, "was originally": 1}},
        "terms": {"on": 0.25, "such as": -0.5},
    }
)


def found(text: str, lexicon: CueLexicon = SMALL) -> list[str]:
    return [cue.words for cue in lexicon.found(text).cues]


@pytest.mark.parametrize(
    ("text", "cues"),
    [
        ("It was originally a mill.", ["originally", "was originally"]),
        ("ORIGINALLY, it stood", ["originally"]),
        ("originally originally", ["originally"]),
        ("It was, originally, a mill", ["originally"]),
        ("They planned. To go was", []),
        ("(planned to)", ["planned to"]),
        ("planned\nto", ["planned to"]),
        ("unplanned to and planned together", []),
        ("originally-built and originality", []),
        ("It was “to be”", ["was to be"]),
        ("", []),
        ("\u202e\x00 \U0001f600", []),
    ],
)
def test_cues_are_whole_words_that_no_mark_parts(text: str, cues: list[str]) -> None:
    assert found(text) == cues


def test_the_score_adds_up_the_weights_and_the_share() -> None:
    found = SMALL.found("It was originally planned to close.")
    assert [(cue.words, cue.weight, cue.reason) for cue in found.cues] == [
        ("originally", 2.0, "origin"),
        ("planned to", 0.5, "plan"),
        ("was originally", 1.0, "origin"),
    ]
    assert SMALL.score(found, 0.0) == 3.5
    assert SMALL.score(found, 2 / 3) == 4.166667
    assert SMALL.score(SMALL.found(""), 1.0) == 1.0


def test_terms_add_and_take_and_are_no_cues() -> None:
    assert SMALL.found("On and on, such as on. Such, as") == Found((), -0.25)
    assert SMALL.found("originally such as") == Found((Cue("originally", 2.0, "origin"),), 1.5)


def test_apostrophes_are_one() -> None:
    lexicon = read_lexicon({"version": 2, "past": 0, "reasons": {"contrast": {"didn't": 1}}, "terms": {}})
    assert found("He didn’t come", lexicon) == found("He didn't come", lexicon) == ["didn't"]


def test_the_shipped_lexicon_speaks_of_the_word_that_marks_the_real_passages_most() -> None:
    lexicon = load_lexicon()
    assert max(lexicon.cues, key=lambda cue: cue.weight).words == "originally"
    assert {"cause", "change", "condition", "decision", "origin", "outcome", "plan"} <= {c.reason for c in lexicon.cues}
    assert list(lexicon.digests) == [FILE] and len(lexicon.digests[FILE]) == 64
    assert found("The race was postponed due to the storm.", lexicon) == ["due to", "postponed"]
    assert pickle.loads(pickle.dumps(lexicon)) == lexicon  # noqa: S301 -- our own


@given(st.text())
def test_a_text_without_letters_of_a_cue_has_none_and_every_cue_found_is_in_it(text: str) -> None:
    words = plain(text)
    assert all(f" {cue.words} " in words for cue in SMALL.found(text).cues)
    assert plain(words) == words


@given(st.lists(st.sampled_from(["was", "originally", "planned", "to", "be", "a", ",", "."]), max_size=12))
def test_the_automaton_finds_what_a_plain_search_finds(words: list[str]) -> None:
    text = " ".join(words)
    assert found(text) == [cue.words for cue in SMALL.cues if f" {cue.words} " in f" {text} "]


def shaped(reasons: object, terms: object = None) -> dict[str, object]:
    return {"version": 2, "past": 1, "reasons": reasons, "terms": {} if terms is None else terms}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "expected the keys version, past, reasons and terms"),
        ({"version": 2, "past": 1, "reasons": {"a": {"b": 1}}}, "expected the keys version, past, reasons and terms"),
        (shaped({"a": {"b": 1}}) | {"version": 1}, "version: expected 2, got 1"),
        (shaped([]), "reasons: expected"),
        (shaped({}), "at least one cue"),
        (shaped({"a": ["b"]}), "reasons: expected"),
        (shaped({"a": {"b": 1}}) | {"past": -1}, "past: expected a number"),
        (shaped({"a": {"b": 1}}) | {"past": True}, "past: expected a number"),
        (shaped({"A b": {"b": 1}}), "'A b': expected a word"),
        (shaped({"a": {"Big": 1}}), "a: 'Big': expected one to 4"),
        (shaped({"a": {"b c d e f": 1}}), "expected one to 4"),
        (shaped({"a": {True: 1}}), "a: True: expected one to 4"),
        (shaped({"a": {"b": 0}}), "a: b: expected a weight above 0, got 0"),
        (shaped({"a": {"b": -1}}), "a: b: expected a weight above 0, got -1"),
        (shaped({"a": {"b": float("nan")}}), "a: b: expected a weight"),
        (shaped({"a": {"b": 1}, "c": {"b": 1}}), "c: 'b' stands under another"),
        (shaped({"a": {"b": 1}}, ["c"]), "terms: expected {words: weight}"),
        (shaped({"a": {"b": 1}}, {"b": 1}), "terms: 'b' is a cue too"),
        (shaped({"a": {"b": 1}}, {"c d e f g": 1}), "terms: 'c d e f g': expected one to 4"),
        (shaped({"a": {"b": 1}}, {True: 1}), "terms: True: expected one to 4"),
        (shaped({"a": {"b": 1}}, {"c": 0}), "terms: c: expected a weight above or below 0, got 0"),
        (shaped({"a": {"b": 1}}, {"c": "1"}), "terms: c: expected a weight above or below 0, got '1'"),
    ],
)
def test_other_shapes_are_refused_by_key(content: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_lexicon(content)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "cues.yaml"
    file.write_text("version: 2\npast: 1\nreasons:\n  plan:\n    a: 1\n    a: 2\n", encoding="utf-8")
    with pytest.raises(StageError, match=r"cues.yaml: line 6: 'a' stands twice"):
        load_lexicon(file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(StageError, match=r"cues.yaml"):
        load_lexicon(file)


def test_cues_can_be_compared() -> None:
    assert Cue("a", 1.0, "plan") == Cue("a", 1.0, "plan")
