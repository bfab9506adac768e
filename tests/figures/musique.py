"""Figures of MuSiQue's README."""

from __future__ import annotations

from collections.abc import Iterator

from stages.musique.graphs.shapes import SHAPES
from tests.figures.blocks import Cell, Figure
from tests.figures.builds import Build, Work

SPLITS = ("train", "dev", "test")


def real_hops(work: Work) -> Build:
    return work.build("musique", "musique-hops", "--source", str(work.real / "singlehop" / "pool.jsonl.gz"))


def steps(work: Work) -> Iterator[Figure]:
    build = real_hops(work)
    splits = build.metrics["musique.split_caps"]
    heads = build.metrics["musique.head_filter"]["heads_kept_percent"]
    tails = build.metrics["musique.tail_filter"]["tail_filter.masked_tails_kept_percent"]
    for row, value in (
        ("usable hops", build.count("musique.hop_filter", "copies.hops")),
        ("that ask for something of one answer", build.count("musique.hop_filter", "one_answer.hops")),
        ("that are true and clear by the rules", build.count("musique.hop_filter", "sound_hops.hops")),
        ("bridges between them", build.count("musique.bridge_pairs", "bridge_identity.bridges")),
        ("heads, tails that must be read and led to", f"{heads:.1f} %, {tails:.1f} %"),
        ("bridges left", build.count("musique.disconnection_filter", "kept")),
        ("bridges whose hops make one sentence", build.count("musique.graph_selection", "worded_bridges.worded")),
        ("graphs within the caps", build.count("musique.graph_selection", "graph_selection.graphs")),
        (
            "that read like no other and name no step's answer",
            build.count("musique.mechanical_composition", "mechanical_composition_distinct.questions"),
        ),
        (
            "questions in splits that share no hop, answer or paragraph",
            f"{int(sum(build.metrics['musique.splits'][split] for split in SPLITS)):,}",
        ),
        (
            "of which no split has too many alike",
            f"{int(sum(splits[f'{split}_{shape.name}'] for split in SPLITS for shape in SHAPES)):,}",
        ),
    ):
        yield Cell(row, "kept", value)
