"""What several datasets build alike: pages, which of them is about which entity, and the sentences that state facts."""

from __future__ import annotations

from pipelines.params import Values, section
from stages.core.chain import chain
from stages.core.contract import Source, Stage
from stages.facts import (
    best_evidence,
    candidate_evidence,
    evidence_requests,
    nli_scores,
    nli_validation,
    scored_readings,
    subjects,
    triples,
)
from stages.facts.candidate_evidence import CandidateParams
from stages.facts.nli_validation import ValidateParams
from stages.facts.relations.model import Relations
from stages.io.detect import ENTITIES, MEDIAWIKI, PAGES, REDIRECTS, WIKIDATA, Inputs
from stages.io.formats import formats
from stages.io.json_files import RECORDS
from stages.io.several import Several
from stages.linking import claims, link, sitelinks
from stages.models.scoring.resolve import scorer
from stages.wikidata.parse import ParseParams
from stages.wikidata.simple import SimpleStatements, SimpleWords
from stages.wikidata.source import WikidataDump
from stages.wikipedia import segment
from stages.wikipedia.dump import MediaWikiDump
from stages.wikipedia.prepared import PreparedPages
from stages.wikipedia.raw import RAW_SCHEMA
from stages.wikipedia.segment import SegmentParams


def entities(inputs: Inputs, params: ParseParams, relations: Relations) -> Source:
    """The entities of all dumps and simple files; none where there are no such files."""
    dumps, triples, simple = (inputs.own(kind) for kind in ENTITIES)
    sources: tuple[Source, ...] = (*((WikidataDump(dumps),) if dumps else ()), *_foreign(inputs, WIKIDATA))
    if triples or simple:
        words = simple_words(relations)
        sources += (SimpleStatements(triples, simple, words, inputs.columns, params.languages[0], params.site),)
    return sources[0] if len(sources) == 1 else Several(sources, RECORDS)


def _foreign(inputs: Inputs, kind: str) -> tuple[Source, ...]:
    """The files of a kind that other packages read."""
    found = inputs.foreign(kind)
    others = formats() if found else {}
    return tuple(others[name].source(paths) for name, paths in found.items())


def simple_words(relations: Relations) -> SimpleWords:
    """What the words of simple files stand for: labels of relations, and nouns of answer classes."""
    labels = {prop.label.casefold(): pid for pid, prop in relations.properties.items()}
    nouns = sorted(relations.classes.values(), key=lambda found: -found.breadth)
    return SimpleWords(
        properties=labels,
        values={pid: prop.value for pid, prop in relations.properties.items()},
        classes={found.singular.casefold(): found.qid for found in nouns},
    )


def wikipedia(inputs: Inputs) -> Source:
    """The pages of all exports and prepared files; none where there are no such files."""
    dumps, prepared = inputs.of(MEDIAWIKI), inputs.own(PAGES, REDIRECTS)
    sources: tuple[Source, ...] = (
        *((MediaWikiDump(dumps),) if dumps else ()),
        *((PreparedPages(prepared, inputs.columns),) if prepared else ()),
        *_foreign(inputs, PAGES),
    )
    return Several(sources, RAW_SCHEMA)


def articles(values: Values) -> tuple[Stage, ...]:
    """From pages and entities: which page is about which entity, and its sentences and passages."""
    linked = chain(
        "linking.link",
        sitelinks.stage(),
        claims.stage(),
        link.stage(),
        publish=("articles", "link_audit"),
        about="Which page is about which entity: one page an entity, one entity a page.",
    )
    return linked, segment.stage(section(SegmentParams, values, "wikipedia"))


def evidence(values: Values, relations: Relations, suffix: str = "", answers: str = "") -> tuple[Stage, ...]:
    """Steps 3 and 4 of QAMPARI, for the triples of one round of queries.

    suffix: names the round; answers: the table that the triples are taken from, where it is another than the round's.

    Raises StageError: the model or the thresholds cannot be used.
    """
    given = values["nli"]
    model = scorer(given["model"], entailment_label=given["entailment_label"], max_tokens=given["max_tokens"])
    checks = ValidateParams(threshold=given["threshold"], roles=given["role_check"])
    candidates = chain(
        f"facts.candidate_evidence{suffix}",
        triples.stage(suffix, answers) if answers else triples.stage(suffix),
        subjects.stage(suffix),
        evidence_requests.stage(relations, suffix),
        candidate_evidence.stage(relations, section(CandidateParams, values, "evidence"), suffix),
        publish=(f"candidates{suffix}", f"readings{suffix}"),
        about="Step 3: sentences on the pages of both ends of a triple that name the other end.",
    )
    validation = chain(
        f"facts.nli_validation{suffix}",
        scored_readings.stage(suffix),
        nli_validation.stage(relations, model, checks, suffix, given["thresholds"]),
        best_evidence.stage(suffix),
        publish=(f"entailed{suffix}", f"evidence{suffix}"),
        about="Step 4: sentences that the model says state the triple, and the best of each triple.",
    )
    return candidates, nli_scores.stage(model, suffix), validation
