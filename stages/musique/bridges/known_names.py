"""Stage `musique.known_names`: the alias table that identity checks ask (MuSiQue, step 2).

Names are the titles of the hops' paragraphs, and of a corpus where a build has one: its
pages, their redirects, and the labels and aliases of entities.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from stages.core.contract import Output, Stage, Whole
from stages.musique.bridges.tables import KNOWN_NAMES
from stages.musique.single_hops.forms import bare, form
from stages.musique.single_hops.tables import GOLD_PARAGRAPHS
from stages.wikipedia.title_lookup import base
from stages.wikipedia.titles import normalise_title

TITLE, REDIRECT, ALIAS = "title", "redirect", "alias"
_KINDS = (TITLE, REDIRECT, ALIAS)
_ABOUT = 1500


def names(
    gold: pa.Table,
    pages: pa.Table | None = None,
    redirects: pa.Table | None = None,
    entities: pa.Table | None = None,
) -> Output:
    """KNOWN_NAMES from GOLD_PARAGRAPHS and, where there are any, pages (title, text), redirects (source, target)
    and entities (label, aliases, title).

    A name counts once per target, by the best of title, redirect and alias.
    """
    about = {normalise_title(row["title"]): row["text"][:_ABOUT] for row in _rows(pages, "title", "text")}
    for row in sorted(_rows(gold, "paragraph", "title", "text"), key=lambda row: row["paragraph"]):
        about.setdefault(normalise_title(row["title"]), row["text"][:_ABOUT])
    about.pop("", None)
    found: dict[tuple[str, str], str] = {}
    for name, target, kind in _named(about, redirects, entities):
        key = (bare(form(name)).strip(), target)
        if key[0] and _KINDS.index(kind) <= _KINDS.index(found.get(key, ALIAS)):
            found[key] = kind
    rows = [
        {"name": name, "target": target, "kind": kind, "about": about.get(target, "")}
        for (name, target), kind in sorted(found.items())
    ]
    return Output({KNOWN_NAMES.name: KNOWN_NAMES.table(rows)}, metrics={"known_names": float(len(rows))})


def _named(
    titles: Iterable[str], redirects: pa.Table | None, entities: pa.Table | None
) -> Iterator[tuple[str, str, str]]:
    for title in titles:
        yield unqualified(title), title, TITLE
    for row in _rows(redirects, "source", "target"):
        yield unqualified(row["source"]), normalise_title(row["target"].partition("#")[0]), REDIRECT
    for row in _rows(entities, "label", "aliases", "title"):
        if row["title"] is not None:
            for name in (row["label"], *row["aliases"]):
                yield name, normalise_title(row["title"]), ALIAS


def unqualified(title: str) -> str:
    """A title without what tells it from its namesakes: "Victoria (Australia)", "Victoria, Texas"."""
    return base(title).partition(", ")[0]


def _rows(table: pa.Table | None, *columns: str) -> list[dict[str, Any]]:
    return [] if table is None else table.select(list(columns)).to_pylist()


def stage(corpus: tuple[str, str, str] | None = None) -> Stage:
    """corpus: names of the tables of pages, redirects and entities, where a build has them."""
    return Stage(
        name="musique.known_names",
        shape=Whole(),
        kernel=names,
        inputs=(GOLD_PARAGRAPHS.name, *(corpus or ())),
        outputs=(KNOWN_NAMES,),
        about="S2: titles, redirects and aliases that a bridge may stand for.",
    )
