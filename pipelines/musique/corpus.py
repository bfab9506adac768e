"""The part of a MuSiQue build that reads Wikidata and Wikipedia: names of things, and hops out of statements."""

from __future__ import annotations

from pipelines.corpus import articles, entities, evidence, wikipedia
from pipelines.params import Values, section
from stages.core.chain import chain
from stages.core.contract import Stage
from stages.core.rounds import named
from stages.facts import (
    completeness,
)
from stages.facts import statements as facts
from stages.facts.answer_kinds import AnswerKinds
from stages.facts.completeness import CorpusParams
from stages.facts.relations.model import Relations
from stages.facts.relations.templates import load_relations
from stages.io.detect import ENTITIES, MEDIAWIKI, PAGES, REDIRECTS, RELATIONS, Inputs
from stages.musique.hop_sources import statements
from stages.musique.single_hops.stated import SingleHopParams
from stages.musique.single_hops.tables import READ_HOPS
from stages.wikidata import classes, parse
from stages.wikidata.parse import ParseParams
from stages.wikipedia import pages, redirects

NAMES = ("pages", "redirect_targets", "entities")
"""The tables that tell names apart."""
STATED = "_stated"
STATED_HOPS = READ_HOPS.name + STATED


def states_facts(values: Values, inputs: Inputs) -> bool:
    """Whether hops are made of statements: where there are entities, and pages that may state them."""
    return bool(values["hops"]["statements"] and inputs.of(*ENTITIES) and inputs.of(MEDIAWIKI, PAGES))


def has_corpus(inputs: Inputs) -> bool:
    """Whether there are pages, redirects or entities."""
    return bool(inputs.of(MEDIAWIKI, PAGES, REDIRECTS, *ENTITIES))


def corpus_stages(values: Values, inputs: Inputs) -> tuple[Stage, ...]:
    """Pages, redirects and entities, as far as there are any; and hops of statements.

    Raises StageError: a parameter, a template or the model cannot be used.
    """
    if not has_corpus(inputs):
        return ()
    relations = load_relations(inputs.of(RELATIONS))
    items = entities(inputs, ParseParams(), relations)
    read = (parse.stage(items), pages.stage(wikipedia(inputs)), redirects.stage())
    return (*read, *(_statements(values, relations) if states_facts(values, inputs) else ()))


def _statements(values: Values, relations: Relations) -> tuple[Stage, ...]:
    """Statements that a page states, each as a hop over the passage that does."""
    hops = statements.stage(relations, section(SingleHopParams, values, "hops"))
    return (
        classes.stage(relations.target_classes, relations.sorts),
        *articles(values),
        chain(
            "facts.statements",
            completeness.stage(CorpusParams(answers="all")),
            facts.stage(kinds=AnswerKinds(untyped=dict.fromkeys(relations.simple)), templates=relations.digests),
            publish=("corpus", "facts"),
            about="The statements that hops are made of.",
        ),
        *evidence(values, relations, answers="facts"),
        chain(
            "musique.statements",
            statements.several_stage(relations),
            named(hops, STATED, shared=hops.inputs),
            publish=(STATED_HOPS,),
            about="Hops out of statements that a passage proves, where Wikidata knows one value.",
        ),
    )
