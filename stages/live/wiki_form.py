"""The form of a wiki's answers, as far as this project reads them; what else stands there is left aside."""

from __future__ import annotations

import msgspec

from stages.live.service import Foreign


class _Lead(msgspec.Struct):
    """One title that leads to another. tointerwiki: the prefix of the wiki that it leads to."""

    origin: str = msgspec.field(name="from")
    to: str
    tointerwiki: str = ""
    fromencoded: bool = False


class _Titled(msgspec.Struct):
    title: str


class _Slot(msgspec.Struct):
    content: str = ""
    contentmodel: str = ""
    texthidden: bool = False
    textmissing: bool = False


class _Revision(msgspec.Struct):
    revid: int
    timestamp: str = ""
    slots: dict[str, _Slot] = {}


class _Page(msgspec.Struct):
    """pageid: of a page that is there."""

    title: str
    ns: int = 0
    pageid: int | None = None
    missing: bool = False
    invalid: bool = False
    special: bool = False
    revisions: list[_Revision] = []
    redirects: list[_Titled] = []


class _General(msgspec.Struct):
    sitename: str
    base: str
    generator: str
    lang: str


class _Namespace(msgspec.Struct):
    id: int
    name: str


class _Alias(msgspec.Struct):
    id: int
    alias: str


class _Rights(msgspec.Struct):
    text: str = ""
    url: str = ""


class _Query(msgspec.Struct):
    pages: list[_Page] = []
    normalized: list[_Lead] = []
    converted: list[_Lead] = []
    redirects: list[_Lead] = []
    interwiki: list[_Titled] = []
    search: list[_Titled] = []
    prefixsearch: list[_Titled] = []
    allpages: list[_Titled] = []
    general: _General | None = None
    namespaces: dict[str, _Namespace] = {}
    namespacealiases: list[_Alias] = []
    rightsinfo: _Rights = msgspec.field(default_factory=_Rights)


class _Said(msgspec.Struct):
    """An error or a warning in either form. text, info, warnings: its words."""

    code: str = ""
    module: str = ""
    text: str = ""
    info: str = ""
    warnings: str = ""


class _Answer(msgspec.Struct):
    query: _Query = msgspec.field(default_factory=_Query)
    more: dict[str, str | int] = msgspec.field(name="continue", default_factory=dict)
    errors: list[_Said] = []
    error: _Said | None = None
    warnings: list[_Said] | dict[str, _Said] = []


_DECODE = msgspec.json.Decoder(_Answer).decode


def check(body: bytes) -> None:
    """Raises Foreign where an answer, which is whole JSON, has another form than a wiki gives it; says where."""
    try:
        answer = _DECODE(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Foreign(f"answers in another form than a wiki's: {error}") from error
    for page in answer.query.pages:
        if page.pageid is None and page.ns >= 0 and not (page.missing or page.invalid or page.special):
            raise Foreign(f"answers in another form than a wiki's: the page {page.title[:80]!r} has no `pageid`")
