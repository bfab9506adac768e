"""Whatever strangers write, a reader reads it or refuses it in the way that it says; it never fails."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tools.readers import READERS

# Of all readers together.
MANY = 100_000


def texts(name: str) -> st.SearchStrategy[str]:
    """Pieces that mean something to a reader, some often, and characters of any kind."""
    pieces = st.sampled_from(READERS[name].pieces)
    often = st.builds(lambda piece, times: piece * times, pieces, st.integers(1, 200))
    return st.lists(st.one_of(pieces, often, st.text(max_size=8)), max_size=24).map("".join)


@pytest.mark.parametrize("name", READERS)
@given(data=st.data())
def test_a_reader_never_fails(name: str, data: st.DataObject) -> None:
    READERS[name].read(data.draw(texts(name)))


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
@settings(max_examples=MANY // len(READERS) + 1, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_reader_never_fails_in_a_hundred_thousand_texts(name: str, data: st.DataObject) -> None:
    READERS[name].read(data.draw(texts(name)))
