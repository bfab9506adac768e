"""IfQA as one list of stages: passages, screening, questions that people write and verify, answers in normal forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.analysis import analyse_records
from pipelines.corpus import wikipedia
from pipelines.datasets import Dataset, PaperStep
from pipelines.gaps import Stages, counted, no_questions, no_splits, no_way
from pipelines.ifqa.lineage import LINEAGE, VERIFICATION
from pipelines.model import Pipeline, licences
from pipelines.params import Values, section, within
from pipelines.people import People
from pipelines.published import read_table
from pipelines.release import write_counterfactuals
from pipelines.rounds import keys_of
from pipelines.samples import LICENCE, is_sample, sample_files
from stages.annotation.contributed import CONTRIBUTIONS
from stages.annotation.forms.answers import Answers
from stages.annotation.forms.kinds import load_kinds
from stages.annotation.tables import VERDICTS
from stages.core.chain import chain
from stages.core.contract import Source, Stage
from stages.core.splits import SPLITS
from stages.evaluation.spans import evaluate
from stages.ifqa import (
    answer_processing,
    parse,
    passage_search,
    passages,
    questions,
    source_faults,
    splits,
    titles,
    verification,
    verification_drafts,
    writing,
)
from stages.ifqa.passages import PassagesParams
from stages.ifqa.profile import analyse
from stages.ifqa.release import leak_check, records
from stages.ifqa.screening import screening, sheets
from stages.ifqa.screening.lexicon import load_lexicon
from stages.ifqa.screening.screening import ScoresParams
from stages.ifqa.screening.sheets import SHEETS, WRITING_DRAFTS, DrawnParams
from stages.ifqa.screening.tense import spacy_tagger
from stages.ifqa.source import NAMED_RECORDS, QuestionFiles
from stages.ifqa.splits import CONFIGS, GroupedSplitParams
from stages.ifqa.tables import READ_QUESTIONS, WRITTEN_QUESTIONS
from stages.ifqa.texts import TextLimits
from stages.ifqa.verification_drafts import VERIFICATION_DRAFTS, VerificationDraftParams
from stages.io.detect import ANNOTATIONS, ASKED, MEDIAWIKI, PAGES, REDIRECTS, Inputs
from stages.io.several import Several
from stages.wikipedia import pages, redirects

WRITING_KIND, VERIFICATION_KIND = "ifqa_writing", "ifqa_verification"
WRITING = "writing"
"""The round in which people write questions about passages; in the other one, VERIFICATION, they check questions."""

UNASKED = (
    "This build holds no question yet: it gives the corpus, the screened passages and the tasks in which people write "
    "about them. Build with --annotations once they have, or give questions with --source."
)
PAPER = (
    PaperStep("pages", ("wikipedia.pages",), "", "pages", "6,394,490 pages"),
    PaperStep("3.1 passages", ("ifqa.passages",), "pages", "word_passages", "27,572,699 passages"),
    PaperStep("3.1 screening", ("ifqa.screening",), "word_passages", "screened_passages"),
    PaperStep(
        "3.1 people write",
        ("ifqa.sheets", "annotation.verdicts_writing", "ifqa.writing"),
        "passage_sheets",
        "written_questions",
    ),
    PaperStep("questions of files", ("ifqa.parse", "ifqa.questions"), "read_questions", "raw_questions"),
    PaperStep(
        "3.2 verification",
        ("annotation.verdicts_verification", "ifqa.verification"),
        "raw_questions",
        "kept_questions",
        "3,800 questions",
    ),
    PaperStep("answers in normal form", ("ifqa.answer_processing",), "kept_questions", "normalised_answers"),
    PaperStep("splits", ("ifqa.splits",), "kept_questions", "question_splits", "full 2,401 / 701 / 701"),
    PaperStep("release", ("ifqa.records",), "kept_questions", "records"),
    PaperStep("leak check", ("ifqa.leak_check",), "records", "split_overlap"),
)

# The tables without which there is no question, and what to do where one is the first to be empty.
PATH = {
    "raw_questions": "give questions with their passages, or pages to write about, with --source",
    "verified_questions": "people refused them all: see `benchwright people ifqa`",
    "kept_questions": "people refused them all: see `benchwright people ifqa`",
    "question_splits": "give more questions with --source",
}


def need(values: Values, inputs: Inputs) -> None:
    """Raises SourceError: neither pages nor questions among the inputs."""
    inputs.need("Wikipedia pages or questions about passages", MEDIAWIKI, PAGES, ASKED)


def pipeline(values: Values, inputs: Inputs) -> Pipeline:
    """The stages over some input files; questions from files, pages to write about, or both.

    Raises:
        SourceError: neither pages nor questions among the inputs.
        StageError: a parameter, a template or a task kind cannot be used, or the tagger is not installed.
    """
    need(values, inputs)
    has_pages = bool(inputs.of(MEDIAWIKI, PAGES))
    people = People("ifqa", (WRITING, VERIFICATION) if has_pages else (VERIFICATION,), inputs, values)
    stages = (
        pages.stage(wikipedia(inputs), disambiguations=True),
        redirects.stage(),
        *(_writing(values, people) if has_pages else ()),
        *_questions(values, inputs, people, has_pages),
        chain(
            "ifqa.answer_processing",
            *titles.stages(),
            answer_processing.stage(),
            publish=("normalised_answers",),
            about="Answers in normal form: dates, numbers, titles of pages.",
        ),
        splits.stage(section(GroupedSplitParams, values, "splits", seed=values["build"]["seed"])),
        chain(
            "ifqa.records",
            records.stage(),
            records.contexts_stage(),
            publish=("records", "contexts"),
            about="The released records, and the passages of the open setting.",
        ),
        leak_check.stage(),
    )
    own = ("word_passages", "screened_passages", SHEETS.name) if has_pages else ()
    return Pipeline(
        dataset="ifqa",
        stages=stages,
        outputs=("records", "normalised_answers", "source_faults", "split_overlap", *people.tasks(stages), *own),
        parameters=values,
        sources=licences(stages),
        buckets=values["build"]["buckets"],
        notes=(*people.notes, *(() if inputs.of(ASKED, ANNOTATIONS) else (UNASKED,))),
        gaps=gaps,
        no_way=lambda stages: no_way("ifqa", stages, PATH),
    )


def gaps(stages: Stages) -> Sequence[str]:
    """Which splits of which benchmark are empty: questions that share a page or a passage stay together."""
    found = no_questions("ifqa", stages, PATH)
    for config in CONFIGS:
        counts = counted(stages, "ifqa.splits", {split: [f"{config}_{split}"] for split in SPLITS})
        found += no_splits(counts, f"{sum(counts.values()):,} questions, and none that belong together part", config)
    return found


def _writing(values: Values, people: People) -> tuple[Stage, ...]:
    """Section 3.1: passages, those that tell of causes in the past, and sheets of them that people write about."""
    seed, kind = values["build"]["seed"], load_kinds(WRITING_KIND)[WRITING_KIND]
    with within("tasks", redundancy="writing_votes"):
        shown = section(DrawnParams, values, "tasks", seed=seed, redundancy=values["tasks"]["writing_votes"])
    return (
        passages.stage(section(PassagesParams, values, "corpus")),
        screening.stage(load_lexicon(), spacy_tagger(), section(ScoresParams, values, "screening")),
        sheets.stage(kind, shown),
        *people.round(WRITING, WRITING_DRAFTS.name, WRITING_KIND),
        writing.stage(section(TextLimits, values, "questions"), people.table(CONTRIBUTIONS.name, WRITING), SHEETS.name),
    )


def _questions(values: Values, inputs: Inputs, people: People, has_pages: bool) -> tuple[Stage, ...]:
    """Section 3.2: questions of files and of people, each once, verified by people."""
    limits = section(TextLimits, values, "questions")
    with within("tasks", redundancy="verification_votes"):
        asked = VerificationDraftParams(redundancy=values["tasks"]["verification_votes"])
    return (
        parse.stage(_asked(inputs), limits),
        source_faults.stage(),
        questions.stage(READ_QUESTIONS.name, *((WRITTEN_QUESTIONS.name,) if has_pages else ())),
        verification_drafts.stage(VERIFICATION_KIND, asked),
        *people.round(VERIFICATION, VERIFICATION_DRAFTS.name, VERIFICATION_KIND),
        chain(
            "ifqa.verification",
            verification.stage(limits, verdicts=people.table(VERDICTS.name, VERIFICATION)),
            questions.kept_stage(),
            publish=("kept_questions",),
            about="Section 3.3: questions that people confirm, each once.",
        ),
    )


def _asked(inputs: Inputs) -> Source:
    """The files of questions; a build from pages alone has none yet."""
    files = inputs.of(ASKED)
    if not files:
        return Several((), NAMED_RECORDS)
    if all(map(is_sample, files)):
        return QuestionFiles(files, licence=LICENCE)
    return QuestionFiles(files, stated=True)


def names(inputs: Inputs, values: Values) -> Sequence[str]:
    """What the normaliser would look up for the answers of files, those of most questions first."""
    source, limits = _asked(inputs), section(TextLimits, values, "questions")
    read = (parse.parse(raw, params=limits) for part in source.parts() for raw in source.read(part))
    found = Counter(
        title
        for output in read
        for row in output.tables[READ_QUESTIONS.name].to_pylist()
        for title in titles.asked_of(row)
    )
    return sorted(found, key=lambda title: (-found[title], title))


def rounds(manifest: BuildManifest) -> Sequence[str]:
    """Without pages there is nothing to write about."""
    has_pages = any(SHEETS.name in stage.tables for stage in manifest.stages)
    return (WRITING, VERIFICATION) if has_pages else (VERIFICATION,)


def sample() -> Sequence[str]:
    return sample_files("counterfactuals")


def sample_answers() -> Sequence[str]:
    return sample_files("counterfactuals/answers")


def export(root: Storage, manifest: BuildManifest, folder: Path, force: bool = False) -> Sequence[Path]:
    return write_counterfactuals(root, manifest, folder, DATASET.title, force)


def truths(root: Storage, manifest: BuildManifest) -> Mapping[str, Answers]:
    """Per task something that passes for a question, or for a right check of one; for simulated people only."""
    keys = keys_of(root, manifest)
    kept: Answers = {"standalone": ["yes"], "readable": ["yes"], "verdict": ["keep"]}
    found = {row["task"]: kept for row in keys[VERIFICATION]}
    if not keys[WRITING]:
        return found
    titles_of: dict[str, dict[int, str]] = {}
    for row in read_table(root, manifest, SHEETS).to_pylist():
        titles_of.setdefault(row["sheet"], {})[row["place"]] = row["passage"]
    for row in keys[WRITING]:
        found[row["task"]] = {
            name: [text]
            for place, passage in titles_of[row["origin"]].items()
            for name, text in (
                (f"question_{place:02}", f"If {passage} had gone otherwise, what would it be about?"),
                (f"answer_{place:02}", passage.rpartition("#")[0][:100]),
            )
        }
    return found


DATASET = Dataset(
    name="ifqa",
    title="IfQA: questions that suppose something had gone otherwise, answered in normal forms",
    pipeline=pipeline,
    sample=sample,
    sample_answers=sample_answers,
    export=export,
    evaluate=evaluate,
    baselines=passage_search.RETRIEVERS,
    baseline=passage_search.run,
    analyse=analyse,
    analyse_build=analyse_records,
    reads=(MEDIAWIKI, PAGES, REDIRECTS, ASKED, ANNOTATIONS),
    names=names,
    need=need,
    rounds=rounds,
    paper=PAPER,
    truths=truths,
    lineage=LINEAGE,
)
