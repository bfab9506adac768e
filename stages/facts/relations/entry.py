"""One entry of a template file: its known keys, kinds of value and slots.

Whatever is wrong is noted in a list that the caller shares between entries, and reading
goes on, so that one run shows every problem.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stages.facts.relations.model import Slot, Template

_SPACING = re.compile(r"^\s|\s$|\s\s|[\n\t]")
_LITERAL_ARTICLE = re.compile(r"\b(?:a|an)\s$", re.IGNORECASE)


@dataclass(frozen=True)
class EntryForm:
    """What a template of some key must look like.

    slots: those that stand exactly once; loose: those that may stand any number of times.
    determined: slots that may carry a determiner. end: the last character, "" for a word.
    start: the text it must begin with.
    """

    slots: tuple[str, ...]
    determined: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    end: str = ""
    start: str = ""


class Entry:
    """One mapping of a file with its known keys, and the place to note problems.

    keys: known keys, True for those that must be there.
    """

    def __init__(self, file: str, name: str, fields: Any, keys: Mapping[str, bool], problems: list[str]) -> None:
        self.file, self.name, self._problems = file, name, problems
        self.fields: dict[str, Any] = fields if isinstance(fields, dict) else {}
        if not isinstance(fields, dict):
            self.problem("", f"expected a mapping with {', '.join(keys)}, found {fields!r}")
            return
        for key in self.fields:
            if key not in keys:
                self.problem(str(key), f"unknown key; expected one of {', '.join(keys)}")
        for key, needed in keys.items():
            if needed and key not in self.fields:
                self.problem(key, "missing")

    def problem(self, key: str, text: str) -> None:
        self._problems.append(f"{self.file}: {self.name}: {f'{key}: ' if key else ''}{text}")

    def text(self, key: str) -> str:
        """The non-empty, evenly spaced string under `key`; "" with a problem noted where it is none."""
        value = self.fields.get(key)
        if key not in self.fields:
            return ""
        if not isinstance(value, str) or not value or _SPACING.search(value):
            self.problem(key, f"expected one line of text without stray spaces, found {value!r}")
            return ""
        return value

    def choice(self, key: str, allowed: tuple[str, ...], default: str) -> str:
        value = self.fields.get(key, default)
        if value not in allowed:
            self.problem(key, f"expected one of {', '.join(allowed)}, found {value!r}")
            return default
        return value

    def flag(self, key: str) -> bool:
        value = self.fields.get(key, False)
        if not isinstance(value, bool):
            self.problem(key, f"expected true or false, found {value!r}")
        return value is True

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.fields.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
            self.problem(key, f"expected a list of texts, found {value!r}")
            return ()
        repeated = sorted({item for item in value if value.count(item) > 1})
        if repeated:
            self.problem(key, f"expected each text once, found more of {', '.join(repeated)}")
        return tuple(value)

    def template(self, key: str, form: EntryForm, default: str = "") -> Template:
        """The template under `key`, checked against `form`."""
        template = Template.parse(self.text(key) if key in self.fields else default)
        if key in self.fields and template.text:
            for text in _faults(template, form):
                self.problem(key, text)
        return template

    def templates(self, key: str, form: EntryForm) -> tuple[Template, ...]:
        """The template under `key`, or the several where it holds a list."""
        value = self.fields.get(key)
        if not isinstance(value, list):
            return (self.template(key, form),)
        texts = self.texts(key)
        if len(texts) < 2:
            self.problem(key, f"expected one text, or a list of several, found {value!r}")
        return tuple(
            Entry(self.file, self.name, {key: text}, {key: True}, self._problems).template(key, form) for text in texts
        )


def _faults(template: Template, form: EntryForm) -> list[str]:
    """What keeps a template from having its form."""
    faults = []
    known = (*form.slots, *form.loose)
    for part in template.parts:
        if isinstance(part, str):
            if "{" in part or "}" in part:
                faults.append(f"expected braces only around slot names, found {part!r}")
        elif part.name not in known or (part.determiner and part.name not in form.determined):
            shown = f"{part.determiner}_{part.name}" if part.determiner else part.name
            faults.append(f"unknown slot {{{shown}}}; expected {_shown(form)}")
    for slot in form.slots:
        count = template.slots.count(slot)
        if count != 1:
            faults.append(f"expected the slot {{{slot}}} once, found it {count} times")
    return faults + _text_faults(template, form)


def _text_faults(template: Template, form: EntryForm) -> list[str]:
    faults = []
    if form.end and not template.text.endswith(form.end):
        faults.append(f"expected it to end in {form.end!r}, found {template.text[-1]!r}")
    if sum(template.text.count(mark) for mark in ".?!") != len(form.end):
        faults.append(f"expected no mark of a sentence's end but {form.end or 'none'!r}, found {template.text!r}")
    if not template.text.startswith(form.start):
        faults.append(f"expected it to begin with {form.start!r}, found {template.text!r}")
    for before, after in zip(template.parts, template.parts[1:], strict=False):
        if isinstance(after, Slot) and isinstance(before, str) and _LITERAL_ARTICLE.search(before):
            faults.append(f"expected {{a_{after.name}}} in place of a written article, found {before!r}")
    return faults


def _shown(form: EntryForm) -> str:
    plain = [*form.slots, *form.loose]
    determined = [f"{word}_{slot}" for slot in form.determined for word in ("the", "a")]
    return ", ".join(f"{{{slot}}}" for slot in plain + determined)
