"""All real answers of IfQA: no crash, digits and words agree, and the counts that the documentation gives."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from stages.normalise import AnswerPassage, Kind, NormalisedAnswer, normalise

DIGITS = re.compile(r"\d{1,3}(?:,?\d{3})*")
LETTERS = re.compile(r"[A-Za-z -]+")


@pytest.fixture(scope="module")
def rows(shared_data: Path) -> list[dict[str, Any]]:
    files = [shared_data / "ifqa" / f"full_{part}.json" for part in ("train", "dev")]
    return [row for file in files for row in json.loads(file.read_text(encoding="utf-8"))]


@pytest.fixture(scope="module")
def results(rows: list[dict[str, Any]]) -> list[NormalisedAnswer]:
    passages = [(row["answers"], AnswerPassage(" ".join(row["context"]))) for row in rows]
    return [normalise(answer, passage) for answers, passage in passages for answer in answers]


def test_pairs_of_digits_and_words_agree(rows: list[dict[str, Any]]) -> None:
    pairs = 0
    for row in rows:
        digits = [answer for answer in row["answers"] if DIGITS.fullmatch(answer)]
        spelt = [answer for answer in row["answers"] if LETTERS.fullmatch(answer)]
        values = {normalise(answer).value for answer in spelt if normalise(answer).kind is Kind.NUMBER}
        if digits and values:
            pairs += 1
            assert values <= {normalise(answer).value for answer in digits}, row["answers"]
    assert pairs == 117


def test_kinds(results: list[NormalisedAnswer]) -> None:
    assert len(results) == 3885
    kinds = Counter(str(result.kind) for result in results)
    assert kinds == {
        "span": 2621,
        "date": 558,
        "number": 533,
        "ordinal": 52,
        "duration": 42,
        "quantity": 32,
        "money": 29,
        "percent": 11,
        "yes_no": 7,
    }


def test_refusals_are_few(results: list[NormalisedAnswer]) -> None:
    refused = Counter(result.refusal for result in results if result.refusal)
    assert sum(refused.values()) < 60
    assert not refused.keys() & {"bad_number", "impossible_date", "wrong_weekday", "mixed_digits"}


def test_no_year_is_invented(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        passage = AnswerPassage(" ".join(row["context"]))
        for answer in row["answers"]:
            result = normalise(answer, passage)
            if result.kind is Kind.DATE:
                for year in re.findall(r"\d{4}", " ".join(form.text for form in result.forms)):
                    assert year in answer or year in passage.text
