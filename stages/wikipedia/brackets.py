"""The brackets of wikitext (templates, links, tables) resolved to text in one pass.

A general wikitext parser backtracks over brackets that never close, and takes seconds
for a few kilobytes of them; here each opening bracket is put on a stack and each
closing one takes the innermost that it can close, so time is linear in the text and
nesting is capped. A template that never closes, and a link with a label that does not, ends with its paragraph and
leaves a mark of `stages.wikipedia.holes`: what it would have shown, nobody can tell. Of other brackets left over the
content is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from stages.core.steps import Steps
from stages.wikipedia.expand import expand
from stages.wikipedia.holes import NOTHING, cut
from stages.wikipedia.quotes import strip_quotes
from stages.wikipedia.titles import normalise_title

MAX_DEPTH = 64

TEMPLATE, PARAMETER, LINK, TABLE = "{{", "{{{", "[[", "{|"

_TOKEN = re.compile(r"\{\{\{(?!\{)|\{\{|\}\}|\[\[|\]\]|^[ \t:*#;]*(\{\|)|^[ \t]*(\|\})(?!\})", re.MULTILINE)
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z-]{2,12})?:\S|simple:\S")
_ROW = re.compile(r"\s*[|!]")
_PARAGRAPH_END = re.compile(r"\n(?=[ \t]*(?:\n|[*#:;=]))")
_NAME = re.compile(r"[^|\n<]{0,80}")


class UnparsableMarkupError(ValueError):
    """The markup of a page nests deeper than any real page."""


class _Frame:
    __slots__ = ("kind", "parts")

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.parts: list[str] = []


def resolve_brackets(text: str, hidden: Collection[str], expand_template: Callable[[str], str] = expand) -> str:
    """The text with links replaced by what they show, templates expanded or removed, tables removed.

    hidden: folded names of the namespaces whose links show nothing.

    Raises:
        UnparsableMarkupError: more than MAX_DEPTH brackets are open at once.
    """
    return _Resolver(text, hidden, expand_template).run()


class _Resolver:
    def __init__(self, text: str, hidden: Collection[str], expand_template: Callable[[str], str]) -> None:
        self._text = text
        self._hidden = hidden
        self._expand = expand_template
        self._stack = [_Frame("")]

    def run(self) -> str:
        position, steps = 0, Steps(self._text)
        while (found := _TOKEN.search(self._text, position)) and steps.on():
            self._emit(self._text[position : found.start()])
            position = self._token(found)
        self._emit(self._text[position:])
        for _ in self._stack[1:]:
            self._flatten()
        return "".join(self._stack[0].parts)

    def _emit(self, text: str) -> None:
        if text:
            self._stack[-1].parts.append(text)

    def _token(self, found: re.Match[str]) -> int:
        """Handles one bracket; returns where to go on."""
        mark = found.group(1) or found.group(2) or found.group()
        if mark in (TEMPLATE, PARAMETER, LINK, TABLE):
            self._open(mark)
        elif mark == "}}":
            return self._close_braces(found.end())
        elif mark == "]]":
            if self._stack[-1].kind == LINK:
                self._emit(self._link(self._pop()))
        elif self._reach(TABLE, through=(LINK, TEMPLATE, PARAMETER)):
            self._pop()
        return found.end()

    def _open(self, kind: str) -> None:
        if len(self._stack) > MAX_DEPTH:
            raise UnparsableMarkupError(f"more than {MAX_DEPTH} brackets are open at once")
        self._stack.append(_Frame(kind))

    def _pop(self) -> str:
        return "".join(self._stack.pop().parts).replace(NOTHING, "")

    def _close_braces(self, end: int) -> int:
        if not self._reach(TEMPLATE, PARAMETER, through=(LINK,)):
            return end
        three = self._text.startswith("}", end)
        kind, content = self._stack[-1].kind, self._pop()
        if kind == PARAMETER and three:
            self._emit(content.partition("|")[2])
            return end + 1
        self._emit("{" if kind == PARAMETER else "")
        self._emit(self._expand(content))
        return end

    def _reach(self, *kinds: str, through: tuple[str, ...]) -> bool:
        """Makes the innermost frame of those kinds the top one, if only `through` frames are above it."""
        for above, frame in enumerate(reversed(self._stack)):
            if frame.kind in kinds:
                for _ in range(above):
                    self._flatten()
                return True
            if frame.kind not in through:
                break
        return False

    def _flatten(self) -> None:
        """Gives the content of a bracket that never closes to the one around it."""
        frame = self._stack.pop()
        content = "".join(frame.parts)
        if frame.kind == TABLE:
            # MediaWiki closes it at the end of the page; what stands outside its rows may be prose.
            content = "\n".join(line for line in content.split("\n")[1:] if not _ROW.match(line))
        else:
            content = _until_paragraph_end(frame.kind, content)
        self._emit(content)

    def _link(self, content: str) -> str:
        target, pipe, label = content.partition("|")
        target = target.strip()
        if target.startswith(":"):
            return label if label else target[1:]
        prefix, colon, _ = target.partition(":")
        if colon and (normalise_title(prefix).casefold() in self._hidden or _LANGUAGE.match(target)):
            return NOTHING
        if pipe:
            # A label's own marks are a pair, whatever stands around the link.
            return strip_quotes(label) if label.strip() else _pipe_trick(target)
        return target.replace("_", " ")


def _until_paragraph_end(kind: str, content: str) -> str:
    """What is left of the content of a template or link that never closes."""
    found = _PARAGRAPH_END.search(content)
    end = found.start() if found else len(content)
    if kind == LINK:
        return content if "|" not in content[:end] else cut("link") + content[end:]
    name = _NAME.match(content)
    return cut(name.group() if name else "") + content[end:]


def _pipe_trick(target: str) -> str:
    """What [[target|]] shows: the title without its prefix and without what tells it apart."""
    return re.sub(r"\([^()]*\)$|,[^,]*$", "", target.rpartition(":")[2]).strip()
