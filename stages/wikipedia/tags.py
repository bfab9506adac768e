"""Comments, extension tags and HTML of wikitext, in one pass whose time is linear in the text."""

from __future__ import annotations

import re

from stages.core.steps import Steps
from stages.wikipedia.formulas import plain_formula
from stages.wikipedia.holes import cut, high, hole


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What stands between these tags is no prose of the page.
DROPPED = _names(
    "ref references gallery timeline imagemap score hiero graph mapframe maplink categorytree inputbox "
    "templatedata templatestyles syntaxhighlight source pre table style script includeonly del strike s "
    "section indicator charinsert listing rss video audio iframe object form select textarea title"
)
FORMULAS = frozenset({"math", "chem", "ce"})
BLOCKS = _names("p div blockquote center li ul ol dl dd dt h1 h2 h3 h4 h5 h6 hr poem tr td th tbody caption")
SPACES = frozenset({"br", "wbr"})
INLINE = _names(
    "b i u em strong small big sub sup span font code tt kbd var samp cite abbr dfn q ins mark bdi bdo ruby rb rt rp "
    "rtc noinclude onlyinclude nowiki a img time data input button label"
)
KNOWN = DROPPED | FORMULAS | BLOCKS | SPACES | INLINE

# A reference whose own tag has no end is one too.
_TOKEN = re.compile(r"<!--|<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:[\s/][^<>]{0,2000})?)>|<(/?)(ref)\b", re.IGNORECASE)
_PARAGRAPH_END = re.compile(r"\n(?=[ \t]*(?:\n|[*#:;=|!]|\{\||\}\}))")
# Content that readers see, and that is not rendered here.
UNREAD = FORMULAS | _names("hiero score syntaxhighlight source")
# Without a closing tag these end with their paragraph: what follows may be theirs or the page's.
CUT = UNREAD | _names("ref gallery timeline imagemap graph mapframe maplink templatedata inputbox")
# They do not stand in each other: one that begins before another one of its name ends has no end.
_APART = FORMULAS | _names("ref")
_POWER = re.compile(r"([0-9])?<sup(?:\s[^<>]{0,200})?>\s*((?:[+\-−–]?\d{1,4}|\d?[+\-−–]|n))\s*</sup\s*>", re.IGNORECASE)
_LITERAL = str.maketrans({char: f"&#{ord(char)};" for char in "[]{}|'=*#:;<>_"})


def strip_tags(text: str, *, piece: bool = False) -> str:
    """The text without comments and HTML; what `nowiki` protects comes out as character entities, and marks of
    `stages.wikipedia.holes` stand for formulas and the like.

    An unclosed comment hides the rest of the page, as in MediaWiki. Tags that are not
    HTML or an extension's stay: they are text. piece: of a page, so that what it opens may
    end behind it: such a tag goes, and takes nothing with it.
    """
    return _TagStripper(_POWER.sub(lambda found: high(found[1] or "", found[2]), text), piece).run()


class _TagStripper:
    def __init__(self, text: str, piece: bool) -> None:
        self._text = text
        self._piece = piece
        self._out: list[str] = []
        # Names that have no closing tag ahead; without this, many unclosed tags take quadratic time.
        self._unclosed: set[str] = set()

    def run(self) -> str:
        position, steps = 0, Steps(self._text)
        while (found := _TOKEN.search(self._text, position)) and steps.on():
            self._out.append(self._text[position : found.start()])
            position = self._comment(found.end()) if found.group() == "<!--" else self._tag(found)
        self._out.append(self._text[position:])
        return "".join(self._out)

    def _comment(self, start: int) -> int:
        end = self._text.find("-->", start)
        return len(self._text) if end < 0 else end + 3

    def _tag(self, found: re.Match[str]) -> int:
        if found.group(5):
            return found.end() if found.group(4) else self._cut("ref", found.end())
        closing, name, attributes = found.group(1), found.group(2).lower(), found.group(3)
        if name not in KNOWN:
            self._out.append(found.group())
        elif name in BLOCKS:
            self._out.append("\n\n")
        elif name in SPACES:
            self._out.append(" ")
        elif not closing and not attributes.endswith("/") and (name in DROPPED or name in FORMULAS or name == "nowiki"):
            return self._element(name, found.end())
        return found.end()

    def _element(self, name: str, start: int) -> int:
        """The end of an element whose content is no wikitext; writes what is kept of it."""
        close = self._close(name, start)
        if close is None:
            return self._cut(name, start) if name in CUT else start
        content = self._text[start : close.start()]
        if name == "nowiki":
            self._out.append(content.translate(_LITERAL))
        elif name in FORMULAS and (formula := plain_formula(content)) is not None:
            self._out.append(formula.translate(_LITERAL))
        elif name in UNREAD:
            self._out.append(hole(name))
        return close.end()

    def _close(self, name: str, start: int) -> re.Match[str] | None:
        if name in _APART:
            found = re.compile(rf"(</{name}\s*>)|<{name}\b", re.IGNORECASE).search(self._text, start)
            return found if found and found.group(1) else None
        if name in self._unclosed:
            return None
        found = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(self._text, start)
        if found is None:
            self._unclosed.add(name)
        return found

    def _cut(self, name: str, start: int) -> int:
        """The end of the paragraph in which something begins that never ends; writes its mark."""
        if self._piece:
            return start
        self._out.append(cut(name))
        found = _PARAGRAPH_END.search(self._text, start)
        return found.start() if found else len(self._text)
