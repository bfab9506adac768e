"""Which column of a simple file holds what: by the usual names, or by those that the user has mapped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

PAGE = {
    "title": ("page_title", "name", "heading", "headline"),
    "text": ("contents", "content", "body", "article", "page_text"),
    "qid": ("wikidata", "wikidata_id"),
    "page_id": ("pageid",),
    "url": ("uri", "page_url"),
    "licence": ("license", "rights"),
    "revision": ("revision_id", "revid", "oldid"),
    "date": ("timestamp", "last_modified", "retrieved"),
}
"""Columns of a file of pages, each with the other names that it goes by."""
TRIPLE = {
    "subject": ("subj", "head", "s"),
    "property": ("predicate", "relation", "prop", "p"),
    "object": ("obj", "value", "tail", "o"),
}
"""The same of a file of statements."""
KNOWN = (*PAGE, *TRIPLE)


@dataclass(frozen=True)
class ColumnNames:
    """mapped: what a column is taken for, by its name in the file, as --map says; it wins over the usual names."""

    mapped: Mapping[str, str] = field(default_factory=dict)

    def taken(self, names: Iterable[str]) -> dict[str, str]:
        """What the user has mapped, under the names that it was mapped to; all others under their own."""
        return {self.mapped.get(name, name): name for name in sorted(names, key=lambda name: name in self.mapped)}

    def find(self, names: Iterable[str], wanted: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
        """The file's own name of each of some columns that it has."""
        taken = {_folded(name): own for name, own in self.taken(names).items()}
        ways = ((column, next((w for w in (column, *others) if w in taken), "")) for column, others in wanted.items())
        return {column: taken[way] for column, way in ways if way}


USUAL = ColumnNames()


def _folded(name: str) -> str:
    return name.strip().strip("\ufeff").casefold().replace(" ", "_").replace("-", "_")
