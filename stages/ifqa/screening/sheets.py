"""Stage `ifqa.sheets`: screened passages drawn onto sheets, one sheet per writing task (IfQA, section 3.2).

Every passage has a place in one line, by a hash of the seed and its id. The sheets are cut
from the line's start, so they depend on the passages and the seed alone, and a larger
number of sheets adds to those of a smaller one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

import pyarrow as pa

from manifests.digest import canonical_json
from stages.annotation.forms.kinds import TaskKind
from stages.annotation.tables import DRAFTS
from stages.annotation.tasks import MAX_REDUNDANCY, read_payload
from stages.core.columns import number, text
from stages.core.contract import Output, Stage, StageError, TableSpec, Whole
from stages.core.rejects import Rejects
from stages.core.texts import Refused
from stages.ifqa.screening.screening import SCREENED

SHEETS = TableSpec(
    name="passage_sheets",
    schema=pa.schema([text("sheet"), number("place"), text("passage"), text("text")]),
    key=("sheet", "place"),
)
"""One row per passage on a sheet.

sheet: its number with leading zeros, the origin of its writing task; place: from 1, as in the task's variables.
"""

WRITING_DRAFTS = replace(DRAFTS, name="writing_drafts")
"""DRAFTS, one per sheet: origin the sheet, payload {passage_01: text, ...}."""

_DIGITS = 6


@dataclass(frozen=True)
class DrawnParams:
    """sheets: at most so many; per_sheet: passages on each, exactly as many as the form shows; the paper's are 20.
    redundancy: workers per sheet, 0 for the kind's own number.
    """

    seed: int = 0
    sheets: int = 200
    per_sheet: int = 20
    redundancy: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.sheets < 10**_DIGITS:
            raise StageError(f"sheets: expected 1 to {10**_DIGITS - 1}, got {self.sheets}")
        if not 1 <= self.per_sheet <= 99:
            raise StageError(f"per_sheet: expected 1 to 99, got {self.per_sheet}")
        if not 0 <= self.redundancy <= MAX_REDUNDANCY:
            raise StageError(f"redundancy: expected 0 to {MAX_REDUNDANCY}, got {self.redundancy}")


def drawn(screened: pa.Table, *, kind: TaskKind, params: DrawnParams) -> Output:
    """SHEETS and WRITING_DRAFTS from all SCREENED.

    Rejects, keyed by the passage: too_long_to_show, control_characters, active_markup (what a form refuses would
    cost its whole sheet), sheet_not_full; under the key "passages", counted: not_drawn, with enough sheets full.
    Metrics: sheets, drawn.
    """
    rejects, sheets = Rejects(), []
    line = _shown(_line(screened, params.seed), kind, params, rejects)
    for count in range(1, params.sheets + 1):
        sheet = list(islice(line, params.per_sheet))
        if len(sheet) < params.per_sheet:
            for row in sheet:
                rejects.add(row["passage"], "sheet_not_full", f"{len(sheet)} of {params.per_sheet} passages left")
            break
        sheets.append((f"{count:0{_DIGITS}}", sheet))
    on_sheets = sum(len(sheet) for _, sheet in sheets)
    if left := screened.num_rows - on_sheets - rejects.table().num_rows:
        rejects.add("passages", "not_drawn", f"{params.sheets} sheets are full (sheets)", count=left)
    return Output(
        {
            SHEETS.name: SHEETS.table([row for name, sheet in sheets for row in _rows(name, sheet)]),
            WRITING_DRAFTS.name: WRITING_DRAFTS.table([_draft(*sheet, kind, params) for sheet in sheets]),
        },
        rejects.table(),
        {"sheets": float(len(sheets)), "drawn": float(on_sheets)},
    )


def _line(screened: pa.Table, seed: int) -> Iterator[Mapping[str, str]]:
    """All passages in the order in which they are drawn."""
    ids = screened["passage"].to_pylist()
    places = [hashlib.sha256(canonical_json([seed, passage]).encode()).digest() for passage in ids]
    texts = screened["text"]
    for index in sorted(range(len(ids)), key=lambda index: (places[index], ids[index])):
        yield {"passage": ids[index], "text": texts[index].as_py()}


def _shown(
    line: Iterator[Mapping[str, str]], kind: TaskKind, params: DrawnParams, rejects: Rejects
) -> Iterator[Mapping[str, str]]:
    """Those that a form of this kind can show; whatever is on one sheet fits it together."""
    most = kind.settings.payload_chars // params.per_sheet
    for row in line:
        try:
            read_payload(kind, canonical_json(dict.fromkeys(kind.variables, "") | {kind.variables[0]: row["text"]}))
        except Refused as fault:
            rejects.add(row["passage"], fault.reason, str(fault))
            continue
        if len(row["text"]) > most:
            rejects.add(
                row["passage"], "too_long_to_show", f"{len(row['text'])} characters, a sheet has room for {most}"
            )
        else:
            yield row


def _rows(name: str, sheet: Sequence[Mapping[str, str]]) -> Iterator[dict[str, object]]:
    for place, row in enumerate(sheet, start=1):
        yield {"sheet": name, "place": place, "passage": row["passage"], "text": row["text"]}


def _draft(name: str, sheet: Sequence[Mapping[str, str]], kind: TaskKind, params: DrawnParams) -> dict[str, object]:
    payload = {variable: row["text"] for variable, row in zip(kind.variables, sheet, strict=True)}
    shown = {"origin": name, "kind": kind.name, "payload": canonical_json(payload), "redundancy": params.redundancy}
    return shown | {"wrong_payload": None, "wrong_gold": None, "gold": None}


def stage(kind: TaskKind, params: DrawnParams | None = None) -> Stage:
    """kind: of the writing tasks. Raises StageError where its form does not show `per_sheet` numbered passages."""
    params = params or DrawnParams()
    expected = tuple(f"passage_{place:02}" for place in range(1, params.per_sheet + 1))
    if kind.variables != expected:
        raise StageError(
            f"{kind.name}: expected a form that shows {expected[0]} to {expected[-1]} and nothing else, as per_sheet is"
            f" {params.per_sheet}; it shows {', '.join(kind.variables)}"
        )
    return Stage(
        name="ifqa.sheets",
        shape=Whole(),
        kernel=partial(drawn, kind=kind, params=params),
        inputs=(SCREENED.name,),
        outputs=(SHEETS, WRITING_DRAFTS),
        templates=kind.digests,
        about="Section 3.2: screened passages drawn at random, twenty for each worker to choose from.",
    )
