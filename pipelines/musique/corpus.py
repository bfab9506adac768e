"""The part of a MuSiQue build that reads Wikidata and Wikipedia: names of things, and hops out of statements."""

from __future__ import annotations

from pipelines.params import Values, section
from stages.core.contract import Source, Stage
from stages.core.rounds import named
from stages.facts import (
    best_evidence,
    candidate_evidence,
    completeness,
    evidence_requests,
    nli_scores,
    nli_validation,
    subjects,
    triples,
)
from stages.facts import statements as facts
from stages.facts.candidate_evidence import CandidateParams
from stages.facts.completeness import CorpusParams
from stages.facts.nli_validation import ValidateParams
from stages.facts.relations.templates import load_relations
from stages.io.detect import MEDIAWIKI, PAGES, REDIRECTS, WIKIDATA, Inputs
from stages.io.json_files import RECORDS
from stages.io.several import Several
from stages.linking import claims, link, sitelinks
from stages.models.scoring.resolve import scorer
from stages.musique.hop_sources import statements
from stages.musique.single_hops.stated import SingleHopParams
from stages.musique.single_hops.tables import READ_HOPS
from stages.wikidata import classes, parse
from stages.wikidata.source import WikidataDump
from stages.wikipedia import pages, redirects, segment
from stages.wikipedia.dump import MediaWikiDump
from stages.wikipedia.prepared import PreparedPages
from stages.wikipedia.raw import RAW_SCHEMA
from stages.wikipedia.segment import SegmentParams

NAMES = ("pages", "redirect_targets", "entities")
"""The tables that tell names apart."""
STATED = "_stated"
STATED_HOPS = READ_HOPS.name + STATED


def states_facts(values: Values, inputs: Inputs) -> bool:
    """Whether hops are made of statements: where there are entities, and pages that may state them."""
    return bool(values["hops"]["statements"] and inputs.of(WIKIDATA) and inputs.of(MEDIAWIKI, PAGES))


def has_corpus(inputs: Inputs) -> bool:
    """Whether there are pages, redirects or entities."""
    return bool(inputs.of(MEDIAWIKI, PAGES, REDIRECTS, WIKIDATA))


def corpus_stages(values: Values, inputs: Inputs) -> tuple[Stage, ...]:
    """Pages, redirects and entities, as far as there are any; and hops of statements.

    Raises StageError: a parameter, a template or the model cannot be used.
    """
    dumps, prepared, entities = inputs.of(MEDIAWIKI), inputs.of(PAGES, REDIRECTS), inputs.of(WIKIDATA)
    if not has_corpus(inputs):
        return ()
    texts: tuple[Source, ...] = (
        *((MediaWikiDump(dumps),) if dumps else ()),
        *((PreparedPages(prepared),) if prepared else ()),
    )
    items: Source = WikidataDump(entities) if entities else Several((), RECORDS)
    read = (parse.stage(items), pages.stage(Several(texts, RAW_SCHEMA)), redirects.stage())
    return (*read, *(_statements(values) if states_facts(values, inputs) else ()))


def _statements(values: Values) -> tuple[Stage, ...]:
    """Statements that a page states, each as a hop over the passage that does."""
    relations, given = load_relations(), values["nli"]
    model = scorer(given["model"], entailment_label=given["entailment_label"], max_tokens=given["max_tokens"])
    checks = ValidateParams(threshold=given["threshold"], roles=given["role_check"])
    hops = statements.stage(section(SingleHopParams, values, "hops"))
    return (
        classes.stage(relations.target_classes),
        sitelinks.stage(),
        claims.stage(),
        link.stage(),
        segment.stage(section(SegmentParams, values, "wikipedia")),
        completeness.stage(CorpusParams(answers="all")),
        facts.stage(untyped=tuple(relations.simple), typed={}, templates=relations.digests),
        triples.stage(answers="facts"),
        subjects.stage(),
        evidence_requests.stage(relations),
        candidate_evidence.stage(section(CandidateParams, values, "evidence")),
        nli_scores.stage(model),
        nli_validation.stage(relations, model, checks, "", given["thresholds"]),
        best_evidence.stage(),
        statements.several_stage(),
        named(hops, STATED, shared=hops.inputs),
    )
