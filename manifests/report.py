"""A difference between builds as text for a person, as JSON, and as Markdown for a CI summary.

Text and Markdown show at most `limit` lines of each part and say how many more there
are; JSON leaves nothing out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from manifests.diff import ABSENT, COUNTS, Change, Difference, FunnelLine, StageChange
from manifests.digest import canonical_json
from manifests.rows import RowsDifference

LIMIT = 20
_WIDTH = 48
_MARKS = {"added": "+", "removed": "-", "changed": "~"}
Row = tuple[str, ...]


def as_json(difference: Difference, rows: Sequence[RowsDifference] = ()) -> dict[str, Any]:
    """Everything, in plain JSON types; a side without a value lacks the key."""
    return {
        "equal": difference.equal,
        "a": difference.a,
        "b": difference.b,
        "build": [_change_json(change) for change in difference.build],
        "stages": [
            {
                "stage": stage.stage,
                "status": stage.status,
                "changes": [_change_json(change) for change in stage.changes],
            }
            for stage in difference.stages
        ],
        "funnel": [{**asdict(line), "delta": line.delta} for line in difference.funnel],
        "information": [_change_json(change) for change in difference.information],
        "rows": [table.as_json() for table in rows],
    }


def as_text(difference: Difference, rows: Sequence[RowsDifference] = (), limit: int = LIMIT) -> str:
    """Aligned lines, the verdict first."""
    lines = [f"{difference.a} -> {difference.b}: {_verdict(difference)}"]
    if difference.build:
        lines += ["", "build", *_aligned(map(_change_row, difference.build), limit)]
    if difference.stages:
        lines += ["", "stages", *_cut(difference.stages, limit, lambda stage: _stage_lines(stage, limit))]
    if difference.funnel:
        header = ("stage", "", "", "before", "after", "change")
        lines += ["", "funnel", *_aligned((header, *map(_funnel_row, difference.funnel)), limit + 1, right=3)]
    for table in rows:
        lines += ["", *table_lines(table)]
    if difference.information:
        lines += ["", "not compared", *_aligned(map(_change_row, difference.information), limit)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def as_markdown(difference: Difference, rows: Sequence[RowsDifference] = (), limit: int = LIMIT) -> str:
    """Headings and tables, as a CI summary renders them."""
    header = ("what", "key", "before", "after")
    parts = [f"### `{difference.a}` → `{difference.b}`: {_verdict(difference)}"]
    if difference.build:
        parts += ["#### Build", _table(header, map(_change_row, difference.build), limit)]
    for stage in difference.stages[:limit]:
        parts.append(f"#### Stage `{stage.stage}`: {_status(stage)}")
        if _own(stage):
            parts.append(_table(header, map(_change_row, _own(stage)), limit))
    if len(difference.stages) > limit:
        parts.append(_more(len(difference.stages) - limit))
    if difference.funnel:
        columns = ("stage", "kind", "name", "before", "after", "change")
        parts += ["#### Funnel", _table(columns, map(_funnel_row, difference.funnel), limit)]
    parts += ["#### Rows of `{}`\n\n```\n{}\n```".format(table.table, "\n".join(table_lines(table))) for table in rows]
    if difference.information:
        parts += ["#### Not compared", _table(header, map(_change_row, difference.information), limit)]
    return "\n\n".join(parts) + "\n"


def table_lines(table: RowsDifference) -> list[str]:
    """One table's added, removed and changed rows, with their examples."""
    if table.note:
        return [f"rows of {table.table}: {table.note}"]
    lines = [f"rows of {table.table}: {table.added} added, {table.removed} removed, {table.changed} changed"]
    if table.columns:
        lines.append("  changed columns: " + ", ".join(f"{name} {count}" for name, count in table.columns.items()))
    for mark, rows, total in (("+", table.added_rows, table.added), ("-", table.removed_rows, table.removed)):
        lines += [f"  {mark} {_brief(row, 4 * _WIDTH)}" for row in rows]
        lines += [f"  {mark} {_more(total - len(rows))}"] if total > len(rows) else []
    for row in table.changed_rows:
        lines.append(f"  ~ {_brief(row.key, 2 * _WIDTH)}")
        lines += [f"      {name}: {' -> '.join(_pair(old, new))}" for name, (old, new) in row.columns.items()]
    if table.changed > len(table.changed_rows):
        lines.append(f"  ~ {_more(table.changed - len(table.changed_rows))}")
    return lines


def _verdict(difference: Difference) -> str:
    return "equal" if difference.equal else "different"


def _stage_lines(stage: StageChange, limit: int) -> Iterator[str]:
    yield f"  {_MARKS[stage.status]} {stage.stage}: {_status(stage)}"
    yield from ("  " + line for line in _aligned(map(_change_row, _own(stage)), limit))


def _own(stage: StageChange) -> list[Change]:
    """A stage's changes without the counts, which the funnel shows."""
    return [change for change in stage.changes if change.kind not in COUNTS]


def _status(stage: StageChange) -> str:
    return stage.status if _own(stage) or stage.status != "changed" else "other counts"


def _change_row(change: Change) -> Row:
    return (change.kind, change.name, *_pair(change.old, change.new))


def _funnel_row(line: FunnelLine) -> Row:
    old, new = ("-" if count is None else f"{count:,}" for count in (line.old, line.new))
    return line.stage, line.kind, line.name, old, new, f"{line.delta:+,}"


def _change_json(change: Change) -> dict[str, Any]:
    sides = {"old": change.old, "new": change.new}
    return {"kind": change.kind, "name": change.name, **{key: v for key, v in sides.items() if v is not ABSENT}}


def _pair(old: Any, new: Any) -> tuple[str, str]:
    """Both values, short, cut so that the place where they part is seen."""
    if isinstance(old, list) and isinstance(new, list) and len(old) + len(new) > 6:
        gone, come = [item for item in old if item not in new], [item for item in new if item not in old]
        if gone or come:
            return _items(old, gone), _items(new, come)
    one, two = _written(old), _written(new)
    same = next((at for at, (x, y) in enumerate(zip(one, two, strict=False)) if x != y), min(len(one), len(two)))
    start = max(0, same - 12) if max(len(one), len(two)) > _WIDTH else 0
    mark = "…" if start else ""
    return mark + _clip(one[start:]), mark + _clip(two[start:])


def _items(every: list[Any], own: list[Any]) -> str:
    return f"{len(every)} items" + (f", with {_clip(canonical_json(own))}" if own else "")


def _written(value: Any) -> str:
    if isinstance(value, str):
        return value[:12] if len(value) == 64 and set(value) <= set("0123456789abcdef") else value or '""'
    return repr(value) if value is ABSENT else canonical_json(value)


def _brief(row: Any, width: int) -> str:
    return _clip(", ".join(f"{name}={_clip(_written(value))}" for name, value in row.items()), width)


def _clip(text: str, width: int = _WIDTH) -> str:
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"


def _aligned(rows: Iterable[Row], limit: int, right: int = 0) -> list[str]:
    """Columns padded to equal width, the last `right` ones to the right."""
    every = list(rows)
    shown = every[:limit]
    widths = [max(len(cell) for cell in column) for column in zip(*shown, strict=True)]
    first_right = len(widths) - right
    lines = [
        "  "
        + "  ".join(
            c.ljust(w) if n < first_right else c.rjust(w) for n, (c, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in shown
    ]
    return [*lines, "  " + _more(len(every) - limit)] if len(every) > limit else lines


def _cut(items: Sequence[StageChange], limit: int, lines: Any) -> list[str]:
    shown = [line for item in items[:limit] for line in lines(item)]
    return [*shown, "  " + _more(len(items) - limit)] if len(items) > limit else shown


def _table(header: Row, rows: Iterable[Row], limit: int) -> str:
    every = list(rows)
    lines = [_cells(header), _cells(("---",) * len(header)), *map(_cells, every[:limit])]
    more = [f"\n{_more(len(every) - limit)}"] if len(every) > limit else []
    return "\n".join([*lines, *more])


def _cells(row: Row) -> str:
    return "| " + " | ".join(cell.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;") for cell in row) + " |"


def _more(count: int) -> str:
    return f"... and {count:,} more"
