"""WIQA as one list of stages: paragraphs, graphs that people fill, questions along their paths, verification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.datasets import Dataset, PaperStep
from pipelines.gaps import Stages, counted, no_questions, no_splits, no_way
from pipelines.model import Pipeline, licences
from pipelines.params import Values, section, within
from pipelines.people import People
from pipelines.published import read_table
from pipelines.release import write_choices
from pipelines.rounds import keys_of
from pipelines.samples import LICENCE, is_sample, sample_files
from pipelines.wiqa.lineage import LINEAGE, VERIFIED
from stages.annotation.contributed import CONTRIBUTIONS
from stages.annotation.forms.answers import Answers
from stages.annotation.forms.kinds import load_kind
from stages.annotation.tables import VERDICTS
from stages.core.chain import chain
from stages.core.contract import Source, Stage, StageError
from stages.core.splits import SPLITS
from stages.io.detect import ANNOTATIONS, GRAPHS, PARAGRAPHS, Inputs
from stages.io.json_files import RECORDS
from stages.io.json_records import JsonRecords
from stages.io.several import Several
from stages.wiqa import (
    balancing,
    changes,
    explanations,
    graph_files,
    influence_graphs,
    no_effect,
    paragraphs,
    path_questions,
    sizes,
    splits,
)
from stages.wiqa.balancing import BalanceParams
from stages.wiqa.baselines.run import BASELINES, run
from stages.wiqa.changes import PoolParams
from stages.wiqa.drafts import (
    GRAPH_DRAFTS,
    QUESTION_DRAFTS,
    InfluenceDraftParams,
    filled_forms,
    graph_drafts_stage,
    question_drafts_stage,
)
from stages.wiqa.graph import NO_EFFECT
from stages.wiqa.graph_files import RAW_GRAPHS, InfluenceGraphParams
from stages.wiqa.influence_graphs import GRAPHS as GRAPHS_TABLE
from stages.wiqa.influence_graphs import graph_of
from stages.wiqa.metrics.metrics import evaluate
from stages.wiqa.no_effect import NoEffectParams
from stages.wiqa.paragraphs import ParagraphParams
from stages.wiqa.release import leak_check, records
from stages.wiqa.release.records import CHOICE_QUESTIONS
from stages.wiqa.splits import TopicSplitParams
from stages.wiqa.svg import draw
from stages.wiqa.tables import CHOSEN_QUESTIONS
from stages.wiqa.verification import ANNOTATED_GRAPHS, VERIFIED_QUESTIONS, annotated_stage, verified_stage

GRAPH_KIND, QUESTION_KIND = "wiqa_graph", "wiqa_question"
FILLED = "graphs"
"""The round in which people fill graphs; in the other one, VERIFIED, they answer questions of the test set anew."""

# The release's own counts.
PAPER = (
    PaperStep("paragraphs", ("wiqa.paragraphs_read", "wiqa.paragraphs"), "", "paragraphs", "379 paragraphs"),
    PaperStep(
        "3.1 influence graphs",
        ("wiqa.graph_files", "annotation.verdicts_graphs", "wiqa.influence_graphs"),
        "",
        "graphs",
        "2,107 graphs",
    ),
    PaperStep("3.2 path questions", ("wiqa.path_questions",), "graphs", "path_questions"),
    PaperStep("splits by topic", ("wiqa.sizes", "wiqa.splits"), "topic_sizes", "topic_splits"),
    PaperStep("3.3 no effect", ("wiqa.no_effect",), "graphs", "no_effect_questions"),
    PaperStep(
        "3.3 a balanced choice",
        ("wiqa.balancing", "wiqa.balancing_chosen"),
        "path_questions",
        "chosen_questions",
        "39,705 questions, 13,489 without an effect",
    ),
    PaperStep(
        "3.4 people answer anew",
        ("annotation.verdicts_questions", "wiqa.verification"),
        "chosen_questions",
        "verified_questions",
        "88 % of the test questions kept",
    ),
    PaperStep("explanations", ("wiqa.explanations",), "verified_questions", "explanations"),
    PaperStep("release", ("wiqa.records",), "verified_questions", "records", "train 29,808, dev 6,894, test 3,003"),
    PaperStep("leak check", ("wiqa.leak_check",), "questions", "split_overlap"),
)

# The tables without which there is no question, and what to do where one is the first to be empty.
PATH = {
    "paragraphs": "give paragraphs of processes with their topics with --source",
    "graphs": "give influence graphs of these paragraphs with --source",
    "topic_splits": "give graphs of more topics with --source",
    "chosen_questions": "give more graphs, of more topics, with --source",
    "verified_questions": "people refused them all: see `benchwright people wiqa`",
}
# Graphs may bring their own paragraphs.
NEEDED = {table: advice for table, advice in PATH.items() if table != "paragraphs"}


def need(values: Values, inputs: Inputs) -> None:
    """Raises SourceError: neither paragraphs nor graphs among the inputs."""
    inputs.need("paragraphs or influence graphs", PARAGRAPHS, GRAPHS)


def pipeline(values: Values, inputs: Inputs) -> Pipeline:
    """The stages over some input files; answers of people may be missing.

    Raises:
        SourceError: neither paragraphs nor influence graphs among the inputs.
        StageError: a parameter or a task kind cannot be used.
    """
    need(values, inputs)
    people = People("wiqa", (FILLED, VERIFIED), inputs, values)
    stages = (
        *_graphs(values, inputs, people),
        *_questions(values),
        *_verification(values, people),
        *_release(),
    )
    return Pipeline(
        dataset="wiqa",
        stages=stages,
        outputs=("questions", "records", "explanations", "graphs", *people.tasks(stages)),
        parameters=values,
        sources=licences(stages),
        buckets=values["build"]["buckets"],
        notes=tuple(people.notes),
        gaps=gaps,
        no_way=lambda stages: no_way("wiqa", stages, NEEDED),
    )


def gaps(stages: Stages) -> Sequence[str]:
    """What the splits lack: no topic may be in two of them, and a change without an effect is of another topic."""
    notes = [*no_questions("wiqa", stages, PATH), *_untitled(stages)]
    taken = counted(stages, "wiqa.balancing", {split: [f"{split}_taken"] for split in SPLITS})
    if not any(taken.values()):
        return notes
    unaffected = counted(stages, "wiqa.balancing", {split: [f"{split}_{NO_EFFECT}"] for split in SPLITS})
    topics_of = counted(stages, "wiqa.splits", {split: [f"{split}_topics"] for split in SPLITS})
    there = f"{sum(topics_of.values()):,} {'topic has' if sum(topics_of.values()) == 1 else 'topics have'} questions"
    notes += no_splits(taken, f"{there}, and no topic may be in two splits")
    without = [split for split in SPLITS if taken[split] and not unaffected[split]]
    if without:
        held = ", ".join(f"{split} {topics_of[split]:,}" for split in without)
        notes.append(
            f"There are no questions without an effect in {' and '.join(without)}: they take a change from another "
            f"topic of the same split (topics: {held})."
        )
    return notes


def _untitled(stages: Stages) -> list[str]:
    """Grids name no topic, and without the file that does, each of their paragraphs is left out."""
    found = stages.get("wiqa.paragraphs")
    left = found.rejects.get("no_topic", 0) if found and not found.tables["paragraphs"].rows else 0
    return [f"All {left:,} paragraphs lack a topic and are left out: add their topics.json with --source."] * bool(left)


def _graphs(values: Values, inputs: Inputs, people: People) -> tuple[Stage, ...]:
    """Section 3.1: paragraphs, the forms that fill graphs, and graphs from files and from answers."""
    kept = section(InfluenceGraphParams, values, "graphs")
    with within("tasks", redundancy="graph_votes"):
        asked = InfluenceDraftParams(redundancy=values["tasks"]["graph_votes"])
    return (
        paragraphs.parse_stage(_records(inputs, PARAGRAPHS), section(ParagraphParams, values, "paragraphs")),
        paragraphs.stage(),
        graph_files.stage(_records(inputs, GRAPHS), kept),
        graph_drafts_stage(GRAPH_KIND, asked),
        *people.round(FILLED, GRAPH_DRAFTS.name, GRAPH_KIND),
        chain(
            "wiqa.influence_graphs",
            annotated_stage(kept, people.table(CONTRIBUTIONS.name, FILLED)),
            influence_graphs.stage((RAW_GRAPHS.name, ANNOTATED_GRAPHS.name)),
            publish=("graphs",),
            about="Section 3.1: influence graphs of files and of people, each with its paragraph.",
        ),
    )


def _records(inputs: Inputs, kind: str) -> Source:
    """The files of a kind; a build from paragraphs alone has no graphs yet, one from graphs alone no other text."""
    files = inputs.of(kind)
    if not files:
        return Several((), RECORDS)
    if all(map(is_sample, files)):
        return JsonRecords(files, kind=kind, licence=LICENCE)
    return JsonRecords(files, kind=kind, stated=True)


def _questions(values: Values) -> tuple[Stage, ...]:
    """Sections 3.2 to 3.4: all questions, splits by topic, and a balanced choice."""
    seed = values["build"]["seed"]
    pool = section(PoolParams, values, "no_effect", seed=seed)
    balanced = section(BalanceParams, values, "balance", seed=seed)
    return (
        path_questions.stage(),
        sizes.stage(),
        splits.stage(section(TopicSplitParams, values, "splits", seed=seed)),
        chain(
            "wiqa.no_effect",
            changes.changes_stage(pool),
            changes.pool_stage(pool),
            no_effect.stage(section(NoEffectParams, values, "no_effect", seed=seed)),
            publish=("no_effect_questions", "no_effect_strata"),
            about="Section 3.3: questions whose change is of another topic, and has no effect.",
        ),
        balancing.balance_stage(balanced),
        balancing.chosen_stage(balanced),
    )


def _verification(values: Values, people: People) -> tuple[Stage, ...]:
    """Section 3.4: test questions, answered anew."""
    with within("tasks", redundancy="question_votes"):
        asked = InfluenceDraftParams(tuple(values["tasks"]["splits"]), values["tasks"]["question_votes"])
    if not (asked.splits or people.answered):
        return (verified_stage(verdicts=None),)
    return (
        question_drafts_stage(QUESTION_KIND, asked),
        *people.round(VERIFIED, QUESTION_DRAFTS.name, QUESTION_KIND),
        verified_stage(verdicts=people.table(VERDICTS.name, VERIFIED)),
    )


def _release() -> tuple[Stage, ...]:
    return (
        explanations.stage(VERIFIED_QUESTIONS.name),
        records.stage(VERIFIED_QUESTIONS.name),
        leak_check.stage(),
    )


def sample() -> Sequence[str]:
    return sample_files("processes")


def sample_answers() -> Sequence[str]:
    return sample_files("processes/answers")


def export(root: Storage, manifest: BuildManifest, folder: Path, force: bool = False) -> Sequence[Path]:
    return write_choices(root, manifest, folder, DATASET.title, force)


def picture(root: Storage, manifest: BuildManifest, key: str) -> str:
    """The graph "para_id graph_id", or that of a question's id, as SVG.

    Raises StageError: the build holds no such graph.
    """
    place = tuple(key.split(":")[1:3] if ":" in key else key.split())
    rows = read_table(root, manifest, GRAPHS_TABLE).to_pylist()
    for row in rows:
        if (row["para_id"], row["graph_id"]) == place:
            return draw(graph_of(row), row["prompt"] or row["topic"])
    some = ", ".join(sorted(f"'{row['para_id']} {row['graph_id']}'" for row in rows)[:3]) or "none"
    raise StageError(
        f"no graph {key!r} in this build; name one by para_id and graph_id (it holds {some} ...), "
        "or give the id of a question"
    )


def no_tasks(manifest: BuildManifest, round_name: str) -> str:
    """Of the second round: whether there is no question at all, or none in the splits that people are asked about."""
    if round_name != VERIFIED:
        return (
            "" if manifest.table(GRAPH_DRAFTS.name).rows else "no paragraph with a topic was given to draw a graph of"
        )
    asked = manifest.parameters["tasks"]["splits"]
    if not manifest.table(CHOICE_QUESTIONS.name).rows:
        return "there is no question yet; these come of the graphs"
    return f"no question is in {' or '.join(asked) or 'a split of tasks.splits'}, and only those are asked anew"


def truths(root: Storage, manifest: BuildManifest) -> Mapping[str, Answers]:
    """Per task the graph that the build has of its paragraph, or the answer that a question's path gives it.

    Of a paragraph without a graph nothing sensible can be said.
    """
    labels = {row["question"]: row["label"] for row in read_table(root, manifest, CHOSEN_QUESTIONS).to_pylist()}
    known = filled_forms(read_table(root, manifest, GRAPHS_TABLE), load_kind(GRAPH_KIND))

    keys = keys_of(root, manifest)
    drawn = {row["task"]: known.get(row["origin"], {}) for row in keys[FILLED]}
    return drawn | {row["task"]: {"answer": [labels[row["origin"]]]} for row in keys[VERIFIED]}


DATASET = Dataset(
    name="wiqa",
    title="WIQA: what a change to a described process makes more, makes less, or leaves as it is",
    pipeline=pipeline,
    sample=sample,
    sample_answers=sample_answers,
    export=export,
    need=need,
    evaluate=evaluate,
    rounds=lambda manifest: (FILLED, VERIFIED),
    reads=(PARAGRAPHS, GRAPHS, ANNOTATIONS),
    paper=PAPER,
    baselines=BASELINES,
    baseline=run,
    picture=picture,
    truths=truths,
    no_tasks=no_tasks,
    lineage=LINEAGE,
)
