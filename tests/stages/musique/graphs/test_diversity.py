"""How much alike questions are: by hand, and that the selection keeps to its shares."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.musique.graphs.candidate_graphs import candidates
from stages.musique.graphs.diversity import diversity, pattern, traits
from stages.musique.graphs.graph_selection import select
from stages.musique.graphs.params import ReasoningGraphParams
from stages.musique.graphs.tables import CANDIDATE_GRAPHS, COMPOSED_HOPS
from stages.musique.spellings.answer_forms import forms
from tests.stages.musique.graphs.world import World, bridge, hop, random_world

FIRST, LAST = hop("s:1", "Who wrote Emma?", "Jane", "p1"), hop("s:2", "Jane >> country", "U.S.", "p2")
LAST |= {"relation": "country", "answer_aliases": ["USA"]}


def test_traits_by_hand() -> None:
    assert pattern(FIRST) == "who wrote"
    assert traits({"entities": ["jane"]}, [FIRST, LAST]) == {
        ("last_hop", "s:2"),
        ("template", ("who wrote", "country")),
        ("entity", "jane"),
        ("answer", "us"),
        ("answer", "u s"),
        ("answer", "usa"),
        ("page", " p1 "),
        ("page", " p2 "),
    }


def test_metrics_by_hand() -> None:
    told = diversity([("2hop", {("last_hop", "a"), ("entity", "x")}), ("2hop", {("last_hop", "b"), ("entity", "x")})])
    assert {name: value for name, value in told.items() if value and name.startswith("2hop")} == {
        "2hop_last_hops": 2,
        "2hop_commonest_last_hop": 0.5,
        "2hop_entities": 1,
        "2hop_commonest_entity": 1,
    }
    assert told["4hop3_commonest_answer"] == 0


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.1, 0.25]), st.integers(1, 3))
def test_no_shape_has_more_of_one_kind_than_its_share(seed: int, share: float, floor: int) -> None:
    world = random_world(seed, 14)
    params = ReasoningGraphParams(max_share=share, share_floor=floor, oversample=2, fan=2)
    graphs = candidates(*world.tables(), params=params).tables[CANDIDATE_GRAPHS.name]
    output = select(graphs, world.tables()[1], params=params)
    patterns = Counter(
        shape
        for shape, _ in {
            (row["shape"], tuple(world.hops[name]["question"].split()[1].lower() for name in row["hops"]))
            for row in graphs.to_pylist()
        }
    )
    rows = output.tables[COMPOSED_HOPS.name].to_pylist()
    for shape in {row["shape"] for row in rows}:
        part = [row for row in rows if row["shape"] == shape]
        bound = max(floor, share * len(part))
        last = Counter(row["hops"][-1] for row in part)
        entities = Counter(entity for row in part for entity in set(row["entities"]))
        answers = Counter(
            form
            for row in part
            for form in {f for text in (row["answer"], *row["answer_aliases"]) for f in forms(text)}
        )
        starts = Counter(
            tuple(world.hops[name]["question"].split()[:2][1].lower() for name in row["hops"]) for row in part
        )
        assert max(last.values()) <= bound
        assert max(entities.values()) <= bound
        assert max(answers.values()) <= bound
        assert max(starts.values()) <= bound or 0 < share * patterns[shape] < 1
        assert output.metrics[f"{shape}_last_hops"] == len(last)
        assert output.metrics[f"{shape}_commonest_entity"] == max(entities.values()) / len(part)
        assert output.metrics[f"{shape}_commonest_last_hop"] == max(last.values()) / len(part)


def film(number: int, town: str) -> list[dict[str, Any]]:
    """Two hops of which all have one template."""
    return [
        hop(f"a:{number:02}", f"F{number} >> director", f"Dan{number}", f"p{number}") | {"relation": "director"},
        hop(f"b:{number:02}", f"Dan{number} >> place of birth", town, f"q{number}") | {"relation": "place of birth"},
    ]


@pytest.mark.parametrize(("share", "taken"), [(0.05, 30), (1.0, 30), (0.0, 3)])
def test_templates_are_free_where_too_few_could_keep_their_share(share: float, taken: int) -> None:
    pairs = [film(number, f"Town{number}") for number in range(30)]
    rows = {row["hop"]: row for pair in pairs for row in pair}
    world = World(rows, {(first["hop"], last["hop"]): bridge(first, last, 0) for first, last in pairs})
    params = ReasoningGraphParams(max_share=share)
    graphs = candidates(*world.tables(), params=params).tables[CANDIDATE_GRAPHS.name]
    output = select(graphs, world.tables()[1], params=params)
    assert output.tables[COMPOSED_HOPS.name].num_rows == taken
    details = [(row["reason"], row["detail"]) for row in output.rejects.to_pylist()]
    assert details == ([("over_share_of_shape", "max_share 0.0, share_floor 3")] if taken < 30 else [])


def test_params_are_checked() -> None:
    with pytest.raises(StageError, match="max_share: expected a share from 0 to 1, got 2"):
        ReasoningGraphParams(max_share=2)
    with pytest.raises(StageError, match="share_floor: expected 1 or more, got 0"):
        ReasoningGraphParams(share_floor=0)
