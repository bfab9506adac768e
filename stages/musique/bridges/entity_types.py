"""Stage `musique.entity_types`: the entity type of each name in its sentence, by a tagger."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import pyarrow as pa

from stages.core.contract import Map, Output, Stage
from stages.musique.bridges.tables import TAG_REQUESTS, TAGS
from stages.musique.bridges.tagger import Entity, EntityTagger, SpacyEntityTagger
from stages.musique.single_hops.forms import Words, bare


def tag(requests: pa.Table, *, tagger: EntityTagger) -> Output:
    """TAGS from some requests. Metrics: untagged (names that the tagger does not see)."""
    rows = requests.to_pylist()
    texts = sorted({row["text"] for row in rows})
    entities = dict(zip(texts, tagger.load()(texts), strict=True)) if texts else {}
    tags = [
        {"request": row["request"], **_tag(row["text"], row["start"], row["end"], entities[row["text"]])}
        for row in rows
    ]
    untagged = sum(not found["type"] for found in tags)
    return Output({TAGS.name: TAGS.table(tags)}, metrics={"tagged": float(len(tags)), "untagged": float(untagged)})


def _tag(text: str, start: int, end: int, entities: Iterable[Entity]) -> dict[str, str | bool]:
    """The type of the entity at a span: of one with the same words, or of a longer one that holds it."""
    wanted = bare(Words.of(text[start:end]).joined)
    for entity in entities:
        if entity.start < end and start < entity.end:
            words = _words(text[entity.start : entity.end])
            if words == wanted:
                return {"type": entity.type, "longer": False}
            if wanted in words:
                return {"type": entity.type, "longer": True}
    return {"type": "", "longer": False}


def _words(text: str) -> str:
    """The words of an entity without a leading article or a possessive end, both of which taggers take in."""
    return bare(Words.of(text.removesuffix("'s").removesuffix("’s").removesuffix("'")).joined)


def stage(tagger: EntityTagger | None = None) -> Stage:
    """Raises StageError: the tagger's model is not installed."""
    tagger = tagger or SpacyEntityTagger()
    return Stage(
        name="musique.entity_types",
        shape=Map(),
        kernel=partial(tag, tagger=tagger),
        inputs=(TAG_REQUESTS.name,),
        outputs=(TAGS,),
        about="S2: entity types of answers and mentions.",
    )
