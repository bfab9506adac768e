"""A tagger and a corpus for tests, and the bridge stages in a row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from stages.core.contract import Output
from stages.musique.bridges.bridge_identity import IdentityParams, identity
from stages.musique.bridges.bridge_mentions import MentionParams, mentions
from stages.musique.bridges.bridge_pairs import PairParams, pairs
from stages.musique.bridges.entity_types import tag
from stages.musique.bridges.known_names import names
from stages.musique.bridges.tagger import Entity, Tag
from stages.musique.single_hops.hop_filter import paragraphs
from stages.musique.single_hops.tables import GOLD_PARAGRAPHS

TYPES = {"Lennon": "PERSON", "John Lennon": "PERSON", "Liverpool": "GPE", "New Hampshire": "GPE", "Hampshire": "GPE"}
# A corpus in which "Victoria" is a city, a state and a queen.
GOLD = GOLD_PARAGRAPHS.table([{"paragraph": "1", "title": "victoria, Texas", "text": "Victoria is a city in Texas."}])
PAGES = pa.table({"title": ["Victoria (Australia)", "Queen Victoria"], "text": ["A state with Melbourne.", "A queen."]})
REDIRECTS = pa.table({"source": ["Victoria"], "target": ["Victoria (Australia)#History"]})
ENTITIES = pa.table(
    {
        "label": ["Queen Victoria", "nobody"],
        "aliases": pa.array([["Victoria", "Drina"], []], pa.list_(pa.string())),
        "title": ["Queen Victoria", None],
    }
)


@dataclass(frozen=True)
class ListedTagger:
    """Sees the listed names wherever they stand, longer ones first."""

    types: Mapping[str, str] = field(default_factory=dict)

    @property
    def identity(self) -> str:
        return "listed"

    def load(self) -> Tag:
        return self._tag

    def _tag(self, texts: Sequence[str]) -> list[list[Entity]]:
        return [self._entities(text) for text in texts]

    def _entities(self, text: str) -> list[Entity]:
        found: list[Entity] = []
        for name in sorted(self.types, key=lambda name: (-len(name), name)):
            at = text.find(name)
            while at >= 0:
                if all(at >= entity.end or at + len(name) <= entity.start for entity in found):
                    found.append(Entity(at, at + len(name), self.types[name]))
                at = text.find(name, at + 1)
        return sorted(found)


@dataclass(frozen=True)
class Built:
    """What the stages made of some hops."""

    outputs: Mapping[str, Output]

    def rows(self, table: str) -> list[dict[str, Any]]:
        return next(output.tables[table] for output in self.outputs.values() if table in output.tables).to_pylist()

    @property
    def reasons(self) -> Counter[str]:
        found = Counter[str]()
        for output in self.outputs.values():
            for row in output.rejects.to_pylist():
                found[row["reason"]] += row["count"]
        return found


def build(
    hops: pa.Table,
    types: Mapping[str, str],
    mention: MentionParams | None = None,
    pair: PairParams | None = None,
    same: IdentityParams | None = None,
) -> Built:
    """All bridge stages over some hops; types: of the names that the tagger sees."""
    gold = paragraphs(hops).tables["gold_paragraphs"]
    known = names(gold)
    table = known.tables["known_names"]
    found = mentions(hops, table, params=mention or MentionParams(stated=False))
    tagged = tag(found.tables["tag_requests"], tagger=ListedTagger(types))
    paired = pairs(
        found.tables["bridge_answers"],
        found.tables["bridge_mentions"],
        tagged.tables["tags"],
        hops,
        params=pair or PairParams(),
    )
    checked = identity(paired.tables["bridge_pairs"], hops, table, params=same or IdentityParams())
    return Built({"names": known, "mentions": found, "tag": tagged, "pairs": paired, "identity": checked})
