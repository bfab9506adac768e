"""What changed between two releases, as text for a terminal, as Markdown, and as a page of HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tabulate import tabulate

from manifests.rows import RowsDifference
from pipelines.changes import ChangedQuestion, OneSided, ReleaseChanges, ReleasedQuestion

_WIDTH = 100
_MOST_ANSWERS = 4
_KINDS = ("kind", "before", "after", "gained", "lost", "changed", "answers gained", "answers lost")
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:left;border-bottom:1px solid #8884}"
    "td.number{text-align:right}pre{overflow-x:auto}"
)


@dataclass(frozen=True)
class Section:
    """A heading with a table, with lines, or with both."""

    title: str
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str | int, ...], ...] = ()
    lines: tuple[str, ...] = ()


def release_parts(changes: ReleaseChanges, limit: int) -> list[Section]:
    """Counts by kind, then why questions are gone or new, then some of each. limit: of each."""
    kinds = tuple(tuple(asdict(kind).values()) for kind in changes.kinds)
    parts = [Section("Questions of the release", _KINDS, kinds)]
    for name, side in (("lost", "the second build"), ("gained", "the first build")):
        reasons = changes.reasons.get(name, {})
        if reasons:
            why = tuple((reason, count) for reason, count in reasons.items())[:limit]
            parts.append(Section(f"Why questions are {name}: what {side} dropped them by", ("by", "questions"), why))
    parts.append(Section("Lost", lines=tuple(_cut([_one_sided("-", one) for one in changes.lost], limit))))
    parts.append(Section("Gained", lines=tuple(_cut([_one_sided("+", one) for one in changes.gained], limit))))
    parts.append(Section("Changed", lines=tuple(_cut([_changed(pair) for pair in changes.changed], limit))))
    return [part for part in parts if part.rows or part.lines]


def table_parts(tables: Sequence[RowsDifference], limit: int) -> list[Section]:
    """How many rows of each table differ, the most first."""
    ordered = sorted(tables, key=lambda one: (-(one.added + one.removed + one.changed), one.table))
    rows = tuple((one.table, one.added, one.removed, one.changed, one.note) for one in ordered[:limit])
    more = (f"... and {len(ordered) - limit:,} more",) if len(ordered) > limit else ()
    hint = ("--table NAME shows the rows of one",)
    header = ("table", "added", "removed", "changed", "")
    return [Section("Tables", header, rows, (*more, *hint))] if rows else []


def as_json(changes: ReleaseChanges) -> dict[str, Any]:
    """Everything, in plain JSON types."""
    return {
        "kinds": [asdict(kind) for kind in changes.kinds],
        "reasons": {name: dict(counts) for name, counts in changes.reasons.items()},
        **{
            name: [{**_plain(one.asked), "why": one.why} for one in found]
            for name, found in (("lost", changes.lost), ("gained", changes.gained))
        },
        "changed": [
            {"before": _plain(pair.before), "after": _plain(pair.after), "what": list(pair.what)}
            for pair in changes.changed
        ],
    }


def as_text(parts: Sequence[Section]) -> str:
    """Nothing where there are no parts, or else all of them and an empty line."""
    shown = ["\n".join((part.title, *_table(part, "simple"), *part.lines)) for part in parts]
    return "\n\n".join(shown) + "\n\n" if shown else ""


def as_markdown(parts: Sequence[Section]) -> str:
    """The same with headings, tables and lists."""
    shown = [f"### {part.title}\n\n" + "\n\n".join(_markdown(part)) for part in parts]
    return "\n\n".join(shown) + "\n\n" if shown else ""


def as_html(title: str, parts: Sequence[Section], details: str) -> str:
    """A page. details: text that follows as it is."""
    body = "".join(f"<h2>{html.escape(part.title)}</h2>{_rows(part)}{_items(part)}" for part in parts)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{html.escape(title)}</title><style>{_STYLE}</style></head><body><h1>{html.escape(title)}</h1>"
        f"{body}<h2>Builds</h2><pre>{html.escape(details)}</pre></body></html>\n"
    )


def _table(part: Section, style: str) -> list[str]:
    rows = [[_clip(cell) if isinstance(cell, str) else cell for cell in row] for row in part.rows]
    return [tabulate(rows, headers=list(part.header), tablefmt=style, intfmt=",")] if rows else []


def _markdown(part: Section) -> Iterator[str]:
    if part.rows:
        escaped = tuple(tuple(_escaped(cell) if isinstance(cell, str) else cell for cell in row) for row in part.rows)
        yield from _table(Section(part.title, part.header, escaped), "github")
    if part.lines:
        yield "\n".join(f"- `{line.replace('`', chr(39))}`" for line in part.lines)


def _escaped(text: str) -> str:
    return re.sub(r"([\\|`*_\[\]<])", r"\\\1", text)


def _rows(part: Section) -> str:
    if not part.rows:
        return ""
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in part.header)
    cells = ("".join(map(_cell, row)) for row in part.rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(f'<tr>{row}</tr>' for row in cells)}</tbody></table>"


def _cell(value: str | int) -> str:
    return f'<td class="number">{value:,}</td>' if isinstance(value, int) else f"<td>{html.escape(value)}</td>"


def _items(part: Section) -> str:
    return f"<ul>{''.join(f'<li>{html.escape(line)}</li>' for line in part.lines)}</ul>" if part.lines else ""


def _one_sided(mark: str, one: OneSided) -> str:
    return f"{mark} {_clip(one.asked.question)} ({one.asked.key}; {one.asked.kind}, {one.asked.split}): {one.why}"


def _changed(pair: ChangedQuestion) -> str:
    after = pair.after
    told = [f"~ {_clip(after.question)} ({after.key}; {after.kind}, {after.split})"]
    if "words" in pair.what:
        told.append(f"asked before: {_clip(pair.before.question)}")
    told += [f"{name} before: {getattr(pair.before, name)}" for name in ("split", "kind") if name in pair.what]
    told += [
        f"{name}: {_few(answers)}"
        for name, answers in (("answers gained", pair.gained), ("lost", pair.lost))
        if answers
    ]
    return "; ".join(told)


def _few(answers: Sequence[str]) -> str:
    more = f" and {len(answers) - _MOST_ANSWERS:,} more" if len(answers) > _MOST_ANSWERS else ""
    return ", ".join(map(_clip, answers[:_MOST_ANSWERS])) + more


def _cut(lines: Sequence[str], limit: int) -> list[str]:
    return [*lines[:limit], *([f"... and {len(lines) - limit:,} more"] if len(lines) > limit else [])]


def _clip(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"


def _plain(asked: ReleasedQuestion) -> dict[str, Any]:
    return {**asdict(asked), "answers": sorted(asked.answers)}
