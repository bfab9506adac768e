from __future__ import annotations

from collections import Counter

import pytest

from stages.core.contract import StageError
from stages.wiqa.balancing import BalanceParams, balance, take
from tests.stages.wiqa.world import digest, many, run

IN, EX, OUT = "INPARA_EFFECT", "EXOGENOUS_EFFECT", "OUTOFPARA_DISTRACTOR"
PLENTY = {
    (label, kind, hops): 1000
    for label in ("more", "less")
    for kind, hops in ((IN, 1), (IN, 2), (EX, 1), (EX, 2), (EX, 3))
}
PLENTY |= {("no_effect", OUT, 0): 5000}


def test_a_split_with_plenty_meets_every_target() -> None:
    taken = take(PLENTY, 600, BalanceParams(no_effect=1, more=1, less=1))
    assert taken["no_effect", OUT, 0] == 200
    # 200 per label: 100 per type, then 50 + 50 and 33.3 * 3 by hops, the odd one to the first.
    for label in ("more", "less"):
        assert [taken[label, IN, hops] for hops in (1, 2)] == [50, 50]
        assert [taken[label, EX, hops] for hops in (1, 2, 3)] == [34, 33, 33]


def test_the_scarcest_label_holds_back_the_others() -> None:
    taken = take(PLENTY | {("no_effect", OUT, 0): 34}, 10_000, BalanceParams())
    totals = Counter()
    for (label, _, _), count in taken.items():
        totals[label] += count
    assert totals == {"no_effect": 34, "more": 33, "less": 33}


def test_what_a_type_cannot_fill_the_other_does() -> None:
    scarce = PLENTY | {("more", EX, hops): 2 for hops in (1, 2, 3)}
    taken = take(scarce, 300, BalanceParams(no_effect=1, more=1, less=1))
    assert sum(taken["more", EX, hops] for hops in (1, 2, 3)) == 6
    assert sum(taken["more", IN, hops] for hops in (1, 2)) == 94


def test_a_label_without_any_question_is_left_out_and_nothing_gives_nothing() -> None:
    without = {stratum: count for stratum, count in PLENTY.items() if stratum[0] != "no_effect"}
    assert sum(take(without, 100, BalanceParams()).values()) == 100
    assert take({}, 100, BalanceParams()) == {}
    assert set(take(PLENTY, 100, BalanceParams(no_effect=0, more=0, less=0)).values()) == {0}


def test_without_a_limit_the_proportions_alone_decide() -> None:
    taken = take(PLENTY, None, BalanceParams())
    # 5000 / 0.34 = 14,705 in all: 4,999.7 and twice 4,852.65, rounded by the largest remainder.
    by_label = Counter()
    for (label, _, _), count in taken.items():
        by_label[label] += count
    assert by_label == {"no_effect": 5000, "more": 4853, "less": 4852}


def test_chosen_questions_follow_the_quotas_whatever_the_shards() -> None:
    rows = many(topics=9)
    targets = BalanceParams(train=300, dev=60, test=30, seed=5)
    tables = run(rows, targets=targets)
    found = tables["chosen_questions"].to_pylist()
    sizes = Counter(row["split"] for row in found)
    assert sizes == {"train": 300, "dev": 60, "test": 30}
    labels = Counter(row["label"] for row in found if row["split"] == "train")
    assert labels == {"no_effect": 102, "more": 99, "less": 99}
    assert len({row["question"] for row in found}) == len(found)
    quotas = tables["question_quotas"].to_pylist()
    assert all(row["quota"] <= row["available"] for row in quotas)
    for other in (run(rows[::-1], 4, targets), run(rows, 2, targets)):
        assert digest(tables["chosen_questions"], "question") == digest(other["chosen_questions"], "question")
    assert digest(tables["chosen_questions"], "question") != digest(
        run(rows, targets=BalanceParams(train=300, dev=60, test=30, seed=6))["chosen_questions"], "question"
    )


def test_every_question_not_taken_is_counted_as_rejected() -> None:
    tables = run(many(topics=9))
    output = balance(
        tables["path_strata"], tables["no_effect_strata"], tables["topic_splits"], params=BalanceParams(train=50)
    )
    asked = tables["path_questions"].num_rows + tables["no_effect_questions"].num_rows
    taken = sum(value for name, value in output.metrics.items() if name.endswith("_taken"))
    assert sum(output.rejects["count"].to_pylist()) == asked - taken
    assert set(output.rejects["reason"].to_pylist()) == {"over_target"}


def test_parameters_are_checked() -> None:
    with pytest.raises(StageError, match="more: expected 0 or more"):
        BalanceParams(more=-1)
