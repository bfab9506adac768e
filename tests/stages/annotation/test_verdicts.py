import random
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.annotation.contributed import CONTRIBUTIONS
from stages.annotation.decisions import VerdictParams
from stages.annotation.redo import REDO
from stages.annotation.tables import STATUSES, VERDICTS, WORKERS
from stages.annotation.workers import WorkerParams
from stages.core.contract import StageError
from tests.stages.annotation.desk import KINDS, Desk, Done

EXPERTS = {
    "workers": WorkerParams(experts=("boss",)),
    "verdicts": VerdictParams(experts=("boss",), expert_right=0.0, expert_refused=True),
}


def checked(votes: str, redundancy: int, **more: Any) -> Desk:
    """One task on which workers a, b, c, ... vote y or n."""
    desk = Desk(**more).task("t", redundancy=redundancy)
    for worker, vote in zip("abcdefg", votes, strict=False):
        desk.says(worker, "t", verdict={"y": "yes", "n": "no"}[vote])
    return desk


@pytest.mark.parametrize(
    ("votes", "redundancy", "status", "agreeing", "redo"),
    [
        ("y", 1, "confirmed", 1, None),
        ("n", 1, "refused", 1, None),
        ("y", 2, "needs_vote", 1, (1, "too_few_votes")),
        ("yn", 2, "needs_vote", 1, (1, "tie")),
        ("yny", 2, "confirmed", 2, None),
        ("nny", 2, "refused", 2, None),
        ("yyn", 5, "needs_vote", 2, (2, "too_few_votes")),
        ("yyyn", 5, "confirmed", 3, None),
    ],
)
def test_majority_and_third_vote(
    votes: str, redundancy: int, status: str, agreeing: int, redo: tuple[int, str] | None
) -> None:
    done = checked(votes, redundancy).run()
    assert done.verdict("t") == {
        "task": "t",
        "kind": "check",
        "origin": "origin of t",
        "answers": {"confirmed": '{"verdict":["yes"]}', "refused": '{"verdict":["no"]}'}.get(status, "{}"),
        "votes": len(votes),
        "agreeing": agreeing,
        "status": status,
    }
    assert done.redo() == ({("t", "worker"): redo} if redo else {})


def test_without_annotations_everything_is_unconfirmed() -> None:
    desk = Desk()
    for kind in KINDS:
        desk.task(kind, kind, 3)
    done = desk.task("attention_checks", gold={"verdict": ["no"]}, attention_check=True).run()
    assert done.statuses() == dict.fromkeys(KINDS, "unconfirmed")
    assert {row["answers"] for row in done.rows(VERDICTS)} == {"{}"}
    assert done.rows(REDO) == done.rows(CONTRIBUTIONS) == done.rows(WORKERS) == done.rejects == []
    assert (done.metrics["unconfirmed"], done.metrics["attention_checks"]) == (6.0, 1.0)


def test_no_tasks_at_all() -> None:
    assert Desk().run().rows(VERDICTS) == []


def test_an_opinion_kind_takes_the_choice_itself() -> None:
    desk = Desk().task("t", "opinion", 5).task("split", "opinion", 5)
    for worker, (first, second) in zip(
        "abcde", [("more", "more"), ("more", "more"), ("more", "less"), ("less", "less"), ("none", "none")], strict=True
    ):
        desk.says(worker, "t", answer=first).says(worker, "split", answer=second)
    done = desk.run()
    assert (done.verdict("t")["status"], done.verdict("t")["answers"]) == ("confirmed", '{"answer":["more"]}')
    # Two, two and one of five: no further vote is asked for, as three equal ones were wanted.
    assert (done.verdict("split")["status"], done.redo()) == ("no_majority", {})


def test_work_of_rejected_workers_does_not_count_and_is_asked_for_again() -> None:
    desk = checked("yy", 2)
    for number in range(5):
        name = f"check{number}"
        desk.task(name, gold={"verdict": ["no"]}, attention_check=True)
        desk.says("a", name, verdict="no").says("b", name, verdict="yes")
    done = desk.run()
    assert done.worker("b")["why"] == "passed_wrong_answers"
    assert (done.verdict("t")["status"], done.verdict("t")["votes"]) == ("needs_vote", 1)
    assert done.rows(REDO) == [
        {"task": "t", "who": "worker", "kind": "check", "votes": 1, "why": "rejected_work", "not_by": ["a", "b"]}
    ]
    assert done.reasons() == [("t b", "rejected_worker", "passed_wrong_answers")]
    assert done.statuses().keys() == {"t"}
    assert done.metrics["left_out"] == 1.0


def test_a_task_with_rejected_work_only_is_not_unconfirmed() -> None:
    done = Desk().task("t", redundancy=2).says("hasty", "t", 0.1, verdict="yes").run()
    assert done.statuses() == {"t": "needs_vote"}
    assert done.redo() == {("t", "worker"): (2, "rejected_work")}


def test_every_refusal_goes_to_an_expert() -> None:
    done = checked("n", 1, **EXPERTS).run()
    assert done.verdict("t") | {"origin": ""} == {
        "task": "t",
        "kind": "check",
        "origin": "",
        "answers": '{"verdict":["no"]}',
        "votes": 1,
        "agreeing": 1,
        "status": "needs_expert",
    }
    assert done.redo() == {("t", "expert"): (1, "refused")}


@pytest.mark.parametrize(("said", "status", "agreeing"), [("yes", "confirmed", 1), ("no", "refused", 3)])
def test_the_experts_word_is_final(said: str, status: str, agreeing: int) -> None:
    done = checked("nn", 2, **EXPERTS).says("boss", "t", verdict=said).run()
    verdict = done.verdict("t")
    assert (verdict["status"], verdict["votes"], verdict["agreeing"]) == (status, 3, agreeing)
    assert done.redo() == {}


def test_an_expert_alone_decides() -> None:
    done = Desk(**EXPERTS).task("t", redundancy=5).says("boss", "t", verdict="no").run()
    assert done.statuses() == {"t": "refused"}


def test_experts_who_differ_need_another() -> None:
    two = {
        "workers": WorkerParams(experts=("boss", "chief")),
        "verdicts": VerdictParams(experts=("boss", "chief"), expert_right=0.0),
    }
    desk = checked("yyy", 3, **two).says("boss", "t", verdict="no").says("chief", "t", verdict="yes")
    assert desk.run().redo() == {("t", "expert"): (1, "experts_differ")}


def test_a_seeded_share_of_what_was_found_right_goes_to_an_expert() -> None:
    def sample(seed: int) -> set[str]:
        desk = Desk(verdicts=VerdictParams(expert_right=0.05, seed=seed))
        for number in range(2000):
            desk.task(f"t{number}").says("a", f"t{number}", verdict="yes")
        done = desk.run()
        assert {why for _, why in done.redo().values()} == {"sampled"}
        return {task for task, status in done.statuses().items() if status == "needs_expert"}

    first = sample(0)
    # 100 expected, with a standard deviation of 9.7.
    assert 60 <= len(first) <= 140
    assert first == sample(0) != sample(1)


def test_an_equal_revision_of_most_wins() -> None:
    desk = Desk().task("t", "repair", 3)
    desk.says("a", "t", verdict="fix", fixed="In  1969", readable="yes")
    desk.says("b", "t", verdict="fix", fixed="in 1969", readable="yes").says("c", "t", verdict="keep", readable="no")
    verdict = desk.run().verdict("t")
    assert (verdict["status"], verdict["agreeing"]) == ("revised", 2)
    # Of two spellings of one text the first by its letters; of the other controls what most of that side say.
    assert verdict["answers"] == '{"fixed":["In  1969"],"readable":["yes"],"verdict":["fix"]}'


def test_different_revisions_go_to_an_expert_whose_text_wins() -> None:
    desk = Desk(**EXPERTS).task("t", "repair", 2)
    desk.says("a", "t", verdict="fix", fixed="1969").says("b", "t", verdict="fix", fixed="1970")
    assert desk.run().redo() == {("t", "expert"): (1, "revisions_differ")}
    done = desk.says("boss", "t", verdict="fix", fixed="1971").run()
    assert (done.verdict("t")["status"], done.verdict("t")["answers"]) == (
        "revised",
        '{"fixed":["1971"],"verdict":["fix"]}',
    )


def test_two_choices_of_one_side_are_one_majority() -> None:
    desk = Desk().task("t", "repair", 3).says("a", "t", verdict="keep").says("b", "t", verdict="keep with a smile")
    verdict = desk.says("c", "t", verdict="drop").run().verdict("t")
    assert (verdict["status"], verdict["agreeing"], verdict["answers"]) == ("confirmed", 2, '{"verdict":["keep"]}')


def test_an_answer_without_its_point_is_rejected() -> None:
    desk = Desk().task("t").task("w", "rewrite").says("a", "t", remark="hm").says("a", "w", meaning="clear")
    done = desk.run()
    assert done.reasons() == [("t a", "no_verdict", ""), ("w a", "no_text", "")]
    assert done.statuses() == {"t": "needs_vote", "w": "needs_vote"}


def _rewrites(check: float) -> Desk:
    desk = Desk(
        workers=WorkerParams(experts=("boss",), check_share=check),
        verdicts=VerdictParams(experts=("boss",), expert_refused=False),
    )
    return desk.task("t", "rewrite").says("a", "t", meaning="clear", paraphrase="Who made it?")


def _texts(done: Done) -> list[tuple[str, str, str]]:
    return [(row["worker"], row["answers"], row["status"]) for row in done.rows(CONTRIBUTIONS)]


def test_an_unchecked_text_stands() -> None:
    done = _rewrites(0.0).run()
    assert _texts(done) == [("a", '{"paraphrase":["Who made it?"]}', "revised")]
    assert done.verdict("t")["answers"] == '{"meaning":["clear"],"paraphrase":["Who made it?"]}'
    assert (done.statuses(), done.redo()) == ({"t": "revised"}, {})


def test_a_text_that_was_drawn_waits_for_an_expert() -> None:
    done = _rewrites(1.0).run()
    assert [status for *_, status in _texts(done)] == ["needs_expert"]
    assert done.statuses() == {"t": "needs_expert"}
    assert done.redo() == {("t", "expert"): (1, "text_check")}


def test_a_text_that_the_expert_hands_in_unchanged_stands() -> None:
    done = _rewrites(1.0).says("boss", "t", meaning="clear", paraphrase="who made  it?").run()
    assert _texts(done) == [("a", '{"paraphrase":["Who made it?"]}', "revised")]
    assert (done.verdict("t")["status"], done.verdict("t")["agreeing"], done.redo()) == ("revised", 2, {})


def test_a_text_of_the_experts_takes_the_workers_place() -> None:
    done = _rewrites(1.0).says("boss", "t", meaning="clear", paraphrase="Who built it?").run()
    assert _texts(done) == [
        ("a", '{"paraphrase":["Who made it?"]}', "refused"),
        ("boss", '{"paraphrase":["Who built it?"]}', "revised"),
    ]
    assert done.verdict("t")["answers"] == '{"meaning":["clear"],"paraphrase":["Who built it?"]}'


def test_an_expert_refuses_the_record_with_its_texts() -> None:
    done = _rewrites(1.0).says("boss", "t", meaning="unclear").run()
    assert (done.statuses(), [status for *_, status in _texts(done)]) == ({"t": "refused"}, ["refused"])


def test_all_valid_texts_of_a_task_are_data() -> None:
    desk = Desk(workers=WorkerParams(check_share=0.0)).task("t", "fill", 4, shown="A bridge")
    desk.says("a", "t", first="one", second="two").says("b", "t", first="ONE", second="two ")
    desk.says("c", "t", first="three").says("d", "t", first="a  bridge")
    done = desk.run()
    assert _texts(done) == [
        ("a", '{"first":["one"],"second":["two"]}', "confirmed"),
        ("c", '{"first":["three"]}', "confirmed"),
    ]
    assert done.reasons() == [("t b", "same_text", "a"), ("t d", "unchanged", '{"first":["a bridge"]}')]
    verdict = done.verdict("t")
    assert (verdict["status"], verdict["votes"]) == ("confirmed", 4)
    assert (verdict["answers"], verdict["agreeing"]) in [
        ('{"first":["one"],"second":["two"]}', 2),
        ('{"first":["three"]}', 1),
    ]


def test_each_filled_set_is_a_text_of_its_own() -> None:
    desk = Desk(workers=WorkerParams(check_share=0.0)).task("t", "sets")
    desk.says("a", "t", question_01="If?", answer_01="so", question_03="And if?", answer_03="not so")
    rows = desk.run().rows(CONTRIBUTIONS)
    assert [(row["number"], row["answers"]) for row in rows] == [
        (0, '{"answer":["so"],"question":["If?"]}'),
        (2, '{"answer":["not so"],"question":["And if?"]}'),
    ]


def test_more_texts_are_asked_for_until_there_are_enough() -> None:
    desk = Desk(workers=WorkerParams(check_share=0.0)).task("t", "fill", 3).says("a", "t", first="one")
    assert desk.run().redo() == {("t", "worker"): (2, "too_few_votes")}
    copied = Desk(workers=WorkerParams(check_share=0.0)).task("t", "fill", 1, shown="copy").says("a", "t", first="copy")
    done = copied.run()
    assert (done.statuses(), done.redo()) == ({"t": "needs_vote"}, {("t", "worker"): (1, "unusable_text")})


def test_an_experts_text_is_enough() -> None:
    done = Desk(**EXPERTS).task("t", "fill", 3).says("boss", "t", first="one").run()
    assert (done.statuses(), done.redo()) == ({"t": "confirmed"}, {})


def test_a_record_that_most_find_unclear_is_refused_with_its_texts() -> None:
    desk = Desk(workers=WorkerParams(check_share=0.0)).task("t", "rewrite", 3)
    desk.says("a", "t", meaning="unclear").says("b", "t", meaning="unclear")
    done = desk.says("c", "t", meaning="clear", paraphrase="Who?").run()
    assert (done.statuses(), [status for *_, status in _texts(done)]) == ({"t": "refused"}, ["refused"])


def test_an_impossible_share_is_named() -> None:
    with pytest.raises(StageError, match="expert_right"):
        VerdictParams(expert_right=2.0)


ANSWERS = {
    "check": st.sampled_from([{"verdict": "yes"}, {"verdict": "no"}, {"remark": "hm"}]),
    "opinion": st.sampled_from([{"answer": answer} for answer in ("more", "less", "none")]),
    "repair": st.sampled_from(
        [{"verdict": "keep"}, {"verdict": "drop"}, {"verdict": "fix", "fixed": "x"}, {"verdict": "fix", "fixed": "y"}]
    ),
    "rewrite": st.sampled_from(
        [{"meaning": "unclear"}, {"meaning": "clear", "paraphrase": "x"}, {"meaning": "clear", "paraphrase": "y"}]
    ),
    "fill": st.sampled_from([{"first": "x"}, {"first": "y", "second": "z"}, {"first": "the text shown"}]),
    "sets": st.sampled_from([{"question_01": "x"}, {"question_01": "x", "question_02": "y"}]),
}


@st.composite
def desks(draw: st.DrawFn) -> Desk:
    desk = Desk(
        workers=WorkerParams(experts=("boss",), min_known=1),
        verdicts=VerdictParams(experts=("boss",), expert_right=0.3),
    )
    for kind, redundancy in product(sorted(KINDS), (1, 2)):
        desk.task(f"{kind}{redundancy}", kind, redundancy)
    desk.task("attention_checks", gold={"verdict": ["no"]}, attention_check=True)
    kinds = {row["task"]: row["kind"] for row in desk.tasks}
    for task, worker in product(sorted(kinds), ("a", "b", "c", "boss")):
        if draw(st.booleans()):
            desk.says(worker, task, draw(st.sampled_from([1.0, 20.0])), **draw(ANSWERS[kinds[task]]))
    return desk


@settings(max_examples=40)
@given(desks(), st.randoms(use_true_random=False))
def test_order_does_not_matter(desk: Desk, chance: random.Random) -> None:
    expected = desk.run().everything()
    for rows in (desk.tasks, desk.keys, desk.annotations):
        chance.shuffle(rows)
    assert desk.run().everything() == expected


@settings(max_examples=60)
@given(desks())
def test_verdicts_are_sound(desk: Desk) -> None:
    done = desk.run()
    real = {row["task"]: row for row in desk.tasks if row["task"] != "attention_checks"}
    assert done.statuses().keys() == real.keys()
    redo = done.redo()
    for row in done.rows(VERDICTS):
        task, status = row["task"], row["status"]
        assert status in STATUSES
        assert row["agreeing"] <= row["votes"]
        # Who waits for somebody is on the list, and who is through waits for no votes.
        assert ((task, "worker") in redo) == (status == "needs_vote")
        assert status != "needs_expert" or (task, "expert") in redo
        answered = any(one["task"] == task for one in desk.annotations)
        assert (status == "unconfirmed") == (not answered)
    assert sum(done.metrics[status] for status in STATUSES) == len(real)


@settings(max_examples=40)
@given(st.lists(st.sampled_from("yn"), max_size=6), st.integers(1, 5))
def test_right_and_wrong_are_treated_alike(votes: list[str], redundancy: int) -> None:
    swapped = ["n" if vote == "y" else "y" for vote in votes]
    one, other = (checked("".join(v), redundancy).run().verdict("t") for v in (votes, swapped))
    opposite = {"confirmed": "refused", "refused": "confirmed"}
    assert other["status"] == opposite.get(one["status"], one["status"])
    assert (other["votes"], other["agreeing"]) == (one["votes"], one["agreeing"])
