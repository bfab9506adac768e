"""The names that a MuSiQue build will want to tell apart, told from its files of single hops before it begins."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa

from pipelines.params import Values, section
from stages.facts.relations.templates import load_relations
from stages.io.detect import HOPS, RELATIONS, Inputs
from stages.musique.bridges.bridge_mentions import MentionParams, mentions
from stages.musique.bridges.tables import BRIDGE_ANSWERS, KNOWN_NAMES, MENTIONS
from stages.musique.hop_sources.parse import parse, relation_labels
from stages.musique.hop_sources.source import HopFiles
from stages.musique.single_hops.hop_filter import FilterParams, filter_hops
from stages.musique.single_hops.stated import SingleHopParams
from stages.musique.single_hops.tables import READ_HOPS, SINGLE_HOPS


def bridge_names(inputs: Inputs, values: Values) -> list[str]:
    """Answers of single hops that questions of other hops mention, as they are spelled there; most pairs first.

    More than the build will pair: without the wiki's own titles, no name is known to be part of a longer one.
    """
    hops = filter_hops(_read(inputs, values), params=section(FilterParams, values, "hops")).tables[SINGLE_HOPS.name]
    limits = section(MentionParams, values, "bridges", seed=values["build"]["seed"])
    found = mentions(hops, KNOWN_NAMES.empty(), params=limits).tables
    tails = Counter(found[MENTIONS.name]["entity"].to_pylist())
    answers = dict(zip(hops["hop"].to_pylist(), hops["answer"].to_pylist(), strict=True))
    pairs: Counter[str] = Counter()
    for head, entity in zip(
        *(found[BRIDGE_ANSWERS.name][name].to_pylist() for name in ("head", "entity")), strict=True
    ):
        pairs[answers[head]] += tails[entity]
    return sorted(pairs, key=lambda name: (-pairs[name], name))


def _read(inputs: Inputs, values: Values) -> pa.Table:
    """READ_HOPS of all files; what is wrong with them, the build itself says."""
    files = inputs.of(HOPS)
    source = HopFiles(files) if files else None
    limits, labels = section(SingleHopParams, values, "hops"), relation_labels(load_relations(inputs.of(RELATIONS)))
    read = [
        parse(raw, params=limits, labels=labels).tables[READ_HOPS.name]
        for part in (source.parts() if source is not None else ())
        for raw in (source.read(part) if source is not None else ())
    ]
    return pa.concat_tables([READ_HOPS.empty(), *read])
