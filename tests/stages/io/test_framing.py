"""Records are found in any layout of the JSON around them."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.io import framing
from stages.io.compression import TruncatedInput
from stages.io.framing import MAX_VALUES, Piece, layout, read_document, too_many_values, unframe

LIMIT = 1000


def reader(data: bytes, step: int = 1 << 20) -> Callable[[int], bytes]:
    """Reads `step` bytes at a time, whatever is asked for."""
    chunks = iter([data[at : at + step] for at in range(0, len(data), step)])
    return lambda _: next(chunks, b"")


def records(data: bytes, step: int = 1 << 20, limit: int = LIMIT) -> list[bytes | str | None]:
    return [piece.error or piece.data for piece in read_document(reader(data, step), limit)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'{"id":1}', b'{"id":1}'),
        (b'{"id":1},', b'{"id":1}'),
        (b'{"id":1},\r', b'{"id":1}'),
        (b'  ,{"id":1}', b'{"id":1}'),
        (b'[{"id":1},', b'{"id":1}'),
        (b'{"id":1}]', b'{"id":1}'),
        (b'\xef\xbb\xbf[{"id":1}', b'{"id":1}'),
        (b'[{"id":1},{"id":2}]', b'[{"id":1},{"id":2}]'),
        (b"[", b""),
        (b"]", b""),
        (b"[]", b""),
        (b" , ", b""),
        (b"", b""),
        (b"rubbish", b"rubbish"),
    ],
)
def test_unframe(line: bytes, expected: bytes) -> None:
    assert unframe(line) == expected


@pytest.mark.parametrize(
    "data",
    [
        b'[\n{"id":"Q1","labels":{}},\n{"id":"Q2","labels":{}}\n]\n',
        b'{"id":"Q1","claims":[]}\n{"id":"Q2"}\n',
        b'[{"id":"Q1","claims":{}},\n{"id":"Q2"}]',
        b'{"id":"Q1"}',
        b'{"entities":{}}',
        b'[\n{broken\n{"id":"Q1","labels":{}}\n]',
        b"rubbish",
        b"",
        b"[\n]\n",
    ],
)
def test_line_layouts(data: bytes) -> None:
    assert layout(reader(data), LIMIT)[0]


@pytest.mark.parametrize(
    "data",
    [
        b'[{"id":"Q1"},{"id":"Q2"}]',
        b'[\n  {\n    "id": "Q1",\n    "labels": {}\n  }\n]',
        b'{\n  "id": "Q1"\n}\n',
        b'{"entities":{\n"Q1":{"id":"Q1"},\n"Q2":{"id":"Q2"}}}',
        b"[" + b'{"id":"Q1","labels":{}},' * 200,
    ],
)
def test_document_layouts(data: bytes) -> None:
    assert not layout(reader(data), LIMIT)[0]


def test_a_fault_while_looking_is_left_to_the_reading() -> None:
    def read(_: int) -> bytes:
        raise TruncatedInput("cut")

    assert layout(read, LIMIT) == (True, False)


@pytest.mark.parametrize("step", [1, 2, 7, 1 << 20])
@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'[{"a":1},{"b":[{}]}]', [b'{"a":1}', b'{"b":[{}]}']),
        (b' {"a":1}\n{"b":2} ', [b'{"a":1}', b'{"b":2}']),
        (b'[{"a":"}{]["},{"b":"\\"}"}]', [b'{"a":"}{]["}', b'{"b":"\\"}"}']),
        (b'{"s":1,"entities":{"Q1":{"a":1}}}', [b'{"entities":{"Q1":{"a":1}}}']),
        (
            b'{"entities":{"Q1":{"a":1},"Q2":{}},"normalized":{"n":{"x":1}}}[{"c":1}]',
            [b'{"entities":{"Q1":{"a":1}}}', b'{"entities":{"Q2":{}}}', b'{"c":1}'],
        ),
        (b'{"entities":[]}', [b'{"entities":[]}']),
        (b'{"x":{"entities":{"Q1":{}}}}', [b'{"x":{"entities":{"Q1":{}}}}']),
        (b'[[{"a":1}]]', [b'[{"a":1}]']),
        (b"[][ ]", []),
        (b"", []),
        (b'\xef\xbb\xbf[{"a":1}]', [b'{"a":1}']),
        (b'[null,{"a":1},5]', ["bad_framing: not a record | null", b'{"a":1}']),
        (b'["x{",{"a":1}]', ['bad_framing: not a record | "x{"', b'{"a":1}']),
        (b'[{"a":1}]]', [b'{"a":1}', "bad_framing: not a record | ]"]),
        (b'[{"a":1},{"b":', [b'{"a":1}', 'truncated_input: the file ends inside a value | {"b":']),
        (b'[{"a":1},{"b":"x', [b'{"a":1}', 'truncated_input: the file ends inside a value | {"b":"x']),
        (b"<html>", ["bad_framing: not a record | <html>"]),
    ],
)
def test_documents(data: bytes, expected: list[bytes | str], step: int) -> None:
    assert records(data, step) == expected


@pytest.mark.parametrize("step", [1, 50, 100_000])
def test_oversized_records_do_not_stop_the_others(step: int) -> None:
    long_string = b'{"a":"' + b"x" * 5000 + b'\\"}"}'
    long_list = b'{"a":[' + b"1," * 2500 + b"1]}"
    data = b'[{"i":1},' + long_string + b',{"i":2},' + long_list + b',{"i":3}]'
    assert records(data, step) == [
        b'{"i":1}',
        f"oversized_record: {len(long_string)} bytes, the limit is {LIMIT}",
        b'{"i":2}',
        f"oversized_record: {len(long_list)} bytes, the limit is {LIMIT}",
        b'{"i":3}',
    ]


def test_a_fault_ends_the_document() -> None:
    chunks = iter([b'[{"i":1},{"i"'])

    def read(_: int) -> bytes:
        for chunk in chunks:
            return chunk
        raise TruncatedInput("cut short")

    assert list(read_document(read, LIMIT)) == [Piece(b'{"i":1}'), Piece(None, "truncated_input: cut short")]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(st.text().filter(lambda key: key != "entities"), json_values, max_size=4)


@given(st.lists(objects, max_size=5), st.integers(1, 40), st.sampled_from([None, 1]), st.booleans())
def test_any_array_splits_into_its_objects(
    values: list[dict[str, object]], step: int, indent: int | None, ascii_only: bool
) -> None:
    data = json.dumps(values, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    found = records(data, step, limit=1 << 20)
    assert [json.loads(record) for record in found if isinstance(record, bytes)] == values


@given(st.binary(max_size=200), st.integers(1, 40))
def test_any_bytes_end_without_a_crash(data: bytes, step: int) -> None:
    for piece in read_document(reader(data, step), LIMIT):
        assert (piece.data is None) != (piece.error is None)
    layout(reader(data, step), LIMIT)
    unframe(data)


def test_a_long_text_in_small_pieces_is_not_looked_through_again_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes that the scanner is given or still holds, summed over all pieces: as many as the text times a constant."""
    seen = 0
    feed = framing._Scanner.feed

    def counted(self: framing._Scanner, data: bytes) -> Iterator[Piece]:
        nonlocal seen
        seen += self.held + len(data)
        return feed(self, data)

    monkeypatch.setattr(framing._Scanner, "feed", counted)
    monkeypatch.setattr(framing, "READ_STEP", 1000)
    sums = []
    for size in (100_000, 400_000):
        seen, text = 0, b'[\n{"claims": "' + b"x" * size + b'"}\n]'
        found = [*read_document(reader(text, 100), 10**9)]
        assert [len(piece.data or b"") for piece in found] == [size + 14]
        sums.append(seen)
    assert sums[1] < 5 * sums[0]


def test_a_record_of_more_values_than_memory_holds_is_a_reject() -> None:
    text = b'{"claims":[' + b"{}," * (MAX_VALUES + 1) + b"{}]}"
    fault = f"oversized_record: {MAX_VALUES + 1} commas, the limit is {MAX_VALUES}"
    pieces = iter([text, b""])
    assert [*read_document(lambda _: next(pieces), 1 << 30)] == [Piece(None, fault)]
    assert too_many_values(text) == fault and too_many_values(text.replace(b"{},", b"", 1)) == ""


def test_millions_of_blank_lines_are_no_lines_to_hold() -> None:
    pieces = iter([b"[" + b"\n" * 3_000_000, b'{"id":"Q1","labels":{}}\n]', b""])
    tracemalloc.start()
    assert layout(lambda _: next(pieces), 1 << 30) == (True, True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000
