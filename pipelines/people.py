"""The people stages of a dataset, round after round.

A round is two stages: tasks out of the dataset's drafts; and out of the replies to them
annotations, workers, verdicts, contributions and what is to be asked again. A dataset whose
later tasks depend on earlier verdicts has several rounds. They read the same files of answers;
each takes the replies to its own tasks and leaves the rest to the next, and the last one rejects
what belongs to no task. Workers are judged by what they did in their round and in those before it.

    people = People("wiqa", ("graphs", "questions"), inputs, values)
    stages = (
        ...,                                                    # write the table graph_drafts
        *people.round("graphs", "graph_drafts", "wiqa_graph"),
        ...,                                                    # read people.table("contributions", "graphs")
        *people.round("questions", "question_drafts", "wiqa_question"),
        ...,                                                    # read people.table("verdicts", "questions")
    )
    notes = people.notes

`inputs` holds the files of answers under ANNOTATIONS, and may hold none: then every verdict
is `unconfirmed` and the build goes on; a dataset leaves out a round that asks nobody anything then,
and with it the stages that would read its verdicts. `values` needs a section `people` in params.yaml (see
`pipelines/wiqa/params.yaml`) and `build.seed`. Drafts of a round may be in one table only;
they may be of several kinds. Every table and stage of a round carries its name: `tasks_graphs`,
`annotation.verdicts_graphs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.params import Values, section
from pipelines.samples import LICENCE, is_sample
from stages.annotation import received, verdicts
from stages.annotation import tasks as make
from stages.annotation.annotations import STRAYS
from stages.annotation.decisions import VerdictParams
from stages.annotation.forms.kinds import load_kinds
from stages.annotation.platforms.replies import ReplyLimits
from stages.annotation.platforms.source import Annotations, simulated_answers
from stages.annotation.received import RECEIVED
from stages.annotation.tables import DRAFTS, TASKS
from stages.annotation.tasks import TaskParams
from stages.annotation.verdicts import RoundParams
from stages.annotation.workers import MARKS, WorkerParams
from stages.core.contract import Stage, StageError
from stages.core.rounds import named, reading
from stages.io.detect import ANNOTATIONS, Inputs

ANSWERED = (
    "Answers of people were given; what they have not settled stands unconfirmed and is marked so. "
    "`benchwright people {dataset}` says how much that is, `benchwright tasks {dataset} --which again` asks it again."
)
SAMPLE_ANSWERS = (
    "Answers of people in this build are those of the built-in sample: made up, by workers who do not exist. They show "
    "the way of tasks and answers, and nothing about how people answer."
)
SIMULATED_ANSWERS = (
    "{count:,} of the answers given are by a simulated crowd, not by people; what they confirm nobody has confirmed. "
    "Do not release this build."
)
UNANSWERED = (
    "No answers of people were given: what people confirm in the paper stands unconfirmed. "
    "`benchwright tasks {dataset}` writes the tasks to send out, `build --annotations` takes the answers."
)


@dataclass(frozen=True)
class People:
    """The people stages of one build.

    rounds: their names, in the order in which they come; a single round may be called "".
    """

    dataset: str
    rounds: tuple[str, ...]
    inputs: Inputs
    values: Values

    def round(self, name: str, drafts: str, *kinds: str) -> tuple[Stage, ...]:
        """The stages of one round, in order; the first begins with reading the files of answers, if there are any.

        drafts: the name of a table of DRAFTS; kinds: the task kinds that it names.
        """
        if name not in self.rounds:
            raise StageError(f"{self.dataset}: no round {name!r} among {', '.join(self.rounds)}")
        number = self.rounds.index(name)
        loaded, seed = load_kinds(*kinds), self.values["build"]["seed"]
        asked = make.stage(loaded, section(TaskParams, self.values, "people", dataset=self.dataset, seed=seed))
        source = RECEIVED.name if number == 0 else self.table(STRAYS.name, self.rounds[number - 1])
        earlier = tuple(self.table(MARKS.name, one) for one in self.rounds[:number])
        params = RoundParams(
            section(WorkerParams, self.values, "people", seed=seed),
            section(VerdictParams, self.values, "people", seed=seed),
            later_rounds=self.answered and number + 1 < len(self.rounds),
        )
        settled = verdicts.stage(loaded, params, source if self.answered else None, earlier)
        shared = (drafts, source, *earlier)
        stages = (reading(asked, {DRAFTS.name: drafts}), settled)
        own = tuple(named(stage, self._suffix(name), shared) for stage in stages)
        return (self._received(), *own) if self.answered and number == 0 else own

    @property
    def answered(self) -> bool:
        """Whether any answers of people were given."""
        return bool(self.inputs.of(ANNOTATIONS))

    def table(self, name: str, round_name: str) -> str:
        """The name that a people table carries in a round, such as table("verdicts", "graphs")."""
        return name + self._suffix(round_name)

    def tasks(self, stages: Sequence[Stage]) -> tuple[str, ...]:
        """The tables of tasks that some stages make."""
        made = {spec.name for stage in stages for spec in stage.outputs}
        return tuple(name for one in self.rounds if (name := self.table(TASKS.name, one)) in made)

    @property
    def notes(self) -> Sequence[str]:
        """What the manifest must say of people's part in this build."""
        files = self.inputs.of(ANNOTATIONS)
        said = ANSWERED if files else UNANSWERED
        count = simulated_answers(path for path in files if not is_sample(path))
        return (
            said.format(dataset=self.dataset),
            *((SAMPLE_ANSWERS,) if any(map(is_sample, files)) else ()),
            *((SIMULATED_ANSWERS.format(count=count),) if count else ()),
        )

    def _received(self) -> Stage:
        paths = self.inputs.of(ANNOTATIONS)
        files = Annotations(paths, LICENCE) if paths and all(map(is_sample, paths)) else Annotations(paths)
        return received.stage(files, section(ReplyLimits, self.values, "people"))

    @staticmethod
    def _suffix(name: str) -> str:
        return f"_{name}" if name else ""
