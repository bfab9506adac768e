"""Why something is in a build or is not: read from tables and rejects, with the numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.datasets import Dataset, PaperStep, dataset
from pipelines.why import Drop, Holding, Story, why
from stages.core.contract import TableSpec
from stages.core.rejects import REJECTS_SCHEMA
from tests.pipelines import made
from tests.pipelines.qampari import made_build

TOY = replace(
    dataset("qampari"),
    lineage=None,
    parts=None,
    paper=(PaperStep("5 judging", ("toy.judge",), "things", "judged"),),
)
THINGS = TableSpec(
    "things", pa.schema([("id", pa.string()), ("of", pa.list_(pa.string())), ("size", pa.int64())]), ("id",)
)
JUDGED = TableSpec("judged", THINGS.schema, ("id",))
RECORDS = TableSpec("records", THINGS.schema, ("id",))
FACTS = TableSpec(
    "facts",
    pa.schema([("subject", pa.string()), ("property", pa.string()), ("object", pa.string())]),
    ("subject", "property", "object"),
)
REJECTED = TableSpec("rejects", REJECTS_SCHEMA, ("key", "reason", "detail"))


def thing(name: str, size: int = 1, *of: str) -> dict[str, Any]:
    return {"id": name, "of": list(of), "size": size}


def reject(key: str, reason: str, detail: str = "", count: int = 1) -> dict[str, Any]:
    return {"key": key, "reason": reason, "detail": detail, "count": count}


def built(root: Storage) -> BuildManifest:
    """Things that are read, judged and released; and facts."""

    def stage(name: str, spec: TableSpec, rows: made.Rows, dropped: made.Rows, **changed: Any) -> made.StageManifest:
        tables = [made.table(root, name, spec, rows, 2), made.table(root, name, REJECTED, dropped)]
        counts: dict[str, int] = {}
        for row in dropped:
            counts[row["reason"]] = counts.get(row["reason"], 0) + row["count"]
        return replace(made.stage(name, *tables, rejects=counts), **changed)

    facts = [{"subject": f"Q{n}", "property": "P57", "object": "Q7"} for n in (1, 2)]
    return made.build(
        "qampari",
        stage("toy.read", THINGS, [thing(n, 5) for n in ("a", "b", "c", "d x")], [reject("e", "no_label", "in en")]),
        stage("toy.facts", FACTS, facts, [reject("P57", "no_page", count=3), reject("P19", "no_page", count=40)]),
        stage(
            "toy.judge",
            JUDGED,
            [thing("a", 4, "m", "n"), thing("late", 9)],
            [
                reject("b", "low", "1 of 5"),
                reject("P57", "too_few", count=2),
                reject("late", "double"),
                reject("c 1", "odd"),
            ],
            inputs={"things": "0" * 64, "facts": "0" * 64},
            parameters={"limits": {"least": 3}, "seed": 5, "strict": True},
        ),
        stage("toy.records", RECORDS, [thing("a", 4)], [], inputs={"judged": "0" * 64}),
    )


@pytest.fixture
def root(tmp_path) -> Storage:
    return Storage.at(tmp_path)


def story(root: Storage, asked: str, described: Dataset = TOY) -> Story:
    return why(root, built(root), described, asked)


def test_what_is_released_names_the_table_and_every_table_on_the_way(root: Storage) -> None:
    found = story(root, "a")
    assert found.verdict == "a is in the release: 1 row of records, by toy.records."
    assert found.events == (
        Holding("toy.read", "things", 1, {"size": 5}),
        Holding("toy.judge", "judged", 1, {"size": 4}),
        Holding("toy.records", "records", 1, {"size": 4}),
    )
    assert (found.lost, found.found) == ("", True)


def test_what_was_dropped_names_the_paper_s_step_and_the_reason(root: Storage) -> None:
    found = story(root, "b")
    assert (found.lost, found.verdict) == ("toy.judge", "b was dropped in toy.judge (5 judging): low: 1 of 5.")
    assert found.events[1] == Drop("toy.judge", "b", "low", "1 of 5", 1, own=True)
    assert story(root, "e").verdict == "e was dropped in toy.read: no_label: in en."


def test_what_is_there_after_it_was_dropped_is_told_with_it(root: Storage) -> None:
    # The stage that drops it comes before the table in which it is found: both are told.
    manifest = built(root)
    judge = next(stage for stage in manifest.stages if stage.stage == "toy.judge")
    later = replace(judge, stage="toy.again", tables={"again": replace(judge.tables["judged"], name="again")})
    found = why(root, replace(manifest, stages=[*manifest.stages, later]), TOY, "late")
    assert found.verdict == (
        "late was dropped in toy.judge (5 judging): double; it is still in again (toy.again, 1 row)."
    )


def test_what_no_reject_names_is_lost_by_the_stage_that_read_it_last(root: Storage) -> None:
    found = story(root, "c")
    assert found.lost == "toy.judge"
    # What was dropped of it is told, and does not count as itself.
    assert found.events[-1] == Drop("toy.judge", "c 1", "odd", "", 1, own=False)
    assert found.verdict == (
        "c came as far as things (toy.read, 1 row), and is not in what toy.judge (5 judging) made of it; of all that "
        "it read it dropped: too_few 2, low 1, double 1, odd 1 (with least 3)."
    )


def test_a_query_that_was_never_made_is_told_by_its_statements_and_its_property(root: Storage) -> None:
    found = story(root, "P57:Q7:Q11424")
    assert found.events == (Holding("toy.facts", "facts", 2, {}, own=False),)
    assert (found.what, found.lost) == ("query", "toy.judge")
    assert found.verdict.endswith("of all of P57 it dropped: too_few 2 (with least 3).")
    assert "facts (toy.facts, 2 rows)" in found.verdict


def test_ids_are_typed_as_one_likes(root: Storage) -> None:
    assert story(root, "p57:q7:q11424") == story(root, "P57:Q7:Q11424")
    assert story(root, "q2 p57 q7") == story(root, "Q2 P57 Q7")


def test_a_statement_is_one_row(root: Storage) -> None:
    found = story(root, " Q2 P57 Q7 ")
    assert (found.what, found.events) == ("statement", (Holding("toy.facts", "facts", 1, {}),))
    assert not story(root, "Q2 P57 Q8").found and not story(root, "Q3 P57 Q7").found


def test_it_is_found_in_lists_and_by_the_columns_of_a_key(root: Storage) -> None:
    assert story(root, "n").events == (Holding("toy.judge", "judged", 1, {"size": 4}),)
    assert story(root, "n").lost == "toy.records"
    assert story(root, "d x").events == (Holding("toy.read", "things", 1, {"size": 5}),)
    assert story(root, "Q1 P57 Q7").found


@pytest.mark.parametrize("asked", ["nobody", "", "Q99", "a b c d e f", "P57:Q8", "%s", "'; DROP"])
def test_what_the_build_does_not_know_is_said_so(root: Storage, asked: str) -> None:
    found = story(root, asked)
    assert not found.found and found.lost == ""
    assert found.verdict.startswith(f"No table of this build holds {asked}")


def test_a_question_has_its_whole_way_by_either_of_its_ids(tmp_path) -> None:
    root = Storage.at(tmp_path)
    manifest = made_build.build(root)
    qampari = dataset("qampari")
    by_query = why(root, manifest, qampari, "P57:Q1")
    assert by_query.trail is not None and by_query.what == "question"
    record = by_query.trail.record
    assert by_query.verdict == f"{record} is in the release: dev, simple, 2 answers."
    assert why(root, manifest, qampari, record) == by_query
    tables = [(event.table, event.rows) for event in by_query.events if isinstance(event, Holding)]
    assert tables == [("simple_queries", 1), ("released_questions", 1), ("records", 1), ("sidecar", 2)]


def test_what_a_key_is_made_of_is_told_where_it_is_missing(tmp_path) -> None:
    root = Storage.at(tmp_path)
    manifest = made_build.build(root)
    found = why(root, manifest, dataset("qampari"), "P57:Q1&P57:Q9")
    first, second = found.parts
    assert first.trail is not None and not second.found
    assert found.verdict == (
        "P57:Q1&P57:Q9 was not made, for want of a part of it: No table of this build holds P57:Q9, and no stage "
        "names it among what it dropped."
    )


PARTS: Mapping[str, Mapping[str, list[str]]] = {
    "qampari": {
        "P1:Q1:Q3&P2:Q2": ["P1:Q1:Q3", "P2:Q2"],
        "P1:Q1>P2": ["P1:Q1"],
        "P1:Q1": [],
        "anything": [],
    },
    "musique": {
        "3hop1__sample:1716830d45f3_squad:67f7df774d3c_natural-questions:1beaaf00b382": [
            "sample:1716830d45f3",
            "squad:67f7df774d3c",
            "natural-questions:1beaaf00b382",
        ],
        "sample:1716830d45f3": [],
    },
}


@pytest.mark.parametrize("name", PARTS)
def test_what_keys_are_made_of(name: str) -> None:
    parts = dataset(name).parts
    assert parts is not None
    assert {key: list(parts(key)) for key in PARTS[name]} == PARTS[name]
