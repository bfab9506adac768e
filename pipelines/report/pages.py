"""The pages of a report from their templates in templates/report; every text is escaped."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
import markupsafe

import templates

FOLDER = Path(templates.__file__).parent / "report"
ASSETS = ("style.css", "records.js")
# 'self' is not said of files by every browser, so `file:` stands beside it; nothing else may be loaded from anywhere.
POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file: data:; "
    "base-uri 'none'; form-action 'none'"
)


def render(page: str, values: Mapping[str, Any]) -> str:
    """A page's HTML; raises jinja2.UndefinedError where the template asks for what is not there."""
    text: str = environment().get_template(page).render(policy=POLICY, **values)
    return text


def environment() -> jinja2.Environment:
    """With the words for numbers that the templates use; every text is escaped."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "count": _count,
        "size": _size,
        "words": _words,
        "seconds": _seconds,
        "share": _share,
        "coded": _coded,
        "moment": _moment,
    }
    made.globals["logarithmic"] = logarithmic
    return made


def logarithmic(count: int, largest: int) -> float:
    """The length of a bar in percent: 0 for nothing, a little for one, 100 for the largest."""
    return round(100 * math.log1p(count) / math.log1p(largest), 2) if largest else 0.0


def _count(value: float) -> str:
    return f"{value:,}"


def _share(value: float) -> str:
    """Percent, with a decimal below ten."""
    return f"{value:.0f}" if value >= 10 or value == 0 else f"{value:.1f}"


def _size(value: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if value < 1000:
            return f"{value:,.0f} {unit}" if unit == "B" or value >= 10 else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:,.1f} TB"


def _seconds(value: float) -> str:
    if value < 60:
        return f"{value:.1f} s" if value < 10 else f"{value:.0f} s"
    minutes, rest = divmod(round(value), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"


def _moment(text: str) -> str:
    """A time of a manifest to the minute; it is told in UTC."""
    return f"{text[:10]} {text[11:16]} UTC"


def _coded(text: str) -> markupsafe.Markup:
    """A note with what stands in backticks as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return markupsafe.escape(text)
    code = markupsafe.Markup("<code>{}</code>")
    return markupsafe.Markup("").join(code.format(part) if at % 2 else part for at, part in enumerate(parts))


def _words(name: str) -> str:
    return name.replace("_", " ")
