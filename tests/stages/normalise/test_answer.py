"""Normalisation as a whole: exact forms with their rules, what a caller may say, what may never happen."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stages.normalise import AnswerPassage, Kind, normalise
from stages.normalise.amount_forms import number_vocabulary
from stages.normalise.date_tokens import vocabulary
from stages.normalise.number_words import cardinal, ordinal_number

PIECES = [
    *sorted(vocabulary() | number_vocabulary()),
    *("1", "2", "7", "12", "31", "44", "79", "500", "1,200", "1969", "1985", "2011", "'76", "1990s", "20th", "3rd"),
    *("-", "–", ",", ".", "/", "%", "$", "£", "km", "miles", "ft", "in", "hours", "million", "½", "2/3", "bc", "ad"),
    *("3/4/2015", "2011-12", "5'11\"", "XIV", "°C", "(", ")", "Apollo", "the", "about", "more than", "between"),
]
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=7).flatmap(
    lambda pieces: st.sampled_from([" ", "", "-", ", "]).map(lambda gap: gap.join(pieces))
)

DATES = st.builds(
    lambda shape, *parts: shape.format(*parts),
    st.sampled_from(
        [
            *(
                "{0} {2} {3}",
                "{2} {0}, {3}",
                "{2} {3}",
                "{3}",
                "{3} BC",
                "AD {3}",
                "the {3}0s",
                "{0}th century",
                "c. {3}",
            ),
            *(
                "{3}–{4}",
                "{3} to {4}",
                "{3}-{1:02}",
                "{0}–{1} {2} {3}",
                "{2} {0} – {2} {1}, {3}",
                "{2} {0}",
                "{0}/{1}/{3}",
            ),
            *(
                "summer of {3}",
                "'{1:02}",
                "{2} {0}, '{1:02}",
                "{3} BC – AD {4}",
                "the {1:02}s",
                "early {3}",
                "{0}th century BC",
            ),
            *(
                "about {3}",
                "{3}, {4}",
                "{0} p.m.",
                "{0}:{1:02}",
                "{3}–{1}",
                "{2}",
                "Monday, {2} {0}, {3}",
                "Q{0} {3}",
                "{3}/{4}",
            ),
        ]
    ),
    st.integers(0, 32),
    st.integers(0, 99),
    st.sampled_from(["January", "Feb.", "may", "Sept", "December"]),
    st.one_of(st.integers(1000, 2100), st.integers(0, 99999)),
    st.integers(0, 2100),
)


def forms(text: str, passage: str | None = None) -> list[tuple[str, str]]:
    return [tuple(form) for form in normalise(text, passage).forms]


def test_a_number_comes_in_digits_and_words() -> None:
    assert forms("1,200,000") == [
        ("1200000", "digits"),
        ("1,200,000", "grouped_digits"),
        ("one million two hundred thousand", "words"),
    ]
    assert forms("two") == [("2", "words"), ("two", "words")]


def test_a_number_takes_the_unit_that_the_passage_gives_it() -> None:
    assert forms("4", "The crossing takes 4 hours.")[-1] == ("4 hours", "unit_of_passage")
    assert forms("four", "The crossing takes four hours.")[-1] == ("4 hours", "unit_of_passage")
    # Two units for one number: neither is better.
    assert forms("4", "It takes 4 hours and 4 miles.") == [("4", "digits"), ("four", "words")]
    assert forms("4", "It takes 14 hours, and 2.4 hours.") == [("4", "digits"), ("four", "words")]


def test_a_number_takes_no_unit_that_is_not_asked_for() -> None:
    passage = "It took two months, and seven states joined in the 2006 year of the fair."
    assert normalise("2", AnswerPassage(passage, question="How many months did it take?")).forms[-1].text == "2 months"
    assert normalise("2", AnswerPassage(passage, question="How many editions came?")).forms[-1].text == "two"
    assert forms("7", passage)[-1] == ("seven", "words")
    assert "2006 year" not in [text for text, _ in forms("2006", passage)]


def test_an_ordinal_is_a_century_where_one_is_asked_for() -> None:
    asked = AnswerPassage("", question="If it had ended a year earlier, in which century would it have ended?")
    assert [form.text for form in normalise("the 19th", asked).forms] == ["18XX", "19th century"]
    assert normalise("21st", asked).kind is Kind.DATE
    assert normalise("19th", AnswerPassage("", question="Which president of the century was he?")).value == "19th"
    assert normalise("seven", asked).kind is Kind.NUMBER


def test_a_quantity_comes_with_and_without_its_unit() -> None:
    assert forms("6 miles", "The lake is six miles long, or 6 mi by road.") == [
        ("6 mi", "quantity"),
        ("6 miles", "unit_name"),
        ("six miles", "words"),
        ("6", "without_unit"),
    ]


def test_compound_units_have_a_total() -> None:
    assert forms("5 ft 11 in") == [("5 ft 11 in", "compound"), ("71 in", "compound_total")]


def test_a_day_takes_its_year_from_the_passage_as_a_second_form() -> None:
    assert forms("December 26", "It sank on December 26, 1982 off the coast.") == [
        ("XXXX-12-26", "day_of_year"),
        ("1982-12-26", "year_of_passage"),
    ]
    assert forms("December 26", "On December 26, 1982 and December 26, 1983 it rained.") == [
        ("XXXX-12-26", "day_of_year")
    ]


def test_what_the_caller_knows_decides_between_readings() -> None:
    assert normalise("1936", expect=Kind.NUMBER).kind is Kind.NUMBER
    assert normalise("1936", expect=Kind.DATE).kind is Kind.DATE
    assert normalise("2011-12").refusal == "month_or_range"
    assert normalise("2011-12", expect=Kind.DATE).value == "2011-12"
    assert normalise("1936", expect=Kind.SPAN).kind is Kind.SPAN
    # It decides nothing else.
    assert normalise("Marie Curie", expect=Kind.DATE).kind is Kind.SPAN


def test_a_passage_may_be_text_or_more() -> None:
    text = "It closed on 3 April 2015."
    assert normalise("3/4/2015", text) == normalise("3/4/2015", AnswerPassage(text))


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("\u200f20 July 1969\u200e", Kind.DATE, "1969-07-20"),
        ("\u202a44 BC\u202c", Kind.DATE, "-0043"),
        ("4\u00a0hours", Kind.DURATION, "PT4H"),
        ("\ufefftwo\x00", Kind.NUMBER, "2"),
        ("1\u200b9\u200b3\u200b6", Kind.DATE, "1936"),
        ("", Kind.SPAN, None),
        ("\u200e \x00\t", Kind.SPAN, None),
        ("((((((((", Kind.SPAN, "(((((((("),
        ('"' * 50, Kind.SPAN, '"' * 50),
        ("\ud800", Kind.SPAN, "\ufffd"),
        ("e\u0301", Kind.SPAN, "é"),
        ("²", Kind.SPAN, "²"),
    ],
)
def test_marks_that_nobody_sees(text: str, kind: Kind, value: str | None) -> None:
    result = normalise(text)
    assert (result.kind, result.value) == (kind, value)


@pytest.mark.parametrize(
    "text",
    [
        *("9" * 120, "1" * 10**6, "1," * 10**5, "one " * 10**5, "one and " * 15, "a " * 10**5, "(" * 10**6),
        *("1 (" * 40, "1/" * 60, "1–" * 60, "-" * 119, "'76 " * 30, "\u202e" * 10**6, "\x00" * 10**6, "July " * 24),
        *("1 000 " * 20, "hundred " * 14, "two and a half " * 8, "P1Y" * 30, "1969, " * 20, "½" * 119, "XX-" * 39),
    ],
    ids=lambda text: repr(text[:8]),
)
def test_long_and_repeated_texts_end(text: str) -> None:
    normalise(text, text).text.encode("utf-8")


def test_an_answer_of_a_megabyte_stays_a_span() -> None:
    text = "20 July 1969 " * 80_000
    assert normalise(text).value == text.strip()


@given(st.text(max_size=200), st.text(max_size=200))
@example("1", "1")
@example("\udfff1", "")
def test_any_text_has_a_kind_and_can_be_written(text: str, passage: str) -> None:
    result = normalise(text, passage)
    assert result.kind in Kind
    assert (result.refusal is None) == bool(result.forms)
    for form in result.forms:
        form.text.encode("utf-8")


@given(st.one_of(TEXTS, DATES))
def test_a_canonical_form_is_its_own(text: str) -> None:
    result = normalise(text)
    if result.value is None:
        return
    again = normalise(result.value, expect=result.kind)
    assert (again.kind, again.value) == (result.kind, result.value)


@given(st.one_of(TEXTS, DATES), st.one_of(st.just(""), TEXTS, DATES))
def test_no_part_of_a_date_is_invented(text: str, passage: str) -> None:
    result = normalise(text, passage)
    if result.kind is not Kind.DATE:
        return
    known = sayable(f"{text} {passage}")
    for form in result.forms:
        for number in re.findall(r"\d+", form.text):
            assert int(number) in known, (text, passage, form)


def test_today_is_in_no_answer() -> None:
    """What general date libraries put in where a part is missing."""
    now = datetime.now(UTC)
    for text in ("1936", "July 1969", "December 26", "the 1990s", "spring of 1921", "44 BC", "1850 to 1855", "6 p.m."):
        for form in normalise(text).forms:
            assert str(now.year) not in form.text
            assert not form.text.endswith(f"-{now.month:02}-{now.day:02}") or text == "December 26"


def test_nothing_heavy_is_imported(repo: Path) -> None:
    code = "import sys, stages.normalise; print([m for m in ('apache_beam', 'torch', 'spacy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=repo, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def sayable(text: str) -> set[int]:
    """All numbers that a part of a date may have, given the numbers, words and names of a text."""
    lower = re.sub(r"(?<=\d),(?=\d{3})", "", text.lower())
    numbers = {int(digits) for digits in re.findall(r"\d+", lower)}
    words = re.findall(r"[a-z]+", lower)
    spelt = {cardinal(part) for part in [*words, *map("-".join, pairwise(words))]}
    places = {ordinal_number(part) for part in [*words, *map("-".join, pairwise(words))]}
    named = {value for word in words if (value := _named(word)) is not None}
    numbers |= {number for number in [*spelt, *places] if number is not None} | named
    years = numbers | {abs(1 - number) for number in numbers}
    # Decades and centuries drop digits, a decade BC spans ten years, two digits continue a year before them.
    shorter = {number // 10 for number in years} | {number // 100 for number in years} | {n - 1 for n in numbers}
    spans = {number + step for number in numbers for step in range(-1, 10)}
    continued = {n - n % base + m for n in numbers for m in numbers for base in (10, 100) if m < base}
    spoken = {n * 100 + m for n in numbers if 10 <= n <= 20 for m in numbers if m < 100}
    clock = {number + 12 for number in numbers if number <= 12} | ({0} if "12" in lower else set())
    quarters = {number + 32 for number in numbers if number <= 4}
    return years | shorter | spans | continued | spoken | clock | quarters


def _named(word: str) -> int | None:
    months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    seasons = {"spr": 21, "sum": 22, "aut": 23, "fal": 23, "win": 24}
    decades = {"twe": 20, "thi": 30, "for": 40, "fif": 50, "six": 60, "sev": 70, "eig": 80, "nin": 90}
    short = word[:3]
    if short in months:
        return months.index(short) + 1
    return decades.get(short) if word.endswith("ies") else seasons.get(short)


def forms_of(text: str) -> list[str]:
    return [form.text for form in normalise(text).forms]


@pytest.mark.parametrize(
    ("text", "forms"), [("a decade", ["P10Y", "1 decade", "one decade"]), ("a mile", ["1 mi", "1 mile", "one mile"])]
)
def test_an_article_gives_no_bare_number(text: str, forms: list[str]) -> None:
    assert forms_of(text) == forms
    assert "1" in forms_of(text.replace("a ", "one "))


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("nearly 10", ["~10", "10"]),
        ("About 50%", ["~50%", "~50 percent", "~50", "50%", "50 percent", "50"]),
        ("about $5", ["~$5", "~5", "$5", "5"]),
        ("about 2 to 4 km", ["~2–4 km", "2–4 km"]),
        # A bound is another value than the number that it stands at.
        ("over 50%", [">50%", ">50 percent", ">50"]),
    ],
)
def test_whatever_is_said_to_be_about_a_value_accepts_the_value(text: str, forms: list[str]) -> None:
    assert forms_of(text) == forms
