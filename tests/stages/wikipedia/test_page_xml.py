"""Pages cut out of XML and parsed, bad ones among good ones."""

from __future__ import annotations

import io

import pytest

from stages.io.compression import TruncatedInput
from stages.wikipedia.page_xml import PageCutter, PageSlice, parse_page

END = b"</mediawiki>"


class Bytes:
    """A reader of bytes in steps, of which `own` belong to the part."""

    def __init__(self, data: bytes, own: int | None = None, step: int = 7, fault: Exception | None = None) -> None:
        self._file, self.own, self._step, self._fault = io.BytesIO(data), own, step, fault

    def read(self, _size: int) -> bytes:
        data = self._file.read(self._step)
        if not data and self._fault is not None:
            raise self._fault
        return data


def page(title: str, text: str = "text", extra: str = "") -> bytes:
    return (
        f"<page><title>{title}</title><ns>0</ns><id>5</id>{extra}"
        f"<revision><id>9</id><model>wikitext</model><text>{text}</text></revision></page>"
    ).encode()


def titles(reader: Bytes, max_bytes: int = 1000) -> list[tuple[str | None, str | None]]:
    rows = [parse_page(found) for found in PageCutter(reader, max_bytes)]
    return [(row.get("title"), (row.get("error") or "").partition(":")[0] or None) for row in rows]


def test_fields_of_a_page() -> None:
    row = parse_page(PageSlice(page("A &amp; B", "x &lt;b&gt;", '<redirect title="C" />')))
    assert row == {
        "title": "A & B",
        "page_id": 5,
        "namespace": 0,
        "redirect": "C",
        "text": "x <b>",
        "markup": True,
        "revision": "9",
        "date": None,
    }


def test_the_last_revision_counts_and_other_namespaces_carry_no_text() -> None:
    two = b"<page><title>A</title><revision><text>old</text></revision><revision><text>new</text></revision></page>"
    assert parse_page(PageSlice(two))["text"] == "new"
    newest_first = two.replace(b"<text>old", b"<timestamp>2020-02-03T00:00:00Z</timestamp><text>old").replace(
        b"<text>new", b"<timestamp>2019-12-31T00:00:00Z</timestamp><text>new"
    )
    assert parse_page(PageSlice(newest_first))["text"] == "old"
    other = b"<page><title>Talk:A</title><ns>1</ns><revision><text>long</text></revision></page>"
    assert (parse_page(PageSlice(other))["namespace"], parse_page(PageSlice(other))["text"]) == (1, "")


@pytest.mark.parametrize("number", ["--5", "99999999999", "1" * 5000, "six"])
def test_a_number_that_fits_no_column_is_not_known(number: str) -> None:
    row = parse_page(PageSlice(f"<page><title>A</title><ns>{number}</ns><id>{number * 2}</id></page>".encode()))
    assert (row["namespace"], row["page_id"], row.get("error")) == (None, None, None)


def test_elements_may_be_nested_without_end() -> None:
    """Naming each element by its whole path would take minutes here."""
    row = parse_page(PageSlice(b"<page><title>A</title>" + b"<a>" * 100_000 + b"</a>" * 100_000 + b"</page>"))
    assert row["title"] == "A"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (page("A", "&bomb;"), "malformed_xml"),
        (page("A", "<!DOCTYPE x>"), "malformed_xml"),
        (page("A").replace(b"text</text>", b"te\xff\xfext</text>"), "malformed_xml"),
        (page("A").replace(b"</revision>", b""), "malformed_xml"),
        (page(""), "no_title"),
        (page("A").replace(b"wikitext", b"json"), "other_model"),
    ],
)
def test_a_bad_page_is_one_error_row(data: bytes, reason: str) -> None:
    assert parse_page(PageSlice(data))["error"].startswith(f"{reason}: ")
    rows = titles(Bytes(page("Before") + data + page("After") + END))
    assert rows == [("Before", None), (None if reason == "no_title" else "A", reason), ("After", None)]


@pytest.mark.parametrize("step", [1, 7, 10_000])
def test_pages_are_found_whatever_the_steps(step: int) -> None:
    data = b"<mediawiki>" + page("A") + b"\n  " + page("B") + END
    assert titles(Bytes(data, step=step)) == [("A", None), ("B", None)]


@pytest.mark.parametrize("own", range(0, 300, 11))
def test_two_parts_give_each_page_once(own: int) -> None:
    data = page("A") + page("B") + END
    assert titles(Bytes(data, own)) + titles(Bytes(data[own:])) == [("A", None), ("B", None)]


def test_an_oversized_page_is_left_out_and_the_next_one_read() -> None:
    data = page("A") + page("Big", "x" * 5000) + page("B") + END
    assert titles(Bytes(data)) == [("A", None), ("Big", "oversized_page"), ("B", None)]
    assert titles(Bytes(data, step=100_000)) == [("A", None), ("Big", "oversized_page"), ("B", None)]


def test_a_page_without_end_stops_the_reading() -> None:
    data = page("A") + b"<page><title>Bomb</title>" + b"x" * 100_000
    assert titles(Bytes(data, step=500)) == [("A", None), ("Bomb", "oversized_page"), (None, "rest_unread")]


def test_a_page_that_is_never_closed_does_not_swallow_the_next() -> None:
    data = page("A").removesuffix(b"</page>") + page("B") + END
    assert titles(Bytes(data)) == [("A", "unclosed_page"), ("B", None)]


@pytest.mark.parametrize(
    ("data", "fault", "last"),
    [
        (page("A"), None, (None, "truncated_input")),
        (page("A") + page("B")[:-20], None, ("B", "truncated_input")),
        (page("A") + b"<pa", TruncatedInput("cut"), (None, "truncated_input")),
    ],
)
def test_a_file_that_ends_early_says_so(data: bytes, fault: Exception | None, last: tuple[str | None, str]) -> None:
    assert titles(Bytes(data, fault=fault)) == [("A", None), last]


def test_a_file_that_ends_right_behind_a_page_says_so_in_its_last_part_only() -> None:
    data = page("A") + page("B")
    first = len(page("A"))
    assert titles(Bytes(data, own=len(data))) == [("A", None), ("B", None), (None, "truncated_input")]
    assert titles(Bytes(data, own=first)) == [("A", None)]
    assert titles(Bytes(data[first:], own=len(data) - first)) == [("B", None), (None, "truncated_input")]
    assert titles(Bytes(data + END, own=len(data + END))) == [("A", None), ("B", None)]
