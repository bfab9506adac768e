"""The closure of P279 below some targets, on hand-made graphs, random ones and real data."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.contract import StageError, Whole
from stages.facts.relations.templates import load_relations
from stages.wikidata.classes import CLASS_ANCESTORS, CLASS_SORTS, ClassParams, classes, stage
from stages.wikidata.parse import ParseParams, parse
from stages.wikidata.rows import SUBCLASSES
from stages.wikidata.sorts import Sorts
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
    built = stage(("Q5", "Q1", "Q5"), {"Q5": ("person",)})
    assert (built.name, built.inputs, built.shape) == ("wikidata.classes", ("subclasses",), Whole())
    assert built.bound["params"] == ClassParams(("Q1", "Q5"), {"Q5": ("person",)})
    assert built.kernel is not None
    assert built.kernel(SUBCLASSES.empty()).tables["class_ancestors"].num_rows == 2
    with pytest.raises(StageError, match="Q0"):
        stage(("Q0",), {})


# City below settlement, and community below organization: both edges are Wikidata's, and the second is the false one.
CITY, SETTLEMENT, COMMUNITY, ORGANIZATION, PLACE = "Q515", "Q486972", "Q177634", "Q43229", "Q27096213"
CITIES = [
    (CITY, SETTLEMENT),
    (SETTLEMENT, PLACE),
    (CITY, COMMUNITY),
    (COMMUNITY, ORGANIZATION),
    ("Q1549591", CITY),  # big city
    ("Q484170", CITY),  # commune of France, which is an organization by another way, too
    ("Q484170", "Q15911314"),
    ("Q15911314", COMMUNITY),
]
SORTS = {SETTLEMENT: ("place/area",), PLACE: ("place",), ORGANIZATION: ("organisation",)}


def sorted_run(edges: Edges, sorts: Sorts, *targets: str) -> tuple[set[tuple[str, str]], set[tuple[str, str, int]]]:
    table = SUBCLASSES.table([{"child": child, "parent": parent} for child, parent in edges])
    tables = classes(table, params=ClassParams(targets, sorts)).tables
    assert tables["class_sorts"].schema == CLASS_SORTS.schema
    pairs, kinds = ([tuple(row.values()) for row in tables[name].to_pylist()] for name in tables)
    assert len(set(kinds)) == len(kinds)
    return set(pairs), set(kinds)


def test_no_class_is_reached_through_one_of_another_sort() -> None:
    pairs, kinds = sorted_run(CITIES, SORTS, SETTLEMENT, ORGANIZATION, PLACE)
    assert pairs == {
        *((qid, SETTLEMENT) for qid in (SETTLEMENT, CITY, "Q1549591", "Q484170")),
        *((qid, PLACE) for qid in (PLACE, SETTLEMENT, CITY, "Q1549591", "Q484170")),
        # The commune is a step further from settlement than from nothing else: two steps, and three to organization.
        *((qid, ORGANIZATION) for qid in (ORGANIZATION, COMMUNITY, "Q15911314")),
    }
    assert kinds == {
        (SETTLEMENT, "place/area", 0),
        (PLACE, "place", 0),
        (ORGANIZATION, "organisation", 0),
        (CITY, "place/area", 1),
        (COMMUNITY, "organisation", 1),
        ("Q1549591", "place/area", 2),
        ("Q484170", "place/area", 2),
        ("Q15911314", "organisation", 2),
    }


def test_two_sorts_at_one_distance_are_both_right() -> None:
    # A museum is a building and an institution.
    edges = [("Q33506", "Q41176"), ("Q33506", ORGANIZATION), ("Q207694", "Q33506")]
    sorts = {"Q41176": ("place/structure",), ORGANIZATION: ("organisation",)}
    pairs, kinds = sorted_run(edges, sorts, "Q41176", ORGANIZATION)
    assert {("Q207694", "Q41176"), ("Q207694", ORGANIZATION)} <= pairs
    assert {("Q207694", "place/structure", 2), ("Q207694", "organisation", 2)} <= kinds


def test_a_class_that_says_its_sorts_is_of_no_other() -> None:
    # A record label is a trade name, a trade name a logo, a logo a work; a business it is besides, and nearer.
    label, business, work = "Q18127", "Q4830453", "Q17537576"
    edges = [(label, "Q1417728"), ("Q1417728", "Q1886349"), ("Q1886349", work), (label, business)]
    pairs, _ = sorted_run(edges, {business: ("organisation/business",), work: ("work",)}, work, business)
    assert {pair for pair in pairs if pair[0] == label} == {(label, business)}


def test_a_target_without_a_sort_is_reached_from_everywhere_and_unknown_classes_keep_their_sort() -> None:
    pairs, kinds = sorted_run(CITIES, {**SORTS, "Q5": ("person",)}, ORGANIZATION, COMMUNITY)
    assert {(qid, COMMUNITY) for qid in (CITY, "Q1549591", "Q484170")} <= pairs
    assert ("Q5", "person", 0) in kinds


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


@pytest.mark.slow
def test_real_kinds(shared_data: Path) -> None:
    source = WikidataDump((str(shared_data / "wikidata/entities.json.gz"),))
    tables = [
        parse(table, params=ParseParams(properties=("P279",))).tables["subclasses"]
        for part in source.parts()
        for table in source.read(part)
    ]
    relations = load_relations()
    params = ClassParams(relations.target_classes, relations.sorts)
    pairs = {
        tuple(row.values())
        for row in classes(pa.concat_tables(tables), params=params).tables["class_ancestors"].to_pylist()
    }
    company, work, settlement, building = "Q783794", "Q17537576", "Q486972", "Q41176"
    # Overseas department, record label, city, sports club, genre: what each is, and what a long way makes of it.
    assert not pairs & {("Q202216", company), ("Q18127", work), ("Q515", "Q43229"), ("Q188451", work)}
    assert not pairs & {("Q476028", "Q163740"), ("Q476028", "Q4830453"), ("Q33506", "Q163740"), ("Q5", "Q2424752")}
    assert {("Q515", settlement), ("Q11424", work), ("Q33506", "Q33506"), ("Q3918", "Q5341295")} <= pairs
    assert {("Q46970", company), ("Q476028", "Q847017"), ("Q11303", building), ("Q1107656", "Q27096213")} <= pairs
