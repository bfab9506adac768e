import json
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.annotation.decisions import VerdictParams
from stages.annotation.forms.answers import fit
from stages.annotation.forms.kinds import load_kinds
from stages.annotation.platforms.replies import worker_id
from stages.annotation.redo import REDO
from stages.annotation.simulation.crowd import SimulatedWorker, make_crowd
from stages.annotation.simulation.crowd_answers import annotate, drawn_truth, records
from stages.annotation.tables import ANNOTATIONS, VERDICTS, WORKERS
from stages.annotation.workers import WorkerParams
from stages.core.contract import StageError
from tests.stages.annotation.desk import Desk

SHIPPED = load_kinds()


def _desk(kinds: list[str], count: int, redundancy: int) -> Desk:
    desk = Desk()
    for kind in kinds:
        for number in range(count):
            desk.task(f"{kind} {number}", kind, redundancy)
    return desk


def test_every_shipped_form_can_be_filled() -> None:
    desk = _desk(sorted(SHIPPED), 6, 3)
    rows = annotate(desk.tasks, desk.keys, SHIPPED, make_crowd(5, accuracy=0.7, spammers=1), right_share=0.6)
    assert len(rows) == len(SHIPPED) * 6 * 3
    for row in rows:
        kind = SHIPPED[row["task"].split()[0]]
        answers = json.loads(row["answers"])
        assert fit(kind, answers).answers == answers
        assert row["worker"] == worker_id(row["worker"], "jsonl")
    ANNOTATIONS.table(rows)


def test_records_are_what_a_build_imports() -> None:
    desk = _desk(["qampari_answer"], 1, 1)
    (record,) = records(annotate(desk.tasks, desk.keys, SHIPPED, [SimulatedWorker("s", 1.0)], right_share=1.0))
    assert record | {"seconds": 0} == {
        "task": "qampari_answer 0",
        "worker": "s",
        "answers": {"verdict": ["correct"]},
        "seconds": 0,
    }


def test_a_perfect_worker_says_the_truth() -> None:
    desk = Desk().task("known", "qampari_answer", gold={"verdict": ["incorrect"]}, attention_check=True)
    desk.task("told", "ifqa_verification").task("drawn", "wiqa_question")
    told = {"told": {"verdict": ["revise"], "revised_question": ["If it had rained, what then?"]}}
    rows = annotate(desk.tasks, desk.keys, SHIPPED, [SimulatedWorker("s", 1.0)], truths=told)
    answers = {row["task"]: json.loads(row["answers"]) for row in rows}
    assert answers["known"]["verdict"] == ["incorrect"]
    assert answers["told"]["verdict"] == ["revise"]
    assert answers["told"]["revised_question"] == ["If it had rained, what then?"]
    assert answers["drawn"]["answer"] == drawn_truth("drawn", SHIPPED["wiqa_question"], 0.9, 0)["answer"]


def test_a_form_without_a_verdict_is_filled_by_its_true_answers() -> None:
    desk = Desk().task("graph", "wiqa_graph", 20)
    truth = {"X": ["rain"], "Y": ["flood"], "W": ["dust", "heat", "drought"], "y_affects": ["more"]}
    crowd = make_crowd(20, accuracy=0.7, spammers=2)
    rows = annotate(desk.tasks, desk.keys, SHIPPED, crowd, truths={"graph": truth})
    answers = [json.loads(row["answers"]) for row in rows]
    assert {tuple(sorted(one)) for one in answers} == {("W", "X", "Y", "y_affects")}
    # The form takes two texts of W.
    assert all((one["X"], one["W"]) == (["rain"], ["dust", "heat"]) for one in answers)
    said = Counter(one["y_affects"][0] for one in answers)
    assert said["more"] == max(said.values()) and len(said) > 1


def test_a_leaning_is_named_by_its_side() -> None:
    desk = Desk().task("attention_checks", "qampari_answer", gold={"verdict": ["incorrect"]}, attention_check=True)
    desk.task("unclear", "qampari_paraphrase", gold={"meaning": ["unclear"]}, attention_check=True)
    nodding = SimulatedWorker("s", 1.0, 1.0, "confirm")
    rows = annotate(desk.tasks, desk.keys, SHIPPED, [nodding])
    answers = {row["task"]: json.loads(row["answers"]) for row in rows}
    assert answers["attention_checks"] == {"verdict": ["correct"]}
    assert answers["unclear"]["meaning"] == ["clear"]


def test_more_votes_than_workers() -> None:
    desk = _desk(["qampari_answer"], 1, 3)
    with pytest.raises(StageError, match="3 votes per task need as many workers, and the crowd has 2"):
        annotate(desk.tasks, desk.keys, SHIPPED, make_crowd(2))


@settings(max_examples=20)
@given(st.permutations(range(8)), st.integers(0, 3))
def test_the_order_of_tasks_does_not_matter(order: list[int], seed: int) -> None:
    desk = _desk(["qampari_answer", "ifqa_verification"], 4, 2)
    crowd = make_crowd(4, accuracy=0.6)
    expected = annotate(desk.tasks, desk.keys, SHIPPED, crowd, seed=seed)
    turned = annotate([desk.tasks[at] for at in order], desk.keys, SHIPPED, tuple(reversed(crowd)), seed=seed)
    assert turned == expected


def test_a_batch_with_spammers_comes_out_right() -> None:
    """300 answers, 30 attention checks; six of twenty workers are spammers; three votes; experts see what rules say."""
    experts = ("expert",)
    desk = Desk(WorkerParams(experts=experts), VerdictParams(experts=experts), kinds=SHIPPED)
    for number in range(300):
        desk.task(f"t{number}", "qampari_answer", 3)
    for number in range(60):
        desk.task(f"attention{number}", "qampari_answer", 3, gold={"verdict": ["incorrect"]}, attention_check=True)
    truth = {row["task"]: drawn_truth(row["task"], SHIPPED["qampari_answer"], 0.9, 0) for row in desk.tasks[:300]}
    crowd = make_crowd(20, accuracy=0.95, spammers=6)
    desk.annotations = annotate(desk.tasks, desk.keys, SHIPPED, crowd, truths=truth)
    first = desk.run()
    refused = {row["worker"] for row in first.rows(WORKERS) if not row["accepted"]}
    assert refused == {worker.name for worker in crowd if worker.bias == 1}

    # A second round with an expert, and with honest workers only, who take over the missing votes.
    honest = [worker for worker in crowd if worker.name not in refused]
    by_task = {row["task"]: row for row in desk.tasks}
    for row in first.rows(REDO):
        if row["who"] == "expert":
            voters = [SimulatedWorker("expert", 1.0)]
        else:
            voters = [worker for worker in honest if worker.name not in row["not_by"]]
        task = by_task[row["task"]] | {"redundancy": row["votes"]}
        desk.annotations += annotate([task], [], SHIPPED, voters, truths=truth, seed=1)
    second = desk.run().rows(VERDICTS)
    settled = [row for row in second if row["status"] in ("confirmed", "refused")]
    right = sum(json.loads(row["answers"])["verdict"] == truth[row["task"]]["verdict"] for row in settled)
    # Three votes of 0.95 are right 0.993 of the time, and the experts put right what was refused.
    assert len(settled) >= 280
    assert right / len(settled) >= 0.98
    assert all(row["status"] == "needs_expert" for row in second if row not in settled)


def test_a_form_that_cannot_be_filled_is_named() -> None:
    kind = SHIPPED["wiqa_question"]
    control = replace(kind.controls["answer"], max_values=0)
    broken = type(kind)(
        kind.name, kind.settings, kind.form, kind.variables, dict(kind.controls) | {"answer": control}, {}
    )
    desk = _desk(["wiqa_question"], 1, 1)
    with pytest.raises(StageError, match="cannot fill the form of wiqa_question: too_many_values"):
        annotate(desk.tasks, desk.keys, {"wiqa_question": broken}, make_crowd(1))
