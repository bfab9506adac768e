import json
import math
from dataclasses import replace

import pytest

from stages.annotation.simulation.crowd import make_crowd
from stages.annotation.simulation.crowd_plan import accepted_workers, simulate
from stages.annotation.simulation.plan import CrowdParams
from stages.annotation.workers import WorkerParams
from stages.core.contract import StageError

# Nobody is refused, so that both ways of planning speak of the same crowd.
LENIENT = WorkerParams(max_passed=1.0, min_right=0.0, min_pace=0.0)
PARAMS = CrowdParams(tasks=800, right_share=0.7, judge=LENIENT)


@pytest.mark.parametrize(
    "params",
    [
        replace(PARAMS, votes=(1, 2, 3, 5, 7), accuracies=(0.6, 0.8, 0.95)),
        replace(PARAMS, votes=(2, 3, 4), accuracies=(0.7,), labels=3),
        replace(PARAMS, votes=(3,), accuracies=(0.8,), bias=0.3),
        replace(PARAMS, votes=(3, 4), accuracies=(0.9,), spammers=6),
    ],
)
def test_both_ways_of_planning_agree(params: CrowdParams) -> None:
    for line in simulate(params).lines:
        error = math.sqrt(line.right * (1 - line.right) / params.tasks)
        assert line.simulated_right == pytest.approx(line.right, abs=4 * error)
        if line.votes > 1:
            # Alpha of two votes on 800 tasks has a standard error of about 0.04 here.
            assert line.simulated_alpha == pytest.approx(line.alpha, abs=0.13)


def test_a_plan_by_hand() -> None:
    params = replace(PARAMS, tasks=100, right_share=0.5, votes=(3,), accuracies=(0.8,), seconds=36.0, pay_per_hour=10.0)
    (line,) = simulate(params).lines
    # 0.8^3 + 3 * 0.8^2 * 0.2; alpha 1 - 0.32 / 0.5; 100 * 3 * 1.1 = 330 answers of 36 s are 3.3 h.
    assert (line.right, line.alpha, line.hours, line.cost) == pytest.approx((0.896, 0.36, 3.3, 33.0))
    assert (line.workers, line.refused) == (3, 0)


def test_the_fewest_votes_that_reach_the_target() -> None:
    report = simulate(replace(PARAMS, tasks=50, votes=(1, 3, 5, 7), accuracies=(0.6, 0.8, 0.95), target=0.95))
    best = {accuracy: line.votes if line else None for accuracy, line in report.best.items()}
    # Of 0.8: 0.942 with five votes and 0.967 with seven. Of 0.6 seven votes come to 0.71.
    assert best == {0.6: None, 0.8: 7, 0.95: 1}
    text = report.as_text()
    assert "right 60.0 % of the time: 95.0 % right labels are not reached by 7 votes." in text
    assert "right 80.0 % of the time: 7 votes of " in text
    assert "give 96.7 % right labels for" in text


def test_spammers_are_found_by_attention_checks_and_cost_their_work() -> None:
    params = CrowdParams(
        tasks=600,
        workers=20,
        spammers=5,
        accuracies=(0.95,),
        votes=(3,),
        attention_checks=0.5,
        judge=WorkerParams(min_pace=0.0),
    )
    crowd = make_crowd(20, accuracy=0.95, spammers=5, seconds=60.0)
    accepted = accepted_workers(crowd, 3, params)
    # Forty-five attention checks each: one spammer in 300 lets three of ten or fewer pass.
    assert [worker for worker in accepted if worker.bias == 1] == []
    assert len(accepted) == 15
    judged, trusting = simulate(params).lines[0], simulate(replace(params, judge=LENIENT)).lines[0]
    assert judged.refused == 5
    assert judged.right > trusting.right
    assert judged.cost == pytest.approx(trusting.cost * 20 / 15, rel=0.001)


def test_where_too_few_are_left_the_line_stays_empty() -> None:
    params = CrowdParams(tasks=200, workers=4, spammers=3, accuracies=(0.95,), votes=(3,))
    report = simulate(params)
    (line,) = report.lines
    assert (line.refused, line.right, line.cost) == (3, None, None)
    assert report.best == {0.95: None}
    assert "not reached" in report.as_text()


def test_a_report_is_data_and_the_same_every_time() -> None:
    params = replace(PARAMS, tasks=60, votes=(3, 1), accuracies=(0.9,))
    found = simulate(params).as_dict()
    assert found == simulate(params).as_dict()
    assert json.loads(json.dumps(found))["best"] == [{"accuracy": 0.9, "votes": 3}]
    assert [line["votes"] for line in found["lines"]] == [1, 3]
    assert found["params"]["judge"]["min_known"] == 5


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        ({"target": 1.5}, "target"),
        ({"votes": ()}, "votes, accuracies"),
        ({"votes": (0,)}, "votes"),
        ({"tasks": 0}, "tasks 0"),
        ({"labels": 1}, "labels 1"),
        ({"workers": 6}, "workers: 7 votes need 7, got 6"),
    ],
)
def test_impossible_plans_are_named(wrong: dict[str, object], name: str) -> None:
    with pytest.raises(StageError, match=name):
        CrowdParams(**wrong)
