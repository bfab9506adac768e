"""The closure of P279 below some targets, on hand-made graphs, random ones and real data."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.contract import StageError, Whole
from stages.wikidata.classes import CLASS_ANCESTORS, ClassParams, classes, stage
from stages.wikidata.parse import ParseParams, parse
from stages.wikidata.rows import SUBCLASSES
from stages.wikidata.source import WikidataDump

Edges = list[tuple[str, str]]


def run(edges: Edges, *targets: str) -> tuple[set[tuple[str, str]], list[tuple[str, str]]]:
    table = SUBCLASSES.table([{"child": child, "parent": parent} for child, parent in edges])
    output = classes(table, params=ClassParams(targets))
    pairs = [tuple(row.values()) for row in output.tables["class_ancestors"].to_pylist()]
    assert len(set(pairs)) == len(pairs)
    assert output.tables["class_ancestors"].schema == CLASS_ANCESTORS.schema
    return set(pairs), [(row["key"], row["detail"]) for row in output.rejects.to_pylist()]


def test_chain_and_diamond() -> None:
    # 4 below 2 and 3, both below 1; 5 below 4; 9 apart.
    edges = [("Q2", "Q1"), ("Q3", "Q1"), ("Q4", "Q2"), ("Q4", "Q3"), ("Q5", "Q4"), ("Q9", "Q8")]
    assert run(edges, "Q1", "Q4") == (
        {("Q1", "Q1"), ("Q2", "Q1"), ("Q3", "Q1"), ("Q4", "Q1"), ("Q5", "Q1"), ("Q4", "Q4"), ("Q5", "Q4")},
        [],
    )


def test_targets_are_their_own_ancestors_even_where_unknown() -> None:
    assert run([("Q2", "Q1")], "Q7") == ({("Q7", "Q7")}, [])
    assert run([], "Q7") == ({("Q7", "Q7")}, [])
    assert run([("Q2", "Q1")]) == (set(), [])


def test_repeated_edges_count_once() -> None:
    assert run([("Q2", "Q1"), ("Q2", "Q1")], "Q1") == ({("Q1", "Q1"), ("Q2", "Q1")}, [])


def test_a_cycle_ends_and_is_told_once() -> None:
    # 1 < 2 < 3 < 1, with 4 below it and 5 above.
    edges = [("Q1", "Q2"), ("Q2", "Q3"), ("Q3", "Q1"), ("Q4", "Q1"), ("Q3", "Q5")]
    pairs, rejects = run(edges, "Q2", "Q5")
    assert pairs == {(f"Q{number}", "Q2") for number in (1, 2, 3, 4)} | {
        (f"Q{number}", "Q5") for number in (1, 2, 3, 4, 5)
    }
    assert rejects == [("Q3", "below Q1, which lies below it")]


def test_a_class_below_itself() -> None:
    assert run([("Q1", "Q1")], "Q1") == ({("Q1", "Q1")}, [("Q1", "below Q1, which lies below it")])


def test_ids_are_ordered_as_numbers() -> None:
    _, rejects = run([("Q10", "Q9"), ("Q9", "Q10")])
    assert rejects == [("Q10", "below Q9, which lies below it")]


def closure(edges: Edges, target: str) -> set[str]:
    below = {target}
    while more := {child for child, parent in edges if parent in below} - below:
        below |= more
    return below


nodes = st.integers(1, 12).map("Q{}".format)
graphs = st.lists(st.tuples(nodes, nodes), max_size=30)


@given(graphs, st.sets(nodes, max_size=4), st.randoms(use_true_random=False))
def test_any_graph(edges: Edges, targets: set[str], shuffle: object) -> None:
    pairs, rejects = run(edges, *sorted(targets))
    assert pairs == {(name, target) for target in targets for name in closure(edges, target)}
    shuffled = shuffle.sample(edges, len(edges))  # type: ignore[attr-defined]
    assert run(shuffled, *sorted(targets, reverse=True)) == (pairs, rejects)


@given(graphs)
def test_without_the_told_edges_there_is_no_cycle(edges: Edges) -> None:
    _, rejects = run(edges)
    told = {(key, detail.split()[1].rstrip(",")) for key, detail in rejects}
    assert told <= set(edges)
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for child, parent in set(edges) - told:
        sorter.add(child, parent)
    sorter.prepare()
    if not told:
        return
    whole: TopologicalSorter[str] = TopologicalSorter()
    for child, parent in edges:
        whole.add(child, parent)
    with pytest.raises(CycleError):
        whole.prepare()


def test_a_long_chain_and_a_long_cycle() -> None:
    chain = [(f"Q{number + 1}", f"Q{number}") for number in range(1, 20_000)]
    pairs, rejects = run(chain, "Q1", "Q19999")
    assert (len(pairs), rejects) == (20_000 + 2, [])
    pairs, rejects = run([*chain, ("Q1", "Q20000")], "Q777")
    assert (len(pairs), len(rejects)) == (20_000, 1)


def test_stage() -> None:
    built = stage(("Q5", "Q1", "Q5"))
    assert (built.name, built.inputs, built.shape) == ("wikidata.classes", ("subclasses",), Whole())
    assert built.bound["params"] == ClassParams(("Q1", "Q5"))
    assert built.kernel is not None
    assert built.kernel(SUBCLASSES.empty()).tables["class_ancestors"].num_rows == 2
    with pytest.raises(StageError, match="Q0"):
        stage(("Q0",))


@pytest.mark.slow
def test_real_classes(shared_data: Path) -> None:
    source = WikidataDump((str(shared_data / "wikidata/entities.json.gz"),))
    tables = [
        parse(table, params=ParseParams(properties=("P279",))).tables["subclasses"]
        for part in source.parts()
        for table in source.read(part)
    ]
    edges = [tuple(row.values()) for row in pa.concat_tables(tables).to_pylist()]
    pairs, _ = run(edges, "Q11424", "Q56061")
    # Film and administrative territorial entity, against the closure by the definition.
    assert pairs == {(name, target) for target in ("Q11424", "Q56061") for name in closure(edges, target)}
    assert len(pairs) > 20
