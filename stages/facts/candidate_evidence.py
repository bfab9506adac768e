"""Stage `facts.candidate_evidence`: sentences that mention the other end of a triple (paper, step 3).

The premise that the model will read is the sentence with those before it, two in the
paper (its released code took the sentence alone).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from stages.core.alive import alive
from stages.core.columns import number, text, texts
from stages.core.contract import Join, Output, Stage, StageError, TableSpec
from stages.core.rejects import Rejects
from stages.core.rounds import named
from stages.facts.longer_names import MentionWords, load_words
from stages.facts.matching import PreparedPage
from stages.facts.readings import CANDIDATE_KEY, READINGS, State, is_crumb, read_as, readings, too_little
from stages.facts.relations.model import Relations
from stages.facts.relations.render import hypotheses
from stages.facts.tables import TRIPLE, TRIPLE_KEY

CANDIDATES = TableSpec(
    name="candidates",
    schema=pa.schema(
        [
            text("subject"),
            text("property"),
            text("object"),
            text("unit"),
            text("page"),
            number("index"),
            text("title"),
            number("passage"),
            text("side"),
            text("surface"),
            text("subject_label"),
            text("object_label"),
            text("sentence"),
            text("premise"),
            texts("hypotheses"),
        ]
    ),
    key=CANDIDATE_KEY,
    bucket_by=TRIPLE,
)
"""index: position of the sentence on its page; passage: number of the passage that holds it. side: as in the
requests. surface: the name as the sentence writes it. hypotheses: under which the premise is read."""


@dataclass(frozen=True)
class CandidateParams:
    """window: sentences before the one with the mention that go into the premise.

    most: candidates kept per triple and page, the first ones of the page; None keeps all.
    """

    window: int = 2
    most: int | None = None

    def __post_init__(self) -> None:
        if self.window < 0 or (self.most is not None and self.most < 1):
            raise StageError(f"facts.candidate_evidence: window is at least 0 and most at least 1, not {self}")


def candidates(
    requests: pa.Table,
    sentences: pa.Table,
    *,
    params: CandidateParams,
    words: MentionWords | None = None,
    state: State | None = None,
) -> Output:
    """CANDIDATES and READINGS from requests by page and sentences by the page's entity.

    sentences: title, qid, index, passage, text. words: what is no mention though a name stands there.
    state: the hypotheses by other names than the labels; without it those of the requests alone are read.
    Rejects, keyed "subject property object", with the side as detail: no_page, no_mention, and over_limit
    (counting sentences).
    """
    pages = _pages(sentences.filter(pc.is_in(sentences["qid"], requests["page"].unique())))
    rejects = Rejects()
    rows: list[dict[str, Any]] = []
    for page, wanted in sorted(_by_page(requests).items()):
        alive()
        if page in pages:
            rows.extend(_on_page(wanted, pages[page], params, words, rejects))
        else:
            for request in wanted:
                rejects.add(_key(request), "no_page", request["side"])
    if state is not None:
        rows = [row | {"hypotheses": read_as(row, state)} for row in rows]
    read = [reading for row in rows for reading in readings(row)]
    metrics = {
        "requests": float(requests.num_rows),
        "candidates": float(len(rows)),
        "readings": float(len(read)),
    }
    tables = {CANDIDATES.name: CANDIDATES.table(rows), READINGS.name: READINGS.table(read)}
    return Output(tables, rejects.table(), metrics)


class _Lines(NamedTuple):
    """The sentences about one entity, in order, as columns."""

    titles: list[str]
    indexes: list[int]
    passages: list[int]
    texts: list[str]


def _pages(sentences: pa.Table) -> dict[str, _Lines]:
    # One entity has one page; should it have two, their sentences must not run into each other.
    ordered = sentences.sort_by([(name, "ascending") for name in ("qid", "title", "index")])
    columns = [ordered[name].to_pylist() for name in ("title", "index", "passage", "text")]
    pages, start = {}, 0
    for qid, group in groupby(ordered["qid"].to_pylist()):
        end = start + sum(1 for _ in group)
        pages[qid] = _Lines(*(column[start:end] for column in columns))
        start = end
    return pages


def _by_page(requests: pa.Table) -> dict[str, list[dict[str, Any]]]:
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in requests.to_pylist():
        groups[row["page"]].append(row)
    return groups


def _key(request: dict[str, Any]) -> str:
    return f"{request['subject']} {request['property']} {request['object']}"


def _on_page(
    requests: list[dict[str, Any]],
    lines: _Lines,
    params: CandidateParams,
    words: MentionWords | None,
    rejects: Rejects,
) -> Iterator[dict[str, Any]]:
    found = _found(requests, lines.texts, words)
    for number_, request in enumerate(requests):
        hits = sorted(found[number_].items())
        if not hits:
            rejects.add(_key(request), "no_mention", request["side"])
        kept = hits[: params.most]
        if len(kept) < len(hits):
            rejects.add(_key(request), "over_limit", request["side"], len(hits) - len(kept))
        for place, surface in kept:
            yield _candidate(request, lines, place, surface, params.window)


def _found(requests: list[dict[str, Any]], texts: list[str], words: MentionWords | None) -> dict[int, dict[int, str]]:
    """Per request and sentence the mention of the first of the request's surfaces that has one."""
    own = sorted({request[f"{request['side']}_label"] for request in requests})
    owners: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for index, request in enumerate(requests):
        for rank, surface in enumerate(request["surfaces"]):
            owners[surface].append((index, rank))
    names = list(owners)
    best: dict[int, dict[int, tuple[int, str]]] = defaultdict(dict)
    crumbs = {place for place, sentence in enumerate(texts) if words and is_crumb(sentence)}
    for mention in PreparedPage(texts).mentions(names, words, own):
        if mention.sentence in crumbs:
            continue
        for index, rank in owners[names[mention.surface]]:
            if words and too_little(mention.text, _sought(requests[index]), texts[mention.sentence]):
                continue
            known = best[index].get(mention.sentence)
            if known is None or rank < known[0]:
                best[index][mention.sentence] = (rank, mention.text)
    return defaultdict(dict, {index: {at: text_ for at, (_, text_) in hits.items()} for index, hits in best.items()})


def _sought(request: dict[str, Any]) -> str:
    """The label of the end that is looked for on the other's page."""
    label: str = request["object_label" if request["side"] == "subject" else "subject_label"]
    return label


def _candidate(request: dict[str, Any], lines: _Lines, place: int, surface: str, window: int) -> dict[str, Any]:
    title, sentence = lines.titles[place], lines.texts[place]
    first = max(0, place - window)
    before = [lines.texts[at] for at in range(first, place) if lines.titles[at] == title]
    premise = " ".join([*before, sentence])
    named_ = (*TRIPLE_KEY, "page", "side", "subject_label", "object_label", "hypotheses")
    return {
        **{name: request[name] for name in named_},
        "title": title,
        "index": lines.indexes[place],
        "passage": lines.passages[place],
        "surface": surface,
        "sentence": sentence,
        "premise": premise,
    }


def stage(relations: Relations, params: CandidateParams | None = None, suffix: str = "") -> Stage:
    """relations: for the hypotheses; suffix: names the round."""
    chosen, words = params or CandidateParams(), load_words()
    return named(
        Stage(
            name="facts.candidate_evidence",
            shape=Join(on=(("page",), ("qid",))),
            kernel=partial(candidates, params=chosen, words=words, state=partial(hypotheses, relations)),
            inputs=("requests", "sentences"),
            outputs=(CANDIDATES, READINGS),
            templates={**relations.digests, **dict(words.digests)},
            about="Step 3: sentences on either page that mention the other end; the premise has the sentences before.",
        ),
        suffix,
        shared=("sentences",),
    )
