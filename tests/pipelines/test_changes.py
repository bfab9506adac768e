"""What changed in a release: questions gained, lost and changed, their answers, and the reason, with exact counts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines import pages
from pipelines.changes import ChangedQuestion, KindCounts, ReleasedQuestion, release_changes
from tests.pipelines import made
from tests.pipelines.qampari import made_build
from tests.pipelines.test_why import REJECTED, reject


def with_rejects(root: Storage, build: BuildManifest, *rows: dict) -> BuildManifest:
    """The build with a stage before its records that names what it dropped."""
    dropped = made.stage("qampari.cleaning", made.table(root, "qampari.cleaning", REJECTED, rows), rejects={"odd": 1})
    return replace(build, stages=[*build.stages[:-1], dropped, build.stages[-1]])


@pytest.fixture
def roots(tmp_path: Path) -> tuple[Storage, Storage]:
    return Storage.at(tmp_path / "a"), Storage.at(tmp_path / "b")


def test_questions_are_lost_for_the_reason_that_the_other_build_names(roots: tuple[Storage, Storage]) -> None:
    first, second = roots
    before = made_build.build(first, questions=4)
    after = with_rejects(second, made_build.build(second, questions=2), reject("P57:Q3", "odd", "detail"))
    found = release_changes(first, before, second, after)
    assert found is not None and not found.equal
    assert [(one.asked.key, one.why) for one in found.lost] == [
        # No reject names it: the stage that made it first has not.
        ("P57:Q2", "qampari.query_filter: does not make it"),
        ("P57:Q3", "qampari.cleaning: odd"),
    ]
    assert (found.gained, found.changed) == ((), ())
    assert found.kinds == (KindCounts("simple", 4, 2, 0, 2, 0, 0, 0),)
    assert found.reasons == {
        "lost": {"qampari.query_filter: does not make it": 1, "qampari.cleaning: odd": 1},
        "gained": {},
    }
    back = release_changes(second, after, first, before)
    assert back is not None
    assert [(one.asked.key, one.why) for one in back.gained] == [(one.asked.key, one.why) for one in found.lost]
    assert back.kinds == (KindCounts("simple", 2, 4, 2, 0, 0, 0, 0),)


def test_answers_are_counted_where_both_builds_have_the_question(roots: tuple[Storage, Storage]) -> None:
    first, second = roots
    found = release_changes(
        first, made_build.build(first, answers=2), second, made_build.build(second, questions=2, answers=4)
    )
    assert found is not None
    assert found.kinds == (KindCounts("simple", 3, 2, 0, 1, 2, 4, 0),)
    pair = found.changed[0]
    assert (pair.what, pair.gained, pair.lost) == (("answers",), ["Film 0.2", "Film 0.3"], [])


def test_nothing_is_told_of_what_has_no_release(roots: tuple[Storage, Storage]) -> None:
    first, second = roots
    whole = made_build.build(first)
    assert release_changes(first, whole, second, replace(whole, stages=whole.stages[:-1])) is None
    assert release_changes(first, whole, second, replace(whole, dataset="wiqa")) is None
    same = release_changes(first, whole, first, whole)
    assert (
        same is not None and same.equal and pages.release_parts(same, 5)[0].rows == (("simple", 3, 3, 0, 0, 0, 0, 0),)
    )


BEFORE = ReleasedQuestion("k", "simple", "train", "Who wrote it?", frozenset({"a", "b"}))


def test_what_differs_of_a_question_is_named() -> None:
    pair = ChangedQuestion(BEFORE, ReleasedQuestion("k", "simple", "dev", "Who has written it?", frozenset({"b", "c"})))
    assert pair.what == ("words", "split", "answers")
    assert (pair.gained, pair.lost) == (["c"], ["a"])
    assert ChangedQuestion(BEFORE, BEFORE).what == ()
