"""Addresses of pages and items."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.release.format import read_release
from stages.release.urls import WIKIPEDIA, item_url, page_url


@pytest.mark.parametrize(
    ("title", "path"),
    [
        ("Jaws (film)", "Jaws_(film)"),
        ("AC/DC", "AC/DC"),
        ("Asimov's Science Fiction", "Asimov%27s_Science_Fiction"),
        ("Brăila Bridge", "Br%C4%83ila_Bridge"),
        ("Who's Afraid of Virginia Woolf?", "Who%27s_Afraid_of_Virginia_Woolf%3F"),
        ("Notepad++", "Notepad%2B%2B"),
        ("Help!", "Help!"),
        ("100% Wolf", "100%25_Wolf"),
        ("AT&T", "AT%26T"),
        ("Blue–Gray Football Classic", "Blue%E2%80%93Gray_Football_Classic"),
        ("2001: A Space Odyssey", "2001:_A_Space_Odyssey"),
    ],
)
def test_addresses_as_the_site_writes_them(title: str, path: str) -> None:
    assert page_url(title) == WIKIPEDIA + path


def test_items_without_a_page() -> None:
    assert item_url(None, "Q42") == "https://www.wikidata.org/wiki/Q42"
    assert item_url("Jaws (film)", "Q189505") == "https://en.wikipedia.org/wiki/Jaws_(film)"


def test_released_addresses_are_the_same_once_decoded(shared_data: Path) -> None:
    records = read_release(shared_data / "qampari" / "released_format_dev_tables.jsonl")
    urls = {answer.answer_url for record in records for answer in record.answer_list}
    urls |= {proof.found_in_url for record in records for answer in record.answer_list for proof in answer.proof}
    assert len(urls) > 1900
    for url in urls:
        title = url.removeprefix(WIKIPEDIA).replace("_", " ")
        assert unquote(page_url(title)) == url
        assert page_url(title).isascii()


@given(st.text(min_size=1))
def test_any_title_gives_an_ascii_address(title: str) -> None:
    url = page_url(title)
    assert url.isascii()
    assert unquote(url) == WIKIPEDIA + title.replace(" ", "_")
