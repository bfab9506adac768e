"""The bound on readers of text: all loops bear it, no small text reaches it, and past it a record is a reject."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.contract import Output
from stages.core.steps import TOO_SLOW, Steps
from stages.core.texts import Refused
from stages.facts.candidate_evidence import CANDIDATES
from stages.facts.nli_validation import Judge, validate
from stages.facts.roles import check
from stages.facts.roles.clauses import MentionNames
from stages.facts.roles.lexicon import load_lexicon
from stages.ifqa.answer_processing import normalised
from stages.ifqa.titles import FOUND_TITLES
from stages.musique.composition import nesting
from stages.musique.composition.describe import asked_noun, describe
from stages.musique.composition.grammar import load_grammar
from stages.musique.composition.mechanical_composition import mechanical
from stages.musique.composition.names import recased, subject_name
from stages.musique.composition.words import Known, compose
from stages.musique.disconnection.tables import KEPT_BRIDGES
from stages.musique.single_hops.tables import GOLD_PARAGRAPHS
from stages.normalise import compounds, normalise
from stages.normalise.clean import PlainText
from stages.normalise.terms import read_term
from stages.wikipedia import brackets, tags
from stages.wikipedia.expand import expand
from stages.wikipedia.wikitext import clean_wikitext
from tests.stages.facts.test_nli_validation import candidate, scores
from tests.stages.ifqa.rows import question_row, question_table
from tests.stages.ifqa.test_parse import released
from tests.stages.ifqa.test_parse import run as parsed
from tests.stages.musique.composition.world import graph, hops_table
from tests.stages.wikipedia.test_pages import run as pages

STAGES = Path(__file__).resolve().parents[3] / "stages"
STEPS = ("composition", "bridges", "hop_sources", "single_hops", "spellings")
ROOMS = ("facts", "normalise", "ifqa", *(f"musique/{step}" for step in STEPS))
READERS = [
    *(path for room in ROOMS for path in sorted((STAGES / room).rglob("*.py"))),
    *sorted((STAGES / "qampari").glob("*.py")),
    *(STAGES / "wikipedia" / f"{name}.py" for name in ("brackets", "tags", "expand", "expand_values", "wikitext")),
    *(STAGES / "wikipedia" / f"{name}.py" for name in ("prose", "sentences", "segment", "title_lookup", "pages")),
]
# Loops over no text (groups, numbers, redirects with a bound of their own), or of which each turn leaves one word less.
OTHERWISE_BOUND = {
    ("passages", "_root"),
    ("title_lookup", "find"),
    ("forms", "find"),
    ("limits", "most"),
    ("other_names", "_surname"),
}
LEXICON, GRAMMAR = load_lexicon(), load_grammar()


def test_a_text_has_so_many_steps_and_no_more() -> None:
    steps = Steps("abc", each=2)
    assert all(steps.on() for _ in range(8))
    with pytest.raises(Refused, match="more than 8 steps from: abc") as refused:
        steps.on()
    assert refused.value.reason == TOO_SLOW
    with pytest.raises(Refused, match="more than 3 steps from: a b"):
        list(iter(Steps(["a", "b"]).on, False))


def test_every_loop_of_a_reader_takes_a_step_in_each_turn() -> None:
    free = {
        (path.stem, function.name)
        for path in READERS
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef)
        for loop in ast.walk(function)
        if isinstance(loop, ast.While) and not ast.unparse(loop.test).endswith("steps.on()")
    }
    assert free == OTHERWISE_BOUND


def roles_of(text: str) -> None:
    for prop in ("P57", "P161", "P22", "P26", "P40"):
        for topic in (False, True):
            ends = MentionNames(("Grey Harbour",)), MentionNames(("Ada",), topic)
            assert check.check(LEXICON, prop, text, *ends) in (None, "other_role", "swapped_roles")


def wording_of(text: str) -> None:
    for whole in (recased(text, (), GRAMMAR), recased(text, ("The Ada", text), GRAMMAR)):
        subject_name(whole, (), GRAMMAR)
        asked_noun(whole, GRAMMAR)
        describe(whole, "PERSON", GRAMMAR)
    assert compose([text, "where did #1 and Ada live"], Known({}, {}), GRAMMAR).question.endswith("?")


def prose_of(text: str) -> None:
    assert "<ref>" not in clean_wikitext(text)
    expand(text)


def form_of(text: str) -> None:
    assert normalise(text, passage=f"{text} {text}").refusal != TOO_SLOW


# What each reader of text takes apart, and texts that it has to come through.
TOKENS: dict[str, tuple[Callable[[str], None], str]] = {
    "roles": (roles_of, """( ) " Ada Grey_Harbour actors director directed by and , the"""),
    "kinship": (roles_of, """( ) ' 's Ada his son sons of married and , Grey_Harbour"""),
    "normaliser": (form_of, """( ) " - , 5 1/2 million ft in and May 1990 BC minus year"""),
    "wording": (wording_of, """( ) " ' who which city is was the born first Ada >> country"""),
    "wikitext": (prose_of, """{{ }} [[ ]] {{{ '' ''' <ref> </ref> <!-- | a convert|5|6 {| |} ="""),
}


PLACES = st.lists(st.integers(0, 99), min_size=1, max_size=12)


def text_of(words: Iterable[str]) -> str:
    return " ".join(words).replace("_", " ")


@pytest.mark.parametrize("name", TOKENS)
def test_every_short_text_is_read_to_its_end(name: str) -> None:
    reader, words = TOKENS[name]
    for size in range(1, 4):
        for chosen in product(words.split(), repeat=size):
            reader(text_of(chosen))


@pytest.mark.parametrize("name", TOKENS)
@given(first=PLACES, times=st.integers(1, 4), rest=PLACES)
def test_every_text_of_brackets_quotes_and_repeated_words_is_read_to_its_end(
    name: str, first: list[int], times: int, rest: list[int]
) -> None:
    reader, words = TOKENS[name][0], TOKENS[name][1].split()
    reader(text_of(words[place % len(words)] for place in first * times + rest))


@pytest.mark.parametrize("prop", ["P57", "P161"])
@pytest.mark.parametrize("text", ["1) The actors of Grey Harbour were led by Ada.", "Ada) actors"])
def test_what_a_bracket_closes_that_never_opened_is_no_holder(prop: str, text: str) -> None:
    assert check.check(LEXICON, prop, text, MentionNames(("Grey Harbour",)), MentionNames(("Ada",))) is None


def test_a_text_that_takes_more_than_its_steps_is_refused_however_long() -> None:
    sentence = "director ) " * 4000
    assert check.check(LEXICON, "P57", sentence, MentionNames(("Grey Harbour",)), MentionNames(("Ada",))) == TOO_SLOW


def validated() -> Output:
    rows = [candidate("Q2", "Ada"), candidate("Q3", "Tomas Vell", "Tomas Vell spoke.")]
    table = CANDIDATES.table(rows)
    return validate(table, scores(table, 1.0, 1.0), judge=Judge({}, 0.5, LEXICON))


PAGES = {"Ada": "[[Rome]] and <b>more</b>.", "Brig": "A ship."}


def cleaned() -> Output:
    return pages(*({"title": title, "text": text, "markup": True} for title, text in PAGES.items()))


ROME = graph("2hop", ["Rome >> country", "where is #1"], ["Italy", "here"])


def worded() -> Output:
    return mechanical(hops_table(ROME), KEPT_BRIDGES.empty(), GOLD_PARAGRAPHS.empty(), grammar=GRAMMAR)


def read() -> Output:
    return parsed(released(idx=1, question="If [[a b|it]] fell?"), released(idx=2))


TALL = question_row("If it were tall?", answers=["5 ft 11 in", "7"])


# Ends before the second amount of five feet eleven begins.
INCHES = read_term(PlainText("11 in", "11 in"), 0, None)


def formed() -> Output:
    return normalised(question_table(TALL), FOUND_TITLES.empty())


def stands_still(module: Any, name: str) -> Callable[[pytest.MonkeyPatch], None]:
    """Makes a reader that goes on from where a bracket or tag begins, not from where it ends."""
    return lambda patch: patch.setattr(module, name, lambda self, found: found.start())


def put(module: Any, name: str, value: Any) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda patch: patch.setattr(module, name, lambda *_: value)


ENDLESS: list[tuple[Callable[[pytest.MonkeyPatch], None], Callable[[], Output], list[str]]] = [
    (put(check, "_phrase", ((), ())), validated, ["Q1 P57 Q2", "Q1 P57 Q3"]),
    (stands_still(brackets._Resolver, "_token"), cleaned, ["Ada"]),
    (stands_still(tags._TagStripper, "_tag"), cleaned, ["Ada"]),
    (put(nesting, "_hardest", 1), worded, [ROME["graph"]]),
    (stands_still(brackets._Resolver, "_token"), read, ["mine:1"]),
    (put(compounds, "read_term", INCHES), formed, [f"{TALL['question_id']} 0"]),
]


@pytest.mark.parametrize(("breaks", "kernel", "keys"), ENDLESS)
def test_a_record_whose_reading_does_not_end_is_a_reject_and_the_others_go_on(
    breaks: Callable[[pytest.MonkeyPatch], None],
    kernel: Callable[[], Output],
    keys: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = sum(table.num_rows for table in kernel().tables.values())
    breaks(monkeypatch)
    output = kernel()
    assert [(row["key"], row["reason"]) for row in output.rejects.to_pylist()] == [(key, TOO_SLOW) for key in keys]
    assert sum(table.num_rows for table in output.tables.values()) == rows - len(keys) * (kernel is not formed)


def test_equal_inputs_give_equal_rejects(monkeypatch: pytest.MonkeyPatch) -> None:
    stands_still(tags._TagStripper, "_tag")(monkeypatch)
    assert cleaned().rejects.equals(cleaned().rejects)
