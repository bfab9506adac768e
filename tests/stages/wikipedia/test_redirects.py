"""Stage wikipedia.redirects against a walk by hand."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.wikipedia.pages import REDIRECTS
from stages.wikipedia.redirects import RedirectsParams, resolve_redirects


def run(redirects: dict[str, str], max_hops: int = 4) -> tuple[dict[str, str], dict[str, str]]:
    rows = [{"source": source, "target": target} for source, target in redirects.items()]
    table = pa.Table.from_pylist(rows, schema=REDIRECTS.schema)
    output = resolve_redirects(table, params=RedirectsParams(max_hops=max_hops))
    targets = {row["source"]: row["target"] for row in output.tables["redirect_targets"].to_pylist()}
    return targets, {row["key"]: row["reason"] for row in output.rejects.to_pylist()}


def test_chains_are_followed_to_their_end() -> None:
    assert run({"A": "B", "B": "C", "X": "C"}) == ({"A": "C", "B": "C", "X": "C"}, {})
    assert run({}) == ({}, {})


def test_loops_and_what_leads_into_them() -> None:
    targets, rejects = run({"A": "B", "B": "A", "C": "A", "S": "S", "X": "Y"})
    assert targets == {"X": "Y"}
    assert rejects == dict.fromkeys("ABCS", "redirect_loop")


def test_a_chain_over_the_limit() -> None:
    chain = {f"T{number}": f"T{number + 1}" for number in range(6)}
    targets, rejects = run(chain, max_hops=4)
    assert rejects == {"T0": "chain_too_long", "T1": "chain_too_long"}
    assert set(targets.values()) == {"T6"}


def walk(redirects: dict[str, str], source: str) -> tuple[str, int] | None:
    seen, at = [source], source
    while at in redirects:
        at = redirects[at]
        if at in seen:
            return None
        seen.append(at)
    return at, len(seen) - 1


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from("ABCDEFGH"), st.sampled_from("ABCDEFGHXY")), st.integers(1, 4))
def test_as_a_walk_does(redirects: dict[str, str], max_hops: int) -> None:
    targets, rejects = run(redirects, max_hops)
    for source in redirects:
        end = walk(redirects, source)
        if end is None:
            assert rejects[source] == "redirect_loop"
        elif end[1] > max_hops:
            assert rejects[source] == "chain_too_long"
        else:
            assert targets[source] == end[0]
    assert len(targets) + len(rejects) == len(redirects)
