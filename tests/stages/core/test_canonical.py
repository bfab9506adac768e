"""The canonical form of what is bound to a kernel."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.canonical import PLACE, NoCanonicalFormError, canonical, readable


class Colour(IntEnum):
    RED = 1


class Pair(NamedTuple):
    first: int
    second: int


class Struct(msgspec.Struct):
    name: str


@dataclass(frozen=True)
class Params:
    least: int = 5
    words: tuple[str, ...] = ("a",)
    place: str = field(default="here", metadata=PLACE)


@dataclass(frozen=True)
class Other:
    least: int = 5
    words: tuple[str, ...] = ("a",)


@dataclass(frozen=True)
class Model:
    identity: str
    device: str = "cpu"

    def load(self) -> None: ...


@dataclass(frozen=True)
class Panel:
    """Says whose readers they are, and more that counts."""

    identity: str
    folds: int = 5


def kernel(table: pa.Table, *, params: Params) -> None: ...


def another(table: pa.Table, *, params: Params) -> None: ...


def made(bound: Any) -> Any:
    return lambda table: bound


DIFFERENT = [
    None, True, 1, 1.0, "1", b"1", (1,), [1], {1}, {"1": 1}, {1: 1}, Colour.RED, Pair(1, 2), Struct("1"),
    Params(), Params(6), Other(), Model("a"), Model("b"), Panel("a"), Panel("a", 6), kernel, another, Params,
    re.compile("a"), re.compile("a", re.I),
    partial(kernel, params=Params()), partial(kernel, params=Params(6)), partial(another, params=Params()),
    pa.schema([("a", pa.int64())]), pa.schema([pa.field("a", pa.int64(), nullable=False)]), pa.int64(),
    pa.table({"a": [1]}), pa.table({"a": [2]}), made(1), made(2), float("nan"), float("inf"),
    {"a": 1, "b": 2}, {"b": 2, "a": 1},
]  # fmt: skip


def test_values_that_differ_have_forms_that_differ() -> None:
    assert len({canonical(value).digest for value in DIFFERENT}) == len(DIFFERENT)


def test_values_made_twice_have_one_form() -> None:
    again = [
        (frozenset(["c", "a", "b"]), frozenset(["b", "c", "a"])),
        (partial(kernel, params=Params()), partial(kernel, params=Params(5, ("a",)))),
        (made(1), made(1)),
        ({"a": {1, 2}}, {"a": {2, 1}}),
        (Model("a"), Model("a", "cuda")),
        (Params(place="here"), Params(place="there")),
    ]
    for one, two in again:
        assert canonical(one) == canonical(two)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


@given(plain, plain)
def test_forms_are_equal_just_where_the_values_are(one: Any, two: Any) -> None:
    assert (canonical(one) == canonical(two)) == (repr(one) == repr(two))


def test_a_part_that_occurs_twice_is_told_once_and_counts_twice() -> None:
    shared = Params()
    assert canonical((shared, shared)) == canonical((Params(), Params()))
    assert canonical((shared, shared)) != canonical((shared, replace(shared, least=6)))


def test_the_modules_of_functions_and_classes_are_told() -> None:
    assert canonical(partial(kernel, params=Params())).modules == {__name__}
    assert canonical({"size": 3}).modules == frozenset()


def test_what_has_no_form_is_an_error_that_names_it() -> None:
    class Inner:
        pass

    for value, named in ((Path("x"), "Path"), (object(), "object"), (Inner, "Inner"), (iter(()), "iterator")):
        with pytest.raises(NoCanonicalFormError, match=named):
            canonical({"bound": (value,)})
    with pytest.raises(NoCanonicalFormError, match="object"):
        canonical(made(object()))


def test_a_manifest_shows_fields_and_short_values_and_digests_of_long_ones() -> None:
    assert readable("params", Params(7, ("x", "y"))) == {"params.least": 7, "params.words": ["x", "y"]}
    assert readable("typed", {"P1": ("Q2",)}) == {"typed": {"P1": ["Q2"]}}
    assert readable("kinds", frozenset("ba")) == {"kinds": ["a", "b"]}
    assert readable("limit", None) == {"limit": None}
    assert readable("model", Model("a")) == {"model": f"sha256 {canonical(Model('a')).digest}"}
    long = list(range(100))
    assert readable("long", long) == {"long": f"sha256 {canonical(long).digest}"}
