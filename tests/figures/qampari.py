"""Figures of QAMPARI's README: the funnel of the sample and of the real extract (which takes minutes)."""

from __future__ import annotations

from collections.abc import Iterator

from tests.figures.blocks import Cell, Figure
from tests.figures.builds import Build, Work

KINDS = ("simple", "intersection", "composition")


def sample(work: Work) -> Iterator[Figure]:
    return funnel(work.build("qampari", "qampari"), "built-in sample")


def extract(work: Work) -> Build:
    files = ("entities.json.gz", "pages.jsonl.gz", "redirects.jsonl.gz")
    sources = [part for name in files for part in ("--source", str(work.real / "wikidata" / name))]
    return work.build("qampari", "qampari-extract", *sources)


def real(work: Work) -> Iterator[Figure]:
    return funnel(extract(work), "real extract")


def funnel(build: Build, column: str) -> Iterator[Figure]:
    """The column of a build in the table of kept and dropped."""
    splits = build.metrics["qampari.splits"]
    sizes = [int(sum(splits[f"{split}_{kind}"] for kind in KINDS)) for split in ("train", "dev", "test")]
    cleaned = int(sum(build.metrics["qampari.cleaning"][f"{kind}_questions"] for kind in KINDS))
    simple = build.metrics["qampari.simple_queries"]
    for row, value in (
        ("1, 2: simple and typed queries", f"{int(simple['typed_queries'] + simple['untyped_queries']):,}"),
        ("triples with evidence", build.count("facts.nli_validation", "best_evidence.triples_with_evidence")),
        ("5: simple queries kept", build.count("qampari.query_filter", "query_filter.queries")),
        ("6: intersections", build.count("qampari.intersections", "intersections.queries")),
        (
            "7: compositions with enough answers, kept after evidence",
            build.count("qampari.composition_filter", "composition_filter.queries"),
        ),
        ("8, 9: questions", f"{cleaned:,}"),
        ("10: train / dev / test", " / ".join(f"{size:,}" for size in sizes)),
    ):
        yield Cell(row, column, value)
    triples = build.count("facts.candidate_evidence", "triples.triples")
    sentences = build.count("facts.candidate_evidence", "candidate_evidence.candidates")
    yield Cell("3: triples asked for, candidate sentences", column, f"{triples}, {sentences}")
