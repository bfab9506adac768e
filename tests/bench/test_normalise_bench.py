"""The normaliser beside general libraries on the hand-worked cases, and its pace on real answers."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from stages.normalise import AnswerPassage, normalise
from tests.bench.normalise_others import Reader, readers
from tests.stages.normalise.gold_rows import Case, cases

DATES = frozenset({"date"})
AMOUNTS = frozenset({"number", "quantity", "money", "percent", "duration"})
OURS = "benchwright"
SCOPES = {"dateparser": DATES, "dateutil": DATES, "edtf": DATES, "quantulum3": AMOUNTS}


@dataclass(frozen=True)
class Score:
    """right, wrong, none: of the cases with a value; kept, taken: of those without one."""

    right: int
    wrong: int
    none: int
    kept: int
    taken: int
    micros: float


def score(read: Callable[[Case], str | None], chosen: list[Case]) -> Score:
    for case in chosen:
        read(case)
    start = time.process_time()
    values = [read(case) for case in chosen]
    micros = (time.process_time() - start) / len(chosen) * 1e6
    pairs = list(zip(chosen, values, strict=True))
    with_value = [(case, value) for case, value in pairs if not case.declines]
    without = [value for case, value in pairs if case.declines]
    right = sum(value == case.expected for case, value in with_value)
    none = sum(value is None for _, value in with_value)
    kept = without.count(None)
    return Score(right, len(with_value) - right - none, none, kept, len(without) - kept, micros)


def ours(case: Case) -> str | None:
    result = normalise(case.text, case.passage)
    return None if result.kind == "span" else result.value


def theirs(read: Reader) -> Callable[[Case], str | None]:
    def value(case: Case) -> str | None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return read(case.text)

    return value


@pytest.mark.bench
def test_beside_general_libraries(capsys: pytest.CaptureFixture[str]) -> None:
    # What only a passage settles is beyond libraries that take none.
    alone = [case for case in cases() if case.passage is None]
    rows = []
    for scope, kinds in (("dates", DATES), ("amounts", AMOUNTS)):
        chosen = [case for case in alone if case.kind in {*kinds, "span"}]
        rows.append((scope, OURS, score(ours, chosen)))
        for name, read in readers().items():
            if SCOPES[name] == kinds:
                rows.append((scope, name, score(theirs(read), chosen)))
    with capsys.disabled():
        print(f"\n{table(rows)}")
    for _, name, found in rows:
        assert name != OURS or (found.wrong, found.taken) == (0, 0)
        assert name == OURS or found.right < next(row[2] for row in rows if row[1] == OURS).right


def table(rows: list[tuple[str, str, Score]]) -> str:
    """Markdown, as the README has it."""
    lines = [
        "| cases | library | right | wrong | none | no value: left alone | no value: given one | µs per answer |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {scope} | {name} | {found.right} | {found.wrong} | {found.none} | {found.kept} | {found.taken} |"
        f" {found.micros:,.0f} |"
        for scope, name, found in rows
    ]
    return "\n".join(lines)


@pytest.mark.bench
def test_pace_on_real_answers(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [shared_data / "ifqa" / f"full_{part}.json" for part in ("train", "dev")]
    rows = [row for file in files for row in json.loads(file.read_text(encoding="utf-8"))]
    answers = [(answer, " ".join(row["context"])) for row in rows for answer in row["answers"]]
    normalise("20 July 1969", "for the word lists")
    paces = []
    for with_passage in (False, True):
        start = time.process_time()
        for answer, passage in answers:
            normalise(answer, AnswerPassage(passage) if with_passage else None)
        paces.append(len(answers) / (time.process_time() - start))
    with capsys.disabled():
        print(f"\n{len(answers):,} answers: {paces[0]:,.0f} per CPU second alone, {paces[1]:,.0f} with their passages")
