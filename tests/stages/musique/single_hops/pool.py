"""Hops made by hand, for tests of the stages that take SINGLE_HOPS."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from stages.musique.single_hops.hop_filter import FilterParams, filter_hops
from stages.musique.single_hops.stated import SingleHopParams, Stated, row
from stages.musique.single_hops.tables import READ_HOPS

FILL = "These words say nothing at all and are here so that every text of these tests has at least twenty of them ."


def stated(question: str, answer: str, text: str, title: str = "", **more: Any) -> Stated:
    """A hop of the data set "test"; the text is made long enough."""
    return Stated("test", more.get("given_id"), question, [answer], title, f"{text} {FILL}", more.get("start"))


def single_hops(*hops: Stated) -> pa.Table:
    """SINGLE_HOPS of all of them; fails where one is refused."""
    read = READ_HOPS.table([row(hop, SingleHopParams()) for hop in hops])
    output = filter_hops(read, params=FilterParams())
    assert output.rejects.num_rows == 0, output.rejects.to_pylist()
    return output.tables["single_hops"]


def by_question(hops: pa.Table) -> dict[str, str]:
    """Hop ids by question."""
    return dict(zip(hops["question"].to_pylist(), hops["hop"].to_pylist(), strict=True))
