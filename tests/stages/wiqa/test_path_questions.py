from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.core.rejects import Rejects
from stages.core.texts import form
from stages.wiqa.graph import NODES, PAIRS, label
from stages.wiqa.graph_files import InfluenceGraphParams, raw_graph
from stages.wiqa.influence_graphs import GRAPHS
from stages.wiqa.path_questions import questions
from stages.wiqa.release.records import stem
from tests.stages.wiqa.world import brute_questions, digest, full, graph_row, many, table

AFFECTS = st.sampled_from(["more", "less", "neither"])


def asked(*rows: dict[str, Any]) -> list[dict[str, Any]]:
    return questions(table(rows)).tables["path_questions"].to_pylist()


def reasons(*rows: dict[str, Any]) -> list[tuple[str, str]]:
    return sorted((row["reason"], row["key"]) for row in questions(table(rows)).rejects.to_pylist())


@pytest.mark.parametrize("affects", ["more", "less"])
def test_a_full_graph_asks_41_pairs_of_text_over_21_pairs_of_nodes(affects: str) -> None:
    found = asked(graph_row(y_affects=affects))
    assert len(found) == 41
    assert {(row["source_node"], row["target_node"]) for row in found} == set(PAIRS)
    assert {row["label"] for row in found} == {"more", "less"}
    assert all(row["label"] == label(row["source_node"], row["target_node"], affects) for row in found)


def test_without_an_effect_on_the_outcome_the_outcome_is_not_asked_about() -> None:
    found = asked(graph_row(y_affects="neither"))
    assert {row["target_node"] for row in found} == {"X", "Y", "W"}
    # ZX 2, VX 2, XY 1, UY 2, XW 2, ZY 2, ZW 4, VY 2, VW 4
    assert len(found) == 21


@settings(deadline=None, max_examples=60)
@given(st.sets(st.sampled_from([node for node in NODES if node != "X"])), AFFECTS, st.integers(1, 3))
def test_questions_are_those_of_a_walk_along_the_edges(missing: set[str], affects: str, groundings: int) -> None:
    row = graph_row(y_affects=affects, **(full(groundings=groundings) | {node: [] for node in missing}))
    found = asked(row)
    assert {(r["change"], r["effect"], r["hops"], r["label"]) for r in found} == brute_questions(row)
    assert len({(r["change"], r["effect"]) for r in found}) == len(found)
    for r in found:
        assert (len(r["path"]) - 1, r["path"][0], r["path"][-1]) == (r["hops"], r["source_node"], r["target_node"])
        assert not missing & set(r["path"])


@settings(deadline=None, max_examples=30)
@given(st.randoms(use_true_random=False))
def test_neither_the_order_of_graphs_nor_their_batches_matter(chance: random.Random) -> None:
    rows = many(topics=2)
    whole = questions(table(rows)).tables["path_questions"]
    shuffled = chance.sample(rows, len(rows))
    assert digest(whole, "question") == digest(questions(table(shuffled)).tables["path_questions"], "question")
    first = [row for row in rows if row["para_id"] in ("p0", "p3")]
    apart = asked(*first) + asked(*[row for row in rows if row not in first])
    assert sorted(apart, key=lambda r: r["question"]) == sorted(whole.to_pylist(), key=lambda r: r["question"])


def test_a_question_keeps_its_id_whatever_its_graph_lacks() -> None:
    ids = {(r["change"], r["effect"]): r["question"] for r in asked(graph_row())}
    fewer = asked(graph_row(V=[], U=[]))
    assert all(r["question"] == ids[r["change"], r["effect"]] for r in fewer)
    assert ids["z 1 1 1", "w 1 1 1"] == "influence_graph:1:1:10#3"


def test_a_pair_whose_first_path_is_missing_is_asked_by_the_other() -> None:
    [found] = [r for r in asked(graph_row(Y=[], U=[])) if (r["source_node"], r["target_node"]) == ("X", "A")]
    assert (found["path"], found["label"], found["question"]) == (["X", "W", "A"], "more", "influence_graph:1:1:17#0")


def test_one_text_twice_in_a_paragraph_is_asked_once_by_the_shorter_path() -> None:
    # Both V (three edges) and U (two) join "frost" to the outcomes and to Y.
    row = graph_row(V=["frost"], U=["Frost."])
    found = [r for r in asked(row) if form(r["change"]) == "frost"]
    assert {(r["target_node"], r["hops"]) for r in found} == {("X", 1), ("W", 2), ("Y", 1), ("A", 2), ("D", 2)}
    assert [reason for reason, _ in reasons(row)] == ["duplicate_text"] * 3


def test_the_same_text_in_another_graph_of_the_paragraph_is_a_duplicate_and_elsewhere_is_not() -> None:
    twin = graph_row(graph="2", **full("1 1"))
    assert len(asked(graph_row(), twin)) == 41
    assert [reason for reason, _ in reasons(graph_row(), twin)] == ["duplicate_text"] * 41
    assert all(key.startswith("influence_graph:1:2:") for _, key in reasons(graph_row(), twin))
    assert len(asked(graph_row(), twin | {"para_id": "2"})) == 82


def test_contradicting_answers_within_a_paragraph_drop_both_questions() -> None:
    first = graph_row(Z=["more rain"], X=["wet soil"])
    second = graph_row(graph="2", V=["More rain"], X=["wet soil"])
    gone = [key for reason, key in reasons(first, second) if reason == "contradictory"]
    assert gone == ["influence_graph:1:1:0#0", "influence_graph:1:2:1#0"]
    assert not [r for r in asked(first, second) if (form(r["change"]), r["effect"]) == ("more rain", "wet soil")]


def test_a_change_is_never_asked_to_affect_itself() -> None:
    found = reasons(graph_row(Z=["more rain"], Y=["More rain"]))
    # Z's way to the outcomes repeats that of Y.
    assert [(reason, key[-4:]) for reason, key in found] == [
        ("duplicate_text", "19#0"),
        ("duplicate_text", "20#0"),
        ("same_text", ":9#0"),
    ]


def test_no_graphs_give_no_questions() -> None:
    output = questions(table([]))
    assert output.tables["path_questions"].num_rows == output.tables["path_strata"].num_rows == 0


def test_strata_count_the_questions() -> None:
    strata = questions(table([graph_row()])).tables["path_strata"].to_pylist()
    assert sum(row["questions"] for row in strata) == 41
    exogenous = {(r["label"], r["hops"]): r["questions"] for r in strata if r["question_type"] == "EXOGENOUS_EFFECT"}
    # Z->X 2, Z->Y 2, V->W 4, Z->A 2 and V->D 2 against V->X 2, V->Y 2, Z->W 4, Z->D 2 and V->A 2.
    assert exogenous == {(name, hops): n for name in ("more", "less") for hops, n in ((1, 2), (2, 6), (3, 4))}


@pytest.fixture(scope="module")
def real(shared_data: Path) -> dict[str, Any]:
    return json.loads((shared_data / "wiqa" / "real_graphs_and_questions.json").read_text(encoding="utf-8"))


def test_real_graphs_yield_the_real_questions(real: dict[str, Any]) -> None:
    rows = []
    for record in real["graphs"]:
        rejects = Rejects()
        raw = raw_graph(record, InfluenceGraphParams(), rejects, "key")
        assert rejects.table().num_rows == 0
        rows.append(raw | {"topic": "a topic"})
    assert [len(asked(row)) for row in rows] == [41, 29]
    found = {}
    for r in asked(*rows):
        found[r["para_id"], r["graph_id"], form(stem(r["change"], r["effect"]))] = r
    checked = 0
    for question in real["questions"]:
        made = found.get((question["para_id"], question["graph_id"], form(question["stem"])))
        if made is not None:
            checked += 1
            assert made["label"] == question["answer_label"]
            assert made["question_type"] == question["question_type"]
            assert len(made["path"]) == question["path_len"]
    assert checked == 2


def test_real_questions_without_their_graphs_follow_the_sign_rules(real: dict[str, Any]) -> None:
    others = [question for question in real["questions"] if question["question_type"] is None]
    assert len(others) == 3
    for question in others:
        pair = (question["src_node"], question["tgt_node"])
        found = {
            (r["label"], len(r["path"])) for r in asked(graph_row()) if (r["source_node"], r["target_node"]) == pair
        }
        assert found == {(question["answer_label"], question["path_len"])}


def test_rows_fit_their_tables() -> None:
    assert table([graph_row()]).schema == GRAPHS.schema
