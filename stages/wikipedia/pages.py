"""Stage wikipedia.pages: raw pages to clean text, and the redirects between titles.

The paper's corpus is English Wikipedia; a page counts when it is an article: in the main
namespace, no redirect, no disambiguation page, with some text left after cleaning.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.alive import alive
from stages.core.contract import FAMILY, Map, Output, Source, Stage, TableSpec
from stages.core.rejects import Rejects
from stages.wikipedia.brackets import UnparsableMarkupError
from stages.wikipedia.holes import HOLE, settle_all
from stages.wikipedia.prose import clean_characters, clean_prose
from stages.wikipedia.raw import ORIGIN, ORIGIN_NAMES
from stages.wikipedia.tags import strip_tags
from stages.wikipedia.titles import MAIN, Namespaces, normalise_title, title_fault
from stages.wikipedia.wikitext import DEFAULT_HIDDEN, DROPPED_SECTIONS, clean_wikitext

PAGES = TableSpec(
    name="pages",
    schema=pa.schema(
        [
            pa.field("title", pa.string(), nullable=False),
            pa.field("page_id", pa.int64()),
            pa.field("qid", pa.string()),
            pa.field("text", pa.large_string(), nullable=False),
            *ORIGIN,
        ]
    ),
    key=("title",),
    on_duplicate="reject",
)
REDIRECTS = TableSpec(
    name="redirects",
    schema=pa.schema(
        [pa.field("source", pa.string(), nullable=False), pa.field("target", pa.string(), nullable=False)]
    ),
    key=("source",),
    on_duplicate="reject",
)

DISAMBIGUATIONS = TableSpec(
    name="disambiguations",
    schema=pa.schema([pa.field("title", pa.string(), nullable=False)]),
    key=("title",),
    on_duplicate="reject",
)

LICENCES = TableSpec(
    name="licences",
    schema=pa.schema([pa.field("licence", pa.string()), pa.field("pages", pa.int64(), nullable=False)]),
    key=("licence",),
    on_duplicate="sum",
)
"""How many articles state each licence, null where they state none; those of one title count each."""

_REDIRECT = re.compile(r"\s{0,100}+#REDIRECT(?:ION)?\s{0,100}+:?\s{0,100}+\[\[([^\[\]|]{1,300})", re.IGNORECASE)
_TEMPLATE_NAME = re.compile(r"\{\{\s{0,20}(?:template:\s{0,9})?([a-z0-9][a-z0-9 _/-]{1,60})[|}\n]", re.IGNORECASE)
# Further ones end in "disambiguation" or in "disambiguation cleanup".
_DISAMBIGUATIONS = frozenset(
    (
        *("disambig", "disamb", "dab", "dabpage", "geodis", "hndis", "hndis-cleanup", "mathdab", "mil-unit-dis"),
        *("numberdis", "roaddis", "schooldis", "tndis", "chemdis", "letterdis", "airport-dis", "biodab", "genusdab"),
        *("latindab", "placedab", "sportdab"),
    )
)
_REFERS = re.compile(
    r"\b(?:may|can|could) (?:also |most commonly |commonly |mean or )?refer to\b[^.\n]{0,60}:\s*(?:\n|$)"
)
_LEAD_LINES = 2
_AS_READ = ("page_id", "qid", *ORIGIN_NAMES)
# A sound page that is no wikitext: a choice of what counts, as a namespace is.
_NOT_BAD = frozenset({"other_model"})
_MARK = re.compile(r" \(disambiguation\)$", re.IGNORECASE)


@dataclass(frozen=True)
class PagesParams:
    """dropped_sections: lower-case headings whose sections are left out."""

    dropped_sections: tuple[str, ...] = DROPPED_SECTIONS


def stage(source: Source, params: PagesParams | None = None, disambiguations: bool = False) -> Stage:
    """disambiguations: whether the titles of disambiguation pages come out too, as the table DISAMBIGUATIONS."""
    params = params or PagesParams()
    return Stage(
        name="wikipedia.pages",
        shape=Map(),
        kernel=partial(clean_pages, params=params, disambiguations=disambiguations),
        outputs=(PAGES, REDIRECTS, LICENCES, *((DISAMBIGUATIONS,) if disambiguations else ())),
        source=source,
        about="Wikipedia's articles as clean text, and its redirects",
    )


def clean_pages(raw: pa.Table, *, params: PagesParams, disambiguations: bool = False) -> Output:
    """Pages, redirects and licences of raw rows (see `stages.wikipedia.raw`), and DISAMBIGUATIONS where wanted.

    Rejects: the source's own error reasons; other_namespace (key "namespace N", counted),
    no_title, bad_title, bad_redirect, self_redirect, disambiguation, unparsable_markup, too_slow, empty_text.

    Metrics: records (rows) and among them bad_records (rejected by the source as damaged, no_title, bad_title,
    unparsable_markup); source_characters and text_characters of the articles, before and after cleaning;
    pages_with_holes, and "holes:NAME" for the templates, formulas and tags that most often left one.
    """
    cleaner = _Cleaner(params)
    for row in raw.to_pylist():
        alive()
        cleaner.add(row)
    output = cleaner.output()
    if not disambiguations:
        return output
    return replace(output, tables={**output.tables, DISAMBIGUATIONS.name: cleaner.disambiguations()})


class _Cleaner:
    def __init__(self, params: PagesParams) -> None:
        self._params = params
        self._pages: list[dict[str, Any]] = []
        self._redirects: list[dict[str, str]] = []
        self._unclear: list[str] = []
        self._rejects = Rejects()
        self._elsewhere: Counter[int] = Counter()
        self._metrics: Counter[str] = Counter(
            records=0, bad_records=0, source_characters=0, text_characters=0, pages_with_holes=0
        )
        self._missing: Counter[str] = Counter()
        self._namespaces = Namespaces.of()

    def _bad(self, key: str, reason: str, detail: str) -> None:
        """A row that is damaged, or not what a page source holds."""
        self._metrics["bad_records"] += 1
        self._rejects.add(key, reason, detail)

    def add(self, row: dict[str, Any]) -> None:
        self._metrics["records"] += 1
        text = row["text"] or ""
        if row["error"] is not None:
            reason, _, detail = row["error"].partition(": ")
            reject = self._rejects.add if reason in _NOT_BAD else self._bad
            reject(_key(row["title"], text or row["error"]), reason, _detail(detail, text))
            return
        title = normalise_title(row["title"] or "")
        if fault := title_fault(title):
            self._bad(_key(title, text), "bad_title" if title else "no_title", fault)
        elif (namespace := self._namespace(row, title)) != MAIN:
            self._elsewhere[namespace] += 1
        elif (target := _redirect_of(row, text)) is not None:
            self._redirect(title, target)
        else:
            with self._rejects.catch(title):
                self._page(title, text, row)

    def _namespace(self, row: dict[str, Any], title: str) -> int:
        known = row["namespace"]
        return self._namespaces.split(title)[0] if known is None else int(known)

    def _redirect(self, source: str, raw_target: str) -> None:
        # A redirect may point to a section; the page is what counts.
        target = normalise_title(raw_target.partition("#")[0].lstrip(":"))
        if fault := title_fault(target):
            self._rejects.add(source, "bad_redirect", fault)
        elif self._namespaces.split(target)[0] != MAIN:
            self._rejects.add(source, "bad_redirect", f"leads to {target}, which is no article")
        elif target == source:
            self._rejects.add(source, "self_redirect", raw_target)
        else:
            self._redirects.append({"source": source, "target": target})

    def _page(self, title: str, text: str, row: dict[str, Any]) -> None:
        self._metrics["source_characters"] += len(text)
        try:
            clean = self._clean(text, row)
        except UnparsableMarkupError as error:
            self._bad(title, "unparsable_markup", str(error))
            return
        if _is_disambiguation(title, text if row["markup"] else "", clean):
            self._unclear.append(title)
            self._rejects.add(title, "disambiguation")
        elif not clean:
            self._rejects.add(title, "empty_text", f"nothing of {len(text)} characters is prose")
        else:
            self._metrics["text_characters"] += len(clean)
            self._metrics["pages_with_holes"] += HOLE in clean
            self._pages.append({"title": title, "text": clean, **{name: row[name] for name in _AS_READ}})

    def _clean(self, text: str, row: dict[str, Any]) -> str:
        if not row["markup"]:
            return clean_prose(settle_all(strip_tags(clean_characters(text)), self._missing))
        hidden = row["hidden"] if row["hidden"] is not None else DEFAULT_HIDDEN
        return clean_wikitext(text, frozenset(hidden), self._params.dropped_sections, self._missing)

    def disambiguations(self) -> pa.Table:
        return DISAMBIGUATIONS.table([{"title": title} for title in self._unclear])

    def output(self) -> Output:
        for namespace, count in sorted(self._elsewhere.items()):
            self._rejects.add(f"namespace {namespace}", "other_namespace", count=count)
        pages, redirects = PAGES.table(self._pages), REDIRECTS.table(self._redirects)
        stated = Counter(page["licence"] for page in self._pages)
        licences = LICENCES.table([{"licence": licence, "pages": count} for licence, count in stated.items()])
        tables = {PAGES.name: pages, REDIRECTS.name: redirects, LICENCES.name: licences}
        holes = {f"holes{FAMILY}{name}": count for name, count in self._missing.items()}
        metrics = {name: float(count) for name, count in (self._metrics | holes).items()}
        return Output(tables, self._rejects.table(), metrics)


def _redirect_of(row: dict[str, Any], text: str) -> str | None:
    if row["redirect"] is not None:
        return str(row["redirect"])
    # Exports from before 2011 show a redirect only in the page's text.
    found = _REDIRECT.match(text) if row["markup"] else None
    return found.group(1) if found else None


def _is_disambiguation(title: str, markup: str, clean: str) -> bool:
    lead = "\n".join(clean.split("\n", _LEAD_LINES)[:_LEAD_LINES])
    return bool(_MARK.search(title) or _tells_apart(markup) or _REFERS.search(lead))


def _tells_apart(markup: str) -> bool:
    """Whether a page has a template of those that list what a name may mean."""
    found = (" ".join(name.lower().replace("_", " ").split()) for name in _TEMPLATE_NAME.findall(markup))
    return any(name in _DISAMBIGUATIONS or name.removesuffix(" cleanup").endswith("disambiguation") for name in found)


def _key(title: str | None, content: str) -> str:
    return title or f"sha256:{hashlib.sha256(content.encode('utf-8', 'replace')).hexdigest()[:12]}"


def _detail(detail: str, excerpt: str) -> str:
    return f"{detail}; {excerpt[:80]}" if excerpt else detail
