"""What changed between two builds, and the step that decided."""

from __future__ import annotations

from pathlib import Path

from manifests.manifest import REJECTS, BuildManifest
from manifests.storage import Storage
from pipelines.lineage import Quote, Trail, TrailStep
from pipelines.report.differences import ADDED, CHANGED, LOST, DroppedAt, counted, differences, told, with_decisions
from stages.core.contract import TableSpec
from stages.core.rejects import REJECTS_SCHEMA
from tests.pipelines import made
from tests.pipelines.test_lineage import WORDS

_REJECTS = TableSpec(name=REJECTS, schema=REJECTS_SCHEMA, key=("key", "reason", "detail"))


def trail(key: str, *answers: str, split: str = "dev") -> Trail:
    quotes = tuple(Quote("text", of=answer, facts=(("statement", f"S {answer}"),)) for answer in answers)
    return Trail(key, key, f"{key}?", answers, split, "kind", (), False, (TrailStep("step", (), quotes=quotes),))


def test_questions_and_answers_are_gained_lost_and_changed() -> None:
    before = {key: told(trail(key, "a", "b")) for key in ("same", "gone", "other")}
    after = {key: told(trail(key, "a", "b")) for key in ("same", "new")}
    after["other"] = told(trail("other", "b", "c", split="test"))
    found = {record.key: record for record in differences(before, after)}
    assert list(found) == ["gone", "new", "other"]
    assert (found["gone"].status, found["gone"].lost) == (LOST, ("a", "b"))
    assert (found["new"].status, found["new"].gained) == (ADDED, ("a", "b"))
    other = found["other"]
    assert (other.status, other.gained, other.lost) == (CHANGED, ("c",), ("a",))
    assert other.changes == (("split", "dev", "test"),)
    assert counted(found.values()) == {
        "added": 1,
        "lost": 1,
        "changed": 1,
        "answers gained": 1,
        "answers lost": 1,
    }


def test_the_stage_that_dropped_it_is_told_or_the_last_one_that_had_it(tmp_path: Path) -> None:
    def build(name: str, *keys: str, dropped: tuple[str, ...] = ()) -> tuple[Storage, BuildManifest]:
        root = Storage.at(tmp_path / name)
        words = made.table(root, "toy", WORDS, [{"word": key, "place": 0, "of": "x"} for key in keys])
        rows = [{"key": key, "reason": "too_few", "detail": "4", "count": 1} for key in dropped]
        rejects = made.table(root, "b", _REJECTS, rows)
        return root, made.build("toy", made.stage("toy.a", words), made.stage("toy.b", rejects))

    before = {key: told(trail(key, "a", "b")) for key in ("cut", "faded", "absent", "shorter")}
    after = {"shorter": told(trail("shorter", "b")), "new": told(trail("new", "a"))}
    later = build("later", "faded", dropped=("cut", "S a"))
    earlier = build("earlier", "other", dropped=("new",))
    changed = with_decisions(differences(before, after), (*earlier, before), (*later, after))
    found = {record.key: dict(record.decided) for record in changed}
    assert found["cut"] == {"the question": DroppedAt("toy.b", "too_few", "4")}
    assert found["new"] == {"the question": DroppedAt("toy.b", "too_few", "4")}
    assert found["faded"] == {"the question": DroppedAt("toy.a", "", "the last stage that has it")}
    assert found["absent"] == {"the question": DroppedAt("", "", "it is in no table: its inputs are not there")}
    assert found["shorter"] == {"a": DroppedAt("toy.b", "too_few", "4")}
