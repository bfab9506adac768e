"""MuSiQue as one list of stages: single hops, bridges, disconnection filter, graphs, contexts, questions in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.datasets import Dataset, PaperStep
from pipelines.gaps import Stages, counted, no_questions, no_splits, no_way
from pipelines.model import Pipeline, licences
from pipelines.musique.corpus import NAMES, STATED_HOPS, corpus_stages, has_corpus, states_facts
from pipelines.musique.lineage import COMPOSED as ROUND
from pipelines.musique.lineage import LINEAGE
from pipelines.musique.names import bridge_names
from pipelines.params import Values, section, within
from pipelines.people import People
from pipelines.published import read_table
from pipelines.release import write_multihop
from pipelines.rounds import keys_of
from pipelines.samples import LICENCE, is_sample, sample_files
from stages.annotation.forms.answers import Answers
from stages.annotation.forms.kinds import load_kind
from stages.annotation.tables import ANNOTATIONS as ANSWERED
from stages.annotation.tables import VERDICTS, WORKERS
from stages.core.chain import chain
from stages.core.contract import Source, Stage, StageError
from stages.core.rounds import reading
from stages.core.splits import DEV, SPLITS, TEST
from stages.facts.relations.templates import load_relations
from stages.io.detect import ANNOTATIONS, ENTITIES, HOPS, MEDIAWIKI, PAGES, REDIRECTS, RELATIONS, Inputs
from stages.io.json_files import RECORDS
from stages.io.several import Several
from stages.models.readers.folds import Folds
from stages.models.readers.interface import ReaderError, Trainer
from stages.models.readers.resolve import WITHOUT_MODEL, trainer
from stages.models.readers.training import TrainingParams
from stages.musique.bridges import bridge_identity, bridge_mentions, bridge_pairs, entity_types, known_names
from stages.musique.bridges.bridge_identity import IdentityParams
from stages.musique.bridges.bridge_mentions import MentionParams
from stages.musique.bridges.bridge_pairs import PairParams
from stages.musique.bridges.tagger import SpacyEntityTagger
from stages.musique.composition import composition_drafts, human_composition, mechanical_composition, worded_bridges
from stages.musique.composition.composition_drafts import CompositionParams
from stages.musique.composition.human_composition import ComposedParams
from stages.musique.composition.mechanical_composition import DistinctParams
from stages.musique.composition.tables import ASKED_HOPS, COMPOSED_QUESTIONS, COMPOSITION_DRAFTS, MECHANICAL_QUESTIONS
from stages.musique.composition.worded_bridges import WORDED_BRIDGES
from stages.musique.contexts import contexts, distractors
from stages.musique.contexts.pool import ContextParams
from stages.musique.disconnection import answerable_hops, disconnection_filter, head_filter, tail_contexts, tail_filter
from stages.musique.disconnection.disconnection_filter import DisconnectionParams
from stages.musique.disconnection.tables import ANSWERABLE_HOPS, KEPT_BRIDGES
from stages.musique.disconnection.tail_contexts import TailContextParams
from stages.musique.graphs import candidate_graphs, graph_selection
from stages.musique.graphs.drawing import draw as draw_graph
from stages.musique.graphs.params import ReasoningGraphParams
from stages.musique.graphs.shapes import BY_NAME
from stages.musique.graphs.tables import COMPOSED_HOPS
from stages.musique.hop_sources import parse
from stages.musique.hop_sources.source import HopFiles
from stages.musique.metrics.metrics import evaluate
from stages.musique.release import records
from stages.musique.single_hops import copies, gathered, hop_filter
from stages.musique.single_hops.copies import MERGED_HOPS, CopyParams
from stages.musique.single_hops.gathered import GATHERED_HOPS
from stages.musique.single_hops.hop_filter import FilterParams
from stages.musique.single_hops.stated import SingleHopParams
from stages.musique.single_hops.tables import READ_HOPS, SINGLE_HOPS
from stages.musique.soundness import narrowed_hops, one_answer, sound_hops
from stages.musique.soundness.narrowed_hops import NARROWED_HOPS
from stages.musique.soundness.one_answer import ONE_ANSWER_HOPS
from stages.musique.soundness.sound_hops import SOUND_HOPS, SoundnessParams
from stages.musique.splits import leak_check, split_caps, splits
from stages.musique.splits.leak_check import SeparationCheckParams
from stages.musique.splits.split_caps import SplitCapParams
from stages.musique.splits.splits import SeparationParams

KIND = "musique_composition"

LEXICAL_NOTE = (
    "Hops were judged by a lexical reader, which looks words up and has no model: the disconnection filter is weaker "
    "than the paper's. `--set reader.name=...` takes a trained one."
)
CONTROLS = {
    ("disconnection", "heads"): "heads that are answered without a paragraph were kept",
    ("disconnection", "tails"): "tails that are answered without their bridge were kept",
    ("splits", "separate"): "splits were drawn at random, so that train knows hops of dev and test",
    ("contexts", "retrieved"): "the paragraphs beside the supporting ones were drawn at random",
}
CONTROL_NOTE = "For comparison, not for release: {what}."
_FEWEST_OF_SHAPE = 10
_HOPS = "answerable_hops|sound_hops|one_answer_hops|merged_hops"
PAPER = (
    PaperStep("1 single hops", ("musique.parse", "musique.hop_filter"), "read_hops", _HOPS),
    PaperStep(
        "2 bridges", ("musique.bridge_mentions", "musique.entity_types", "musique.bridge_pairs"), _HOPS, "bridges"
    ),
    PaperStep("3 heads", ("musique.head_filter",), "bridges", "judged_heads", "74.5 % of heads kept"),
    PaperStep("3 tails", ("musique.tail_filter",), "bridges", "judged_tails", "26.5 % of tails kept"),
    PaperStep("3 disconnection", ("musique.disconnection_filter",), "bridges", "kept_bridges"),
    PaperStep("4 graphs", ("musique.graph_selection",), "kept_bridges", "composed_hops", "24,814 questions released"),
    PaperStep("questions in words", ("musique.mechanical_composition",), "composed_hops", "asked_hops"),
    PaperStep(
        "5 splits",
        ("musique.splits", "musique.split_caps"),
        "asked_hops",
        "graph_splits",
        "train 19,938, dev 2,417, test 2,459",
    ),
    PaperStep("5 leak check", ("musique.leak_check",), "graph_splits", "separation"),
    PaperStep("6, 8 contexts", ("musique.contexts",), "graph_splits", "contexts"),
    PaperStep(
        "7 people compose",
        ("annotation.verdicts_composed", "musique.human_composition"),
        "asked_hops",
        "composed_questions",
        "8 % of the graphs discarded for their bridges",
    ),
    PaperStep("release", ("musique.records",), "composed_questions", "records"),
)

# The tables without which there is no question, and what to do where one is the first to be empty.
PATH = {
    "read_hops": "give single hops with --source",
    "single_hops": "give other single hops with --source, or loosen the section `hops` of the parameters",
    "bridge_mentions": "give hops whose questions name answers of others with --source",
    "bridge_pairs": "give more single hops with --source: the answer of one has to be named by another",
    "bridges": "give more single hops with --source, or loosen the section `bridges` of the parameters",
    "kept_bridges": "give more single hops with --source, or loosen the section `disconnection` of the parameters",
    "candidate_graphs": "give more single hops with --source",
    "composed_hops": "give more single hops with --source",
    "asked_hops": "give more single hops with --source",
    "graph_splits": "give more single hops with --source, or change the section `splits` of the parameters",
    "contexts": "give more single hops with --source: paragraphs to draw from are missing",
    "composed_questions": "people refused them all: see `benchwright people musique`",
}
# Hops may be made of statements instead.
HOP = re.compile(r"(?<![a-z-])[a-z-]+:[0-9a-f]{12}")
NEEDED = {table: advice for table, advice in PATH.items() if table != "read_hops"}


def need(values: Values, inputs: Inputs) -> None:
    """Raises SourceError: no single hops among the inputs, and nothing to make them of."""
    if not states_facts(values, inputs):
        inputs.need("single hops, or Wikidata and Wikipedia to make them of", HOPS)


def pipeline(values: Values, inputs: Inputs) -> Pipeline:
    """The stages over some input files; answers of people may be missing.

    Raises:
        SourceError: no single hops among the inputs.
        StageError: a parameter, a reader, the tagger or the task kind cannot be used.
    """
    need(values, inputs)
    people = People("musique", (ROUND,), inputs, values)
    stages = (
        *corpus_stages(values, inputs),
        *_hops(values, inputs),
        *_bridges(values, inputs),
        *_disconnection(values),
        *_graphs(values),
        *_contexts(values),
        *_composition(values, people),
        records.stage(),
    )
    switched = [what for (name, key), what in CONTROLS.items() if not values[name][key]]
    return Pipeline(
        dataset="musique",
        stages=stages,
        outputs=("records", "compositions", "composed_questions", "separation", *people.tasks(stages)),
        parameters=values,
        sources=licences(stages),
        buckets=values["build"]["buckets"],
        notes=(
            *people.notes,
            *((LEXICAL_NOTE,) if values["reader"]["name"] in WITHOUT_MODEL else ()),
            *(CONTROL_NOTE.format(what=what) for what in switched),
        ),
        gaps=gaps,
        no_way=lambda stages: no_way("musique", stages, NEEDED),
    )


def gaps(stages: Stages) -> Sequence[str]:
    """Which splits are empty, and of which shapes dev and test have few questions: train shares no single hop, answer
    or paragraph with the other two."""
    counts = counted(stages, "musique.splits", {split: [split] for split in SPLITS})
    why = "too few questions, or too many that share a single hop, an answer or a paragraph"
    return [*no_questions("musique", stages, PATH), *no_splits(counts, why), *_few_of_shapes(stages)]


def _few_of_shapes(stages: Stages) -> Sequence[str]:
    """Notes for the manifest on the shapes of which dev or test have few questions, beside those that they have."""
    found = []
    for split in (DEV, TEST):
        counts = counted(stages, "musique.split_caps", {name: [f"{split}_{name}"] for name in BY_NAME})
        few = [f"{name} {count}" for name, count in counts.items() if count < _FEWEST_OF_SHAPE]
        # A split of fewer than half of what all shapes need is small throughout.
        if few and sum(counts.values()) >= _FEWEST_OF_SHAPE * len(BY_NAME) / 2:
            found.append(
                f"Fewer than {_FEWEST_OF_SHAPE} questions in {split}: {', '.join(few)}. Longer questions need "
                "hops whose answers others ask about: more kinds of names than the sources join."
            )
    return found


def _trainer(values: Values) -> Trainer:
    """Who judges hops."""
    given = values["reader"]
    try:
        training = section(TrainingParams, values, "reader")
        return trainer(given["name"], params=training, device=given["device"])
    except ReaderError as error:
        raise StageError(f"reader: {error}") from error


def _folds(values: Values) -> Folds:
    try:
        return Folds(values["reader"]["folds"], values["reader"]["seeds"])
    except ReaderError as error:
        raise StageError(f"reader: {error}") from error


def _hops_table(values: Values) -> str:
    return ANSWERABLE_HOPS.name if values["hops"]["answerable"] else _sound_hops(values)


def _sound_hops(values: Values) -> str:
    return SOUND_HOPS.name if values["hops"]["sound"] else _single_valued_hops(values)


def _single_valued_hops(values: Values) -> str:
    return ONE_ANSWER_HOPS.name if values["hops"]["one_answer"] else _distinct_hops(values)


def _distinct_hops(values: Values) -> str:
    return NARROWED_HOPS.name if values["hops"]["sound"] else MERGED_HOPS.name


def _over_hops(values: Values, *stages: Stage) -> tuple[Stage, ...]:
    """The stages, reading the hops that are used."""
    return tuple(reading(stage, {SINGLE_HOPS.name: _hops_table(values)}) for stage in stages)


def _hops(values: Values, inputs: Inputs) -> tuple[Stage, ...]:
    """Step 1: single hops of all files, and of statements where there are any."""
    asked, checked, sound = (values["hops"][name] for name in ("answerable", "one_answer", "sound"))
    both = states_facts(values, inputs)
    soundness = section(SoundnessParams, values, "hops")
    everything = {READ_HOPS.name: GATHERED_HOPS.name} if both else {}
    return (
        parse.stage(_files(inputs), load_relations(inputs.of(RELATIONS)), section(SingleHopParams, values, "hops")),
        chain(
            "musique.hop_filter",
            *((gathered.stage(READ_HOPS.name, STATED_HOPS),) if both else ()),
            reading(hop_filter.stage(section(FilterParams, values, "hops")), everything),
            copies.stage(section(CopyParams, values, "hops")),
            *((narrowed_hops.stage(MERGED_HOPS.name),) if sound else ()),
            *((reading(one_answer.stage(_distinct_hops(values)), everything),) if checked else ()),
            *((sound_hops.stage(soundness, _single_valued_hops(values)),) if sound else ()),
            publish=(_sound_hops(values),),
            about="Step 1: single hops that can be used: each once, with one answer, true and clear.",
        ),
        *((answerable_hops.stage((_trainer(values),), _folds(values), _sound_hops(values)),) if asked else ()),
        *_over_hops(values, hop_filter.paragraphs_stage()),
    )


def _files(inputs: Inputs) -> Source:
    files = inputs.of(HOPS)
    if not files:
        return Several((), RECORDS)
    return HopFiles(files, LICENCE) if all(map(is_sample, files)) else HopFiles(files)


def _bridges(values: Values, inputs: Inputs) -> tuple[Stage, ...]:
    """Step 2: pairs of hops that one entity joins. Pages and entities, where given, tell more names apart."""
    seed = values["build"]["seed"]
    with within("bridges"):
        tagger = SpacyEntityTagger(values["bridges"]["tagger"])
        tagging = entity_types.stage(tagger)
    mentions, pairs, identity = _over_hops(
        values,
        bridge_mentions.stage(section(MentionParams, values, "bridges", seed=seed)),
        bridge_pairs.stage(section(PairParams, values, "bridges")),
        bridge_identity.stage(section(IdentityParams, values, "bridges")),
    )
    return (
        known_names.stage(NAMES if has_corpus(inputs) else None),
        mentions,
        tagging,
        chain(
            "musique.bridge_pairs",
            pairs,
            identity,
            publish=("bridges",),
            about="Step 2: pairs of hops that one entity joins, and no namesake.",
        ),
    )


def _disconnection(values: Values) -> tuple[Stage, ...]:
    """Step 3: what can be answered without taking the step goes."""
    given, judge, folds = values["disconnection"], _trainer(values), _folds(values)
    seed = values["build"]["seed"]
    with within("disconnection", max_f1="max_head_f1"):
        heads = head_filter.stage(judge, folds, given["max_head_f1"])
    with within("disconnection", max_f1="max_tail_f1"):
        tails = tail_filter.stage(
            judge,
            folds,
            max_f1=given["max_tail_f1"],
            max_guessed_f1=given["max_guessed_f1"],
            min_support_f1=given["min_support_f1"],
        )
    masked = tail_contexts.stage(section(TailContextParams, values, "disconnection", seed=seed))
    heads, masked, tails = _over_hops(values, heads, masked, tails)
    return (
        heads,
        chain(
            "musique.tail_filter",
            masked,
            tails,
            publish=("judged_tails",),
            about="Step 3: whether a tail is answered without its entity, among paragraphs that mask it.",
        ),
        disconnection_filter.stage(section(DisconnectionParams, values, "disconnection")),
    )


def _graphs(values: Values) -> tuple[Stage, ...]:
    """Steps 4 and 5: graphs, their questions in the rules' words, and splits that share nothing."""
    seed = values["build"]["seed"]
    limits = section(ReasoningGraphParams, values, "graphs", seed=seed)
    apart = section(SeparationParams, values, "splits", seed=seed)
    alike = SplitCapParams(seed, limits.max_share, limits.share_floor)
    worded = section(DistinctParams, values, "composition", seed=seed)
    bridges = WORDED_BRIDGES.name if worded.nested else KEPT_BRIDGES.name
    asked, hops = {COMPOSED_HOPS.name: ASKED_HOPS.name}, _hops_table(values)
    proof = SeparationCheckParams(allow=not apart.separate, spellings=apart.spellings)
    return (
        chain(
            "musique.graph_selection",
            *((worded_bridges.stage(hops),) if worded.nested else ()),
            candidate_graphs.stage(limits, bridges, hops),
            graph_selection.stage(limits, hops=hops),
            publish=(COMPOSED_HOPS.name,),
            about="Step 4: reasoning graphs out of bridges, and a choice of them that varies.",
        ),
        chain(
            "musique.mechanical_composition",
            mechanical_composition.mechanical_stage(),
            mechanical_composition.distinct_stage(worded),
            publish=(MECHANICAL_QUESTIONS.name, ASKED_HOPS.name),
            about="Step 7: graphs in the rules' words, each question once.",
        ),
        reading(splits.stage(apart, hops), asked),
        reading(split_caps.stage(alike, hops), asked),
        reading(leak_check.stage(proof, hops), asked),
    )


def _contexts(values: Values) -> tuple[Stage, ...]:
    """Steps 6 and 8: paragraphs, and others that do not answer."""
    chosen = section(ContextParams, values, "contexts", seed=values["build"]["seed"])
    drawn = distractors.stage(chosen, hops=_hops_table(values))
    return (
        chain(
            "musique.contexts",
            reading(drawn, {COMPOSED_HOPS.name: ASKED_HOPS.name}),
            contexts.stage(),
            publish=("contexts",),
            about="Steps 6 and 8: supporting paragraphs and distractors, for questions and their contrasts.",
        ),
    )


def _composition(values: Values, people: People) -> tuple[Stage, ...]:
    """Step 7: people check bridges and write questions."""
    with within("tasks", redundancy="votes"):
        asked = CompositionParams(tuple(values["tasks"]["splits"]), values["tasks"]["votes"])
    kind, params = load_kind(KIND), section(ComposedParams, values, "people")
    if not (asked.splits or people.answered):
        return (human_composition.stage(kind, params, ()),)
    names = (VERDICTS.name, ANSWERED.name, WORKERS.name)
    return (
        composition_drafts.stage(KIND, asked),
        *people.round(ROUND, COMPOSITION_DRAFTS.name, KIND),
        human_composition.stage(kind, params, tuple(people.table(name, ROUND) for name in names)),
    )


def sample() -> Sequence[str]:
    return sample_files("hops")


def sample_answers() -> Sequence[str]:
    return sample_files("hops/answers")


def properties(inputs: Inputs) -> Sequence[str]:
    """Of the relations whose statements become hops."""
    return sorted(load_relations(inputs.of(RELATIONS)).simple)


def export(root: Storage, manifest: BuildManifest, folder: Path, force: bool = False) -> Sequence[Path]:
    return write_multihop(root, manifest, folder, DATASET.title, force)


def picture(root: Storage, manifest: BuildManifest, key: str) -> str:
    """The reasoning graph of a question's id as SVG.

    Raises StageError: the build holds no such question.
    """
    graphs = read_table(root, manifest, ASKED_HOPS).to_pylist()
    questions = {row["graph"]: row["question"] for row in read_table(root, manifest, COMPOSED_QUESTIONS).to_pylist()}
    for row in graphs:
        if row["graph"] == key:
            return draw_graph(row, questions.get(key, ""))
    some = ", ".join(sorted(questions)[:3]) or "none"
    raise StageError(f"no question {key!r} in this build; it holds {some} ...")


def truths(root: Storage, manifest: BuildManifest) -> Mapping[str, Answers]:
    """Per task that all bridges are sound, and the rules' question; for simulated people only."""
    worded = read_table(root, manifest, MECHANICAL_QUESTIONS).to_pylist()
    questions = {row["graph"]: row["question"] for row in worded}
    keys = keys_of(root, manifest)[ROUND]
    return {row["task"]: {"bridges": ["all_same"], "question": [questions[row["origin"]]]} for row in keys}


def parts(graph: str) -> Sequence[str]:
    """The single hops of a question of several steps, by its id."""
    return HOP.findall(graph.partition("__")[2])


DATASET = Dataset(
    name="musique",
    title="MuSiQue: questions of two to four steps, each of which needs the one before",
    pipeline=pipeline,
    sample=sample,
    sample_answers=sample_answers,
    export=export,
    evaluate=evaluate,
    reads=(HOPS, MEDIAWIKI, PAGES, REDIRECTS, *ENTITIES, RELATIONS, ANNOTATIONS),
    properties=properties,
    names=bridge_names,
    need=need,
    rounds=lambda manifest: (ROUND,),
    paper=PAPER,
    picture=picture,
    truths=truths,
    parts=parts,
    lineage=LINEAGE,
)
