"""Steps 11 and 12 of QAMPARI: people judge answers, round by round, and reword questions."""

from __future__ import annotations

from pipelines.params import Values, section
from pipelines.people import People
from stages.annotation.forms.kinds import load_kind
from stages.annotation.tables import VERDICTS
from stages.core.chain import chain
from stages.core.contract import Stage, StageError
from stages.core.rounds import named
from stages.qampari.judging import answer_drafts, asked_answers, judged, replacement, shown_pages, truths, wrong_answers
from stages.qampari.judging.answer_drafts import ANSWER_DRAFTS, REPLACEMENT_DRAFTS, WAITING_DRAFTS, AnswerDraftParams
from stages.qampari.judging.asked_answers import ASKED_ANSWERS, AskedParams
from stages.qampari.judging.replacement import ANSWER_STATES, CHOSEN, ReplacementParams
from stages.qampari.judging.shown_pages import PageParams
from stages.qampari.judging.wrong_answers import WrongAnswerParams
from stages.qampari.paraphrasing import paraphrase_drafts
from stages.qampari.paraphrasing import paraphrasing as paraphrases
from stages.qampari.paraphrasing.paraphrase_drafts import PARAPHRASE_DRAFTS, ParaphraseParams
from stages.qampari.paraphrasing.paraphrasing import WORDED

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
    """Step 11: what people are shown, the rounds, and what their verdicts leave.

    Until there are answers the first round is the only one, for no question has to be replaced; where it is about no
    split, nobody is asked at all.
    """
    names = _answer_rounds(values)
    if not people.answered:
        asked = (_shown(values), *people.round(ANSWERS, ANSWER_DRAFTS.name, ANSWER_KIND))
        return (*(asked if values["tasks"]["splits"] else ()), judged.stage(None))
    said = (people.table(CHOSEN.name, names[-1]), people.table(ANSWER_STATES.name, names[-1]))
    rounds = (stage for number in range(1, len(names) + 1) for stage in _round(values, people, names[:number]))
    return (_shown(values), *rounds, judged.stage(said))


def _shown(values: Values) -> Stage:
    """Every answer that may come to be judged, and a wrong one for each."""
    drafts = AnswerDraftParams(tuple(values["tasks"]["splits"]), values["tasks"]["answer_votes"])
    return chain(
        "qampari.answer_drafts",
        asked_answers.stage(section(AskedParams, values, "tasks")),
        *truths.stages(),
        wrong_answers.stage(WrongAnswerParams(values["build"]["seed"])),
        shown_pages.stage(section(PageParams, values, "tasks")),
        answer_drafts.stage(load_kind(ANSWER_KIND), drafts),
        publish=(ASKED_ANSWERS.name, ANSWER_DRAFTS.name, WAITING_DRAFTS.name),
        about="Step 11: what people judge, every answer and a wrong one for each.",
    )


def _round(values: Values, people: People, names: tuple[str, ...]) -> tuple[Stage, ...]:
    """The last of some rounds: people's verdicts, and who stays and who moves up by all verdicts so far."""
    *before, name = names
    drafts = people.table(REPLACEMENT_DRAFTS.name, before[-1]) if before else ANSWER_DRAFTS.name
    params = ReplacementParams(
        min_valid=values["queries"]["min_answers"], seed=values["build"]["seed"], kind=ANSWER_KIND, round=len(names)
    )
    replaced = replacement.stage(params, tuple(people.table(VERDICTS.name, one) for one in names))
    return (*people.round(name, drafts, ANSWER_KIND), named(replaced, f"_{name}", replaced.inputs))


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
        chain(
            "qampari.paraphrasing",
            *paraphrases.stages(kind, people.table(VERDICTS.name, PARAPHRASES)),
            publish=(WORDED.name,),
            about="Step 12: people's words, where they ask the same and no other question asks it as well.",
        ),
    )
