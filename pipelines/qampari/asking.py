"""Steps 11 and 12 of QAMPARI: people judge answers, round by round, and reword questions."""

from __future__ import annotations

from pipelines.params import Values, section
from pipelines.people import People
from stages.contract import Stage, StageError
from stages.people import replacement
from stages.people.kinds import load_kind
from stages.people.replacement import CHOSEN, STANDINGS, ReplacementParams
from stages.people.tables import VERDICTS
from stages.questions import (
    answer_drafts,
    asked_answers,
    judged,
    paraphrase_drafts,
    paraphrases,
    shown_pages,
    standings,
    truths,
    wrong_answers,
)
from stages.questions.answer_drafts import ANSWER_DRAFTS, REPLACEMENT_DRAFTS, AnswerDraftParams
from stages.questions.asked_answers import AskedParams
from stages.questions.paraphrase_drafts import PARAPHRASE_DRAFTS, ParaphraseParams
from stages.questions.shown_pages import PageParams
from stages.questions.standings import ANSWER_STATES
from stages.questions.wrong_answers import WrongAnswerParams
from stages.rounds import named, reading

ANSWER_KIND, PARAPHRASE_KIND = "qampari_answer", "qampari_paraphrase"
ANSWERS, PARAPHRASES = "answers", "paraphrases"


def rounds(values: Values) -> tuple[str, ...]:
    """The rounds of people's work: "answers", "answers_2", ..., "paraphrases".

    The first has the answers of dev and test judged, each further one those of questions that replace others.

    Raises StageError: a number of rounds below 1.
    """
    return (*_answer_rounds(values), PARAPHRASES)


def _answer_rounds(values: Values) -> tuple[str, ...]:
    count = values["tasks"]["answer_rounds"]
    if count < 1:
        raise StageError(f"tasks.answer_rounds: expected at least 1, got {count}")
    return (ANSWERS, *(f"{ANSWERS}_{number}" for number in range(2, count + 1)))


def judging(values: Values, people: People) -> tuple[Stage, ...]:
    """Step 11: what people are shown, the rounds, and what their verdicts leave."""
    names = _answer_rounds(values)
    return (
        *_shown(values),
        *(stage for number in range(1, len(names) + 1) for stage in _round(values, people, names[:number])),
        judged.stage(people.table(CHOSEN.name, names[-1]), people.table(ANSWER_STATES.name, names[-1])),
    )


def _shown(values: Values) -> tuple[Stage, ...]:
    """Every answer that may come to be judged, and a wrong one for each."""
    drafts = AnswerDraftParams(tuple(values["tasks"]["splits"]), values["tasks"]["answer_votes"])
    return (
        asked_answers.stage(section(AskedParams, values, "tasks")),
        *truths.stages(),
        wrong_answers.stage(WrongAnswerParams(values["build"]["seed"])),
        shown_pages.stage(section(PageParams, values, "tasks")),
        answer_drafts.stage(load_kind(ANSWER_KIND), drafts),
    )


def _round(values: Values, people: People, names: tuple[str, ...]) -> tuple[Stage, ...]:
    """The last of some rounds: people's verdicts, and who stays and who moves up by all verdicts so far."""
    *before, name = names
    drafts: tuple[Stage, ...] = ()
    source = ANSWER_DRAFTS.name
    if before:
        drafts = (_own(answer_drafts.replacement_stage(len(names), people.table(CHOSEN.name, before[-1])), name),)
        source = people.table(REPLACEMENT_DRAFTS.name, name)
    verdicts = tuple(people.table(VERDICTS.name, one) for one in names)
    params = ReplacementParams(min_valid=values["queries"]["min_answers"], seed=values["build"]["seed"])
    stood = reading(replacement.stage(params), {STANDINGS.name: people.table(STANDINGS.name, name)})
    return (
        *drafts,
        *people.round(name, source, ANSWER_KIND),
        _own(standings.stage(ANSWER_KIND, verdicts), name),
        _own(stood, name),
    )


def _own(stage: Stage, name: str) -> Stage:
    """The stage of one round, which reads what it names and writes tables of its own."""
    return named(stage, f"_{name}", stage.inputs)


def paraphrasing(values: Values, people: People) -> tuple[Stage, ...]:
    """Step 12: questions that people reword, and their words where they ask the same."""
    tasks, kind = values["tasks"], load_kind(PARAPHRASE_KIND)
    params = ParaphraseParams(
        train=tasks["paraphrased_train"],
        answers=tasks["shown_answers"],
        redundancy=tasks["paraphrase_votes"],
        seed=values["build"]["seed"],
    )
    return (
        paraphrase_drafts.stage(kind, params),
        *people.round(PARAPHRASES, PARAPHRASE_DRAFTS.name, PARAPHRASE_KIND),
        *paraphrases.stages(kind, people.table(VERDICTS.name, PARAPHRASES)),
    )
