"""QAMPARI, steps 1 to 12 of the paper, as one list of stages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.corpus import articles, entities, evidence, wikipedia
from pipelines.datasets import Dataset, PaperStep
from pipelines.gaps import Stages, counted, no_questions, no_splits, no_way
from pipelines.model import Pipeline, licences
from pipelines.params import Values, section
from pipelines.people import People
from pipelines.published import read_table
from pipelines.qampari.asking import PARAPHRASES, judging, paraphrasing, rounds
from pipelines.qampari.lineage import LINEAGE
from pipelines.release import write_release
from pipelines.rounds import keys_of
from pipelines.samples import sample_files
from stages.annotation.forms.answers import Answers
from stages.core.chain import chain
from stages.core.contract import Stage
from stages.facts import (
    completeness,
    statements,
)
from stages.facts.answer_kinds import AnswerKinds
from stages.facts.completeness import CorpusParams
from stages.facts.limits import QueryLimits
from stages.facts.relations.model import Relations
from stages.facts.relations.templates import load_relations
from stages.io.detect import ANNOTATIONS, ENTITIES, MEDIAWIKI, PAGES, REDIRECTS, RELATIONS, Inputs
from stages.io.sample import SOURCE as SAMPLE_TEXT
from stages.qampari import (
    answers,
    cleaning,
    composition_filter,
    composition_hops,
    compositions,
    intersection_parts,
    intersections,
    overlaps,
    query_filter,
    questions,
    shared_answers,
    simple_queries,
    splits,
    supported_answers,
    units,
)
from stages.qampari.baselines import passage_search
from stages.qampari.cleaning import QUESTIONS, CleanParams
from stages.qampari.composition_hops import CompositionHopParams, OuterRelations
from stages.qampari.metrics.metrics import evaluate
from stages.qampari.overlaps import OverlapParams
from stages.qampari.query_filter import QueryFilterParams
from stages.qampari.questions import RenderParams
from stages.qampari.release import parts as release_parts
from stages.qampari.release import records
from stages.qampari.shared_answers import SharedParams
from stages.qampari.simple_queries import KindRelations
from stages.qampari.splits import SplitParams
from stages.wikidata import classes, parse
from stages.wikidata.parse import ParseParams
from stages.wikipedia import pages, redirects

UNCONFIRMED = (
    "Steps 11 and 12 (people judge answers and paraphrase questions) are left open: all answers are as the NLI model "
    "left them, unconfirmed, and all questions are in the templates' words."
)
NOTES = ("Step 13 (questions from Wikipedia tables) is not part of this build.",)
SAMPLE_NOTE = "The passages are this project's own sample texts (CC0-1.0), which stand at no address."
PAPER = (
    PaperStep("Wikidata's statements", ("wikidata.parse",), "", "statements"),
    PaperStep("Wikipedia's pages", ("wikipedia.pages",), "", "pages"),
    PaperStep("pages of entities", ("linking.link", "wikipedia.segment"), "pages", "articles"),
    PaperStep(
        "1, 2 simple queries",
        ("facts.statements", "qampari.simple_queries"),
        "statements",
        "queries",
        "1,431,268 simple queries",
    ),
    PaperStep("3 candidate evidence", ("facts.candidate_evidence",), "query_answers", "candidates"),
    PaperStep("4 NLI validation", ("facts.nli_scores", "facts.nli_validation"), "candidates", "evidence"),
    PaperStep("5 query filter", ("qampari.query_filter",), "queries", "simple_queries", "60,792 simple queries"),
    PaperStep("6 intersections", ("qampari.intersections",), "simple_queries", "intersection_queries"),
    PaperStep(
        "7 compositions",
        (
            "qampari.compositions",
            "facts.candidate_evidence_hop",
            "facts.nli_validation_hop",
            "qampari.composition_filter",
        ),
        "simple_queries",
        "composed_queries",
    ),
    PaperStep("8 questions", ("qampari.questions",), "", "rendered_questions"),
    PaperStep("9 cleaning", ("qampari.cleaning",), "rendered_questions", "questions"),
    PaperStep("10 splits", ("qampari.splits",), "questions", "split_questions", "train 61,911, dev 1,000, test 1,000"),
    PaperStep(
        "11 people judge answers",
        ("annotation.tasks_answers", "annotation.verdicts_answers", "qampari.judged"),
        "split_questions",
        "released_questions",
        "30,259 answers judged, 96.6 % of them valid",
    ),
    PaperStep(
        "12 people reword",
        ("annotation.tasks_paraphrases", "annotation.verdicts_paraphrases", "qampari.paraphrasing"),
        "paraphrase_drafts",
        "worded_questions",
        "3,000 of train, all of dev and test",
    ),
    PaperStep("release", ("qampari.records",), "released_questions", "records"),
)

# The tables without which there is no question, and what to do where one is the first to be empty.
PATH = {
    "entities": "give a Wikidata dump with entities of the classes in templates/relations with --source",
    "pages": "give a Wikipedia dump with articles with --source",
    "articles": "give pages of the entities of the dump, in its wiki, with --source",
    "sentences": "give pages with text with --source",
    "facts": "give a dump whose entities have pages beside them and statements of the relations in templates/relations",
    "queries": "give more entities of a class, or lower --set queries.min_answers=N",
    "candidates": "give the pages of the entities that the statements name",
    "entailed": "check --set nli.model and nli.threshold, or give more pages",
    "simple_queries": "give more pages, or lower --set queries.min_answers=N",
    "rendered_questions": "give entities with English labels",
    "questions": "give more entities",
    "split_questions": "give more entities, of more relations",
    "released_questions": "people refused all answers: look at them with --rejects",
}


def pipeline(values: Values, inputs: Inputs) -> Pipeline:
    """The stages over some input files; answers of people may be missing.

    Raises:
        SourceError: no Wikidata dump or no Wikipedia pages among the inputs.
        StageError: a parameter, a template, a task kind or the model cannot be used.
    """
    relations = load_relations(inputs.of(RELATIONS))
    people = People("qampari", rounds(values), inputs, values)
    stages = (
        *_inputs(values, inputs, relations),
        *_simple(values, relations),
        *evidence(values, relations),
        _kept(values, relations),
        _intersections(values),
        _compositions(values, relations),
        *evidence(values, relations, "_hop"),
        _kept_compositions(values),
        *_questions(values, relations),
        *judging(values, people),
        *paraphrasing(values, people),
        _release(),
    )
    return Pipeline(
        dataset="qampari",
        stages=stages,
        outputs=("questions", "split_questions", "records", "sidecar", "link_audit", "released_questions"),
        parameters=values,
        sources=licences(stages),
        buckets=values["build"]["buckets"],
        notes=(
            *(() if people.answered else (UNCONFIRMED,)),
            *people.notes,
            *((SAMPLE_NOTE,) if SAMPLE_TEXT in licences(stages) else ()),
            *NOTES,
        ),
        gaps=gaps,
        no_way=lambda stages: no_way("qampari", stages, PATH),
    )


def gaps(stages: Stages) -> Sequence[str]:
    """Whether there is no question, or which splits are empty: train shares no relation with dev and test."""
    kinds = ("simple", "composition", "intersection")
    counts = counted(
        stages, "qampari.splits", {split: [f"{split}_{kind}" for kind in kinds] for split in splits.SPLITS}
    )
    why = "too few questions, or all of relations that stand on the other side of train and test"
    return [*no_questions("qampari", stages, PATH), *no_splits(counts, why)]


def need(values: Values, inputs: Inputs) -> None:
    """Raises SourceError: no entities or no pages among the inputs."""
    inputs.need("Wikidata dump", *ENTITIES)
    inputs.need("Wikipedia dump or prepared pages", MEDIAWIKI, PAGES)


def _inputs(values: Values, inputs: Inputs, relations: Relations) -> tuple[Stage, ...]:
    """Wikidata and Wikipedia, and which page is about which entity."""
    need(values, inputs)
    params = section(ParseParams, values, "wikidata")
    return (
        parse.stage(entities(inputs, params, relations), params),
        classes.stage(relations.target_classes, relations.sorts),
        pages.stage(wikipedia(inputs)),
        redirects.stage(),
        *articles(values),
    )


def _simple(values: Values, relations: Relations) -> tuple[Stage, ...]:
    """Steps 1 and 2."""
    return (
        chain(
            "facts.statements",
            completeness.stage(section(CorpusParams, values, "queries")),
            statements.stage(
                _limits(values),
                kinds=_answer_kinds(relations),
                templates=relations.digests,
            ),
            publish=("corpus", "facts", "pageless_facts"),
            about="Step 1: the statements that simple queries are made of.",
        ),
        simple_queries.stage(
            _limits(values),
            kinds=_kind_relations(relations),
            templates=relations.digests,
        ),
    )


def _answer_kinds(relations: Relations) -> AnswerKinds:
    simple = relations.simple.items()
    return AnswerKinds(
        typed={pid: tuple(found.qid for found in relation.classes) for pid, relation in simple if relation.typed},
        untyped={pid: relation.noun.qid for pid, relation in simple if not relation.typed},
        sorts=relations.sorts,
    )


def _kind_relations(relations: Relations) -> KindRelations:
    kinds = tuple(relation for relation in relations.simple.values() if relation.kinds)
    heads = {word for relation in kinds for word in relation.prop.articles.superlatives}
    return KindRelations(tuple(relation.pid for relation in kinds), tuple(relations.classes), tuple(sorted(heads)))


def _kept(values: Values, relations: Relations) -> Stage:
    """Step 5."""
    classes = (found for relation in relations.simple.values() for found in relation.classes)
    return chain(
        "qampari.query_filter",
        supported_answers.stage(),
        query_filter.stage(
            section(QueryFilterParams, values, "queries", limits=_limits(values)),
            breadths={found.qid: found.breadth for found in classes},
            templates=relations.digests,
        ),
        publish=("judged_answers", "simple_queries", "simple_answers"),
        about="Step 5: queries of which enough answers are proved, and not too many.",
    )


def _intersections(values: Values) -> Stage:
    """Step 6."""
    return chain(
        "qampari.intersections",
        shared_answers.stage(section(SharedParams, values, "queries")),
        overlaps.stage(section(OverlapParams, values, "queries")),
        intersection_parts.stage(),
        intersections.stage(),
        publish=("intersection_queries", "intersection_answers"),
        about="Step 6: what two simple queries have in common.",
    )


def _compositions(values: Values, relations: Relations) -> Stage:
    """Step 7, up to the answers that evidence is looked for."""
    return chain(
        "qampari.compositions",
        composition_hops.stage(
            CompositionHopParams(limits=_limits(values)),
            outer=_outer(relations),
            templates=relations.digests,
        ),
        compositions.stage(_limits(values)),
        publish=("composition_answers",),
        about="Step 7: what the answers of a simple query lead to by one more relation.",
    )


def _outer(relations: Relations) -> OuterRelations:
    """What can be asked last, and the class that each simple relation calls its answers by."""
    return OuterRelations(
        {pid: tuple(found.qid for found in relation.of) for pid, relation in relations.composition.items()},
        {pid: relation.noun.qid for pid, relation in relations.simple.items() if not relation.typed},
    )


def _kept_compositions(values: Values) -> Stage:
    """Step 7, once there is evidence."""
    return chain(
        "qampari.composition_filter",
        supported_answers.stage("_hop"),
        composition_filter.stage(_limits(values)),
        publish=("judged_hops", "composed_queries", "composed_answers"),
        about="Step 7: compositions of which enough answers are proved, and not too many.",
    )


def _questions(values: Values, relations: Relations) -> tuple[Stage, ...]:
    """Steps 8 to 10."""
    seed = values["build"]["seed"]
    return (
        chain(
            "qampari.questions",
            units.uses_stage(),
            units.stage(),
            answers.stage(),
            questions.stage(relations, RenderParams(min_answers=values["queries"]["min_answers"])),
            publish=("labelled_answers", "rendered_questions", "answer_forms"),
            about="Step 8: queries in words, and their answers.",
        ),
        cleaning.stage(section(CleanParams, values, "questions", seed=seed)),
        splits.stage(section(SplitParams, values, "splits", seed=seed)),
    )


def _release() -> Stage:
    return chain(
        "qampari.records",
        release_parts.parts_stage(),
        release_parts.pages_stage(),
        release_parts.passages_stage(),
        release_parts.titles_stage(),
        release_parts.origins_stage(),
        records.stage(),
        publish=("records", "sidecar"),
        about="The released records, and what proves each answer.",
    )


def _limits(values: Values) -> QueryLimits:
    return section(QueryLimits, values, "queries")


def sample() -> Sequence[str]:
    return sample_files("world")


def sample_answers() -> Sequence[str]:
    return sample_files("world/answers")


def properties(inputs: Inputs) -> Sequence[str]:
    relations = load_relations(inputs.of(RELATIONS))
    return sorted({*relations.simple, *relations.composition})


def export(root: Storage, manifest: BuildManifest, folder: Path, force: bool = False) -> Sequence[Path]:
    return write_release(root, manifest, folder, DATASET.title, force)


def truths(root: Storage, manifest: BuildManifest) -> Mapping[str, Answers]:
    """Per task that has a question reworded, something that passes for a rewording; for simulated people only."""
    asked = {row["query"]: row["question"] for row in read_table(root, manifest, QUESTIONS).to_pylist()}
    return {
        row["task"]: {"meaning": ["clear"], "paraphrase": [f"In other words: {asked[row['origin']]}"]}
        for row in keys_of(root, manifest)[PARAPHRASES]
    }


def parts(query: str) -> Sequence[str]:
    """The queries that an intersection or a composition is made of."""
    found = query.split("&") if "&" in query else query.split(">")[:1]
    return found if found != [query] else []


DATASET = Dataset(
    name="qampari",
    title="QAMPARI: questions with many answers, each proved by a sentence of Wikipedia",
    pipeline=pipeline,
    sample=sample,
    sample_answers=sample_answers,
    export=export,
    need=need,
    evaluate=evaluate,
    baselines=passage_search.RETRIEVERS,
    baseline=passage_search.run,
    paper=PAPER,
    rounds=lambda manifest: rounds(manifest.parameters),
    truths=truths,
    reads=(*ENTITIES, MEDIAWIKI, PAGES, REDIRECTS, RELATIONS, ANNOTATIONS),
    properties=properties,
    parts=parts,
    lineage=LINEAGE,
)
