"""Pages for Mechanical Turk: put together from their parts, and read back to compare them with the form."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser

from stages.people.controls import CHOICE, NUMBER, TEXT

_PLACE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
# These run or load something from elsewhere; a page has its own script and style only.
_OUTSIDE = {"iframe", "object", "embed", "link", "img", "base"}
_INPUT_KINDS = {"radio": CHOICE, "checkbox": CHOICE, "text": TEXT, "number": NUMBER, "hidden": "hidden"}


@dataclass
class Field:
    """kind: choice, text, number or hidden; choices: values of radio buttons or boxes, in order."""

    kind: str
    choices: tuple[str, ...] = ()


@dataclass
class Page:
    """variables: names in ${...}; fields: by name; problems: what makes the page unusable."""

    variables: set[str] = field(default_factory=set)
    fields: dict[str, Field] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def fill_page(skeleton: str, title: str, guide: str, body: str) -> str:
    """The whole page of a kind: templates/annotation/page.html with the kind's own parts in it."""
    parts = {"title": html.escape(title), "guide": guide_html(guide), "body": body}
    return re.sub(r"\[\[([a-z]+)\]\]", lambda place: parts[place[1]], skeleton)


def guide_html(guide: str) -> str:
    """The HTML of a guide, which knows headings, paragraphs and lists of one level."""
    return "\n".join(map(_block_html, re.split(r"\n\s*\n", guide.strip())))


def _block_html(block: str) -> str:
    if block.startswith("# "):
        return f"<h2>{html.escape(block[2:])}</h2>"
    if block.startswith("- "):
        entries = (html.escape(" ".join(entry.split())) for entry in re.split(r"^- ", block, flags=re.MULTILINE)[1:])
        return "<ul>" + "".join(f"<li>{entry}</li>" for entry in entries) + "</ul>"
    return f"<p>{html.escape(' '.join(block.split()))}</p>"


def fill_variables(page: str, values: Mapping[str, str]) -> str:
    """The page with its ${variable} places filled; values are taken as they are."""
    return _PLACE.sub(lambda place: values[place[1]], page)


def read_page(page: str) -> Page:
    reader = _Reader()
    reader.page.variables = set(_PLACE.findall(page))
    reader.feed(page)
    reader.close()
    if reader.forms != 1:
        reader.page.problems.append(f"expected one form, found {reader.forms}")
    return reader.page


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()
        self.forms = 0
        self._in_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self._in_script = tag in ("script", "style")
        self.forms += tag == "form"
        if tag in _OUTSIDE or "src" in attributes:
            self.page.problems.append(f"<{tag}>: a page loads nothing from elsewhere")
        # A placeholder inside a tag is text only where the value is quoted, which HTMLParser cannot tell.
        places = [
            name for name, value in attributes.items() if _PLACE.search(value) and (tag, name) != ("input", "value")
        ]
        if places:
            self.page.problems.append(f"<{tag} {places[0]}>: a variable stands between tags, or in an input's value")
        if tag == "input":
            self._input(attributes)
        if tag == "textarea":
            self._field(attributes.get("name", ""), TEXT)

    def handle_endtag(self, tag: str) -> None:
        self._in_script = False

    def handle_data(self, data: str) -> None:
        if self._in_script and _PLACE.search(data):
            self.page.problems.append("a variable inside a script or style would run as one")

    def _input(self, attributes: dict[str, str]) -> None:
        kind = _INPUT_KINDS.get(attributes.get("type", "text"))
        if kind is not None:
            self._field(attributes.get("name", ""), kind, attributes.get("value", "") if kind == CHOICE else "")

    def _field(self, name: str, kind: str, choice: str = "") -> None:
        if not name:
            self.page.problems.append("a field has no name")
            return
        known = self.page.fields.setdefault(name, Field(kind))
        if known.kind != kind or (known.choices == () and choice == "" and kind == CHOICE):
            self.page.problems.append(f"{name}: one name for fields of different kinds")
        if choice:
            known.choices = (*known.choices, choice)
