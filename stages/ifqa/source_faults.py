"""Stage `ifqa.source_faults`: what is wrong with the files of questions as they are handed in.

Nothing is dropped here; what is done about a fault stands with the stage that does it. The
counts tell how far results on such files can be believed: a question or a passage in two files
that pass for train and dev is known from training.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations
from typing import Any

import pyarrow as pa

from stages.core.columns import number, text, texts
from stages.core.contract import Output, Stage, TableSpec, Whole
from stages.ifqa.tables import READ_QUESTIONS, same_question

REPEATED, SHARED_QUESTION, SHARED_PASSAGE = "repeated_question", "shared_question", "shared_passage"
BY_POSITION = "first_rows"
FAULTS = (REPEATED, SHARED_QUESTION, SHARED_PASSAGE, BY_POSITION)

SOURCE_FAULTS = TableSpec(
    name="source_faults",
    schema=pa.schema([text("fault"), text("value"), texts("files"), number("rows")]),
    key=("fault", "value"),
    buckets=1,
)
"""fault: repeated_question (in one file more than once), shared_question, shared_passage (in several files), or
    first_rows (a file is the beginning of a larger one, not a sample of it).
value: the question in its normal form, the passage, or "smaller file < larger file"; files: sorted; rows: that hold it.
"""

Row = Mapping[str, Any]
_ISO_DATE = re.compile(r"-?\d{4}-\d{2}(?:-\d{2})?")
# Fewer rows may begin alike by chance.
_LEAST_ROWS = 10


def faults(questions: pa.Table) -> Output:
    """SOURCE_FAULTS from READ_QUESTIONS.

    Metrics: rows; distinct_questions; repeated_rows (rows beyond a question's first in its file); per fault the number
    of its values, as {fault}_values, and of rows that it touches, as {fault}_rows; answers, and iso_dates among them.
    """
    rows = questions.select(["file", "given_id", "question", "answers", "context"]).to_pylist()
    by_question = _gathered(rows, lambda row: [same_question(row["question"])])
    by_passage = _gathered(rows, lambda row: row["context"])
    repeats = {question: repeated for question, found in by_question.items() if (repeated := _in_one_file(found))}
    table = [
        *(_fault(REPEATED, value, found) for value, found in repeats.items()),
        *(_fault(SHARED_QUESTION, value, found) for value, found in by_question.items() if len(_files(found)) > 1),
        *(_fault(SHARED_PASSAGE, value, found) for value, found in by_passage.items() if len(_files(found)) > 1),
        *_beginnings(rows),
    ]
    answers = [answer for row in rows for answer in row["answers"]]
    metrics = {
        "rows": len(rows),
        "distinct_questions": len(by_question),
        "repeated_rows": len(rows) - len({(row["file"], same_question(row["question"])) for row in rows}),
        **{f"{fault}_values": sum(row["fault"] == fault for row in table) for fault in FAULTS},
        **{f"{fault}_rows": _rows_of(table, fault, by_question, by_passage) for fault in FAULTS[:3]},
        "answers": len(answers),
        "iso_dates": sum(bool(_ISO_DATE.fullmatch(answer)) for answer in answers),
    }
    return Output(
        {SOURCE_FAULTS.name: SOURCE_FAULTS.table(table)},
        metrics={name: float(count) for name, count in metrics.items()},
    )


def _gathered(rows: Iterable[Row], values: Callable[[Row], Sequence[str]]) -> dict[str, list[Row]]:
    found: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        for value in dict.fromkeys(values(row)):
            found[value].append(row)
    return found


def _files(rows: Iterable[Row]) -> list[str]:
    return sorted({row["file"] for row in rows})


def _in_one_file(rows: Sequence[Row]) -> list[Row]:
    """The rows in files that hold more than one of them."""
    counts = Counter(row["file"] for row in rows)
    return [row for row in rows if counts[row["file"]] > 1]


def _fault(fault: str, value: str, rows: Sequence[Row]) -> dict[str, Any]:
    return {"fault": fault, "value": value, "files": _files(rows), "rows": len(rows)}


def _rows_of(
    table: Iterable[Row], fault: str, by_question: Mapping[str, list[Row]], by_passage: Mapping[str, list[Row]]
) -> int:
    """How many rows a fault touches; a row of several passages counts once."""
    if fault == REPEATED:
        return sum(row["rows"] for row in table if row["fault"] == fault)
    holders = by_passage if fault == SHARED_PASSAGE else by_question
    return len({id(row) for found in table if found["fault"] == fault for row in holders[found["value"]]})


def _beginnings(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Pairs of files of which the smaller one is the first rows of the larger one."""
    by_file: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_file[row["file"]].append(row)
    ordered = {
        file: [same_question(row["question"]) for row in sorted(by_file[file], key=_position)]
        for file in sorted(by_file)
        if all(row["given_id"].isdecimal() for row in by_file[file])
    }
    return [
        {"fault": BY_POSITION, "value": f"{small} < {large}", "files": sorted((small, large)), "rows": len(first)}
        for small, large in permutations(ordered, 2)
        if _LEAST_ROWS <= len(first := ordered[small]) < len(ordered[large]) and ordered[large][: len(first)] == first
    ]


def _position(row: Row) -> tuple[int, str]:
    """Where a row stands in its file; two of one id, by what they ask."""
    return int(row["given_id"]), row["question"]


def stage() -> Stage:
    return Stage(
        name="ifqa.source_faults",
        shape=Whole(),
        kernel=faults,
        inputs=(READ_QUESTIONS.name,),
        outputs=(SOURCE_FAULTS,),
        about="What the files of questions repeat, and have in common.",
    )
