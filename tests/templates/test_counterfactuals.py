"""The sample of counterfactual questions: its files are those of its source, and odd records meet their reasons."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from stages.core.memory import InMemory
from stages.core.texts import tidy
from stages.io.detect import ANNOTATIONS, detect
from stages.wikipedia.sentences import split_sentences
from stages.wikipedia.wikitext import clean_wikitext
from tests.people_samples import of_answers
from tests.tools import build_counterfactuals, counterfactuals_source
from tests.tools.build_counterfactuals import ANSWERS, DAMAGED, SAMPLE
from tests.tools.counterfactuals_questions import passage_of
from tests.tools.counterfactuals_source import Sample
from tests.tools.sample_run import run

SOURCE = SAMPLE / "source"


@cache
def sample() -> Sample:
    return counterfactuals_source.read(SOURCE)


@cache
def built() -> InMemory:
    return run("ifqa", (SAMPLE,), (SAMPLE / ANSWERS,))


@cache
def built_with_damage() -> InMemory:
    folder = SAMPLE / DAMAGED
    given, answers = (
        [folder / "pages.jsonl", folder / "questions.jsonl"],
        [folder / "written.jsonl", folder / "votes.jsonl"],
    )
    return run("ifqa", (SAMPLE, *given), (SAMPLE / ANSWERS, *answers))


def test_the_files_are_those_of_the_source() -> None:
    files = build_counterfactuals.build(SOURCE)
    for name, data in files.items():
        assert (SAMPLE / name).read_bytes() == data, f"{name}: run python -m tests.tools.build_counterfactuals"
    there = {
        path.relative_to(SAMPLE).as_posix() for path in SAMPLE.rglob("*") if path.suffix in (".jsonl", ".json", ".xml")
    }
    assert there == set(files)


def test_the_sample_is_small() -> None:
    assert sum(path.stat().st_size for path in SAMPLE.rglob("*") if path.is_file()) < 600_000


def test_the_files_of_the_sample_are_told_apart() -> None:
    files = [path for path in sorted(SAMPLE.iterdir()) if path.is_file() and path.name != "README.md"]
    assert {kind: len(paths) for kind, paths in detect([str(path) for path in files]).paths.items()} == {
        **{"mediawiki": 1, "pages": 1, "asked": 2}
    }
    assert set(detect([str(SAMPLE / ANSWERS)]).paths) == {ANNOTATIONS}


def test_pages_of_questions_have_two_passages_and_no_sentence_stands_twice() -> None:
    asked = [page for page in sample().pages if page.questions]
    assert len(asked) >= 45
    texts = {page.title: clean_wikitext(page.text) for page in asked}
    assert [title for title, text in texts.items() if not 110 <= len(text.split()) <= 200] == []
    sentences = Counter(s for text in texts.values() for line in text.split("\n") for s in split_sentences(line))
    assert [sentence for sentence, count in sentences.items() if count > 1] == []


def test_questions_suppose_something_and_are_about_a_passage() -> None:
    pages = {page.title: page for page in sample().pages}
    assert len(sample().questions) >= 66
    for question in sample().questions:
        assert question.about in passage_of(question, pages[question.title])
        assert tidy(question.asks, 500) == question.asks
    assert [q.asks for q in sample().questions if not re.search(r"\bif\b", q.asks, re.I)] == [
        "Suppose the digging of the Suez Canal had taken half the time. For how many years would it have lasted?"
    ]


def test_every_question_comes_through_but_for_those_that_are_meant_to_fall_out() -> None:
    read = {row["question"] for row in built().rows("raw_questions")}
    lost = [question.asks for question in sample().questions if question.asks not in read]
    assert len(lost) == 1 and lost[0].startswith("Suppose")


def test_what_people_say_of_the_questions() -> None:
    statuses = Counter(row["status"] for row in built().rows("verdicts_verification") if row["votes"])
    assert statuses["confirmed"] >= 66
    assert statuses["revised"] == statuses["no_majority"] == statuses["needs_vote"] == 1
    [revised] = [row for row in built().rows("verified_questions") if "the dog Tubby" in row["question"]]
    assert (revised["answers"], revised["confirmed"]) == (["0"], True)


def test_an_expert_refuses_what_the_majority_discards() -> None:
    done = run(
        "ifqa", (SAMPLE,), (SAMPLE / ANSWERS,), settings=("people.experts=[worker-20]", "people.expert_refused=true")
    )
    assert done.reasons("ifqa.verification")["refused"] == 1


def test_without_answers_only_files_ask() -> None:
    without = run("ifqa", (SAMPLE,))
    assert {row["source"] for row in without.rows("raw_questions")} == {"release", "sample", "file"}
    assert len(without.rows("passage_sheets")) == 100


def test_every_kind_of_answer_and_many_rules_occur() -> None:
    rows = built().rows("normalised_answers")
    assert {row["kind"] for row in rows} == {
        *("date", "number", "quantity", "money", "percent", "ordinal", "duration", "entity", "yes_no", "span")
    }
    assert {rule for row in rows for rule in row["rules"]} >= {
        *("date", "month", "year", "decade", "century", "millennium", "season", "interval", "approximate"),
        *("time_of_day", "day_of_year", "year_of_passage", "date_in_digits", "spoken_year", "as_formatted"),
        *("year_before_our_era", "decade_before_our_era", "year_of_our_era", "digits", "grouped_digits", "words"),
        *("scaled", "fraction", "power_of_ten", "range", "numbered", "without_hedge", "unit_of_passage"),
        *("quantity", "compound", "conversion_as_written", "money", "percent", "ordinal_digits", "ordinal_words"),
        *("duration", "compound_duration", "age", "title", "redirect", "page_of_passage", "link_of_passage"),
        *("case_or_diacritics", "title_without_marks", "names_in_brackets", "yes_or_no", "as_written"),
    }
    assert {row["refusal"] for row in rows if row["refusal"]} >= {
        *("two_digit_year", "clock_or_ratio", "part_of_period", "season_without_year", "decade_or_century"),
        *("day_or_month", "rate", "range_or_score", "roman_or_letters", "disambiguation", "ambiguous_title"),
        *("qualifier_needed", "missing_page"),
    }


def why(entries: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """The reasons that entries name."""
    named = (entry["why"] for entry in entries)
    return Counter(word for value in named for word in (value if isinstance(value, list) else [value]) if word)


def met(done: InMemory, *stages: str) -> Counter[str]:
    """How often each reason occurs among the rejects of some stages."""
    return sum((Counter(done.reasons(stage)) for stage in stages), Counter())


ANSWER_STAGES = ("annotation.received", "annotation.verdicts_writing", "annotation.verdicts_verification")


def test_pages_that_are_none_and_the_plain_ones_fall_out() -> None:
    assert built().reasons("wikipedia.pages") == {"disambiguation": 3, "empty_text": 1, "other_namespace": 1}
    assert built().reasons("wikipedia.redirects") == {"redirect_loop": 2}
    assert set(built().reasons("ifqa.screening")) == {"no_cue", "low_score", "not_past"}
    assert built().reasons("ifqa.sheets") == {"sheet_not_full": 5}
    screened = {row["title"] for row in built().rows("screened_passages")}
    assert screened <= {page.title for page in sample().pages if page.questions}


def test_every_odd_question_meets_its_reason() -> None:
    expected = why([*sample().odd["questions"], *sample().odd["released"]])
    repeated = expected.pop("repeated_question")
    assert met(built(), "ifqa.parse") == expected
    # One more is written about two passages.
    assert built().reasons("ifqa.questions") == {"repeated_question": repeated + 1}
    assert built().reasons("ifqa.writing") == {"no_if": 1, "answer_is_nothing": 1}


def test_every_odd_answer_meets_its_reason() -> None:
    expected = why([*sample().odd["written"], *sample().odd["votes"]])
    found = of_answers(met(built(), *ANSWER_STAGES))
    # Who corrects a vote twice has two that no longer count.
    assert found - expected <= Counter(duplicate=1) and not expected - found


def test_every_damaged_record_meets_its_reason() -> None:
    done, damaged = built_with_damage(), sample().damaged
    for stages, files in (
        (("wikipedia.pages",), ("pages",)),
        (("ifqa.parse",), ("questions",)),
        (ANSWER_STAGES, ("written", "votes")),
    ):
        expected = met(built(), *stages) + why([entry for file in files for entry in damaged[file]])
        assert met(done, *stages) == expected, stages


def test_no_source_has_more_bad_records_than_a_build_takes() -> None:
    for stage in ("wikipedia.pages", "ifqa.parse", "annotation.received"):
        metrics = built().metrics[stage]
        assert metrics["bad_records"] <= 0.05 * metrics["records"]


def test_nothing_tells_who_a_worker_is() -> None:
    lines = (SAMPLE / ANSWERS / "votes.jsonl").read_text(encoding="utf-8").splitlines()
    assert all(re.fullmatch(r"worker-\d\d", json.loads(line)["worker"]) for line in lines)
