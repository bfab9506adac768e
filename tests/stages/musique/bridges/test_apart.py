from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.musique.bridges.apart import answered_in_head
from stages.musique.single_hops.forms import bare, form
from stages.musique.single_hops.tables import SINGLE_HOPS


def hop(name: str, text: str, answer: str, *aliases: str) -> dict[str, object]:
    row: dict[str, object] = {field.name: 0 for field in SINGLE_HOPS.schema}
    texts = ("given_id", "source", "question", "subject", "relation", "title", "paragraph")
    return (
        row
        | dict.fromkeys(texts, "")
        | {"hop": name, "text": text, "answer": answer, "answer_aliases": list(aliases), "relational": False}
    )


def shown(text: str, answer: str, *aliases: str) -> bool:
    hops = SINGLE_HOPS.table([hop("s:1", text, "x"), hop("s:2", "y", answer, *aliases)])
    (found,) = answered_in_head(pa.table({"head": ["s:1"], "tail": ["s:2"]}), hops)
    return found


@pytest.mark.parametrize(
    ("text", "answer", "aliases", "found"),
    [
        ("Ex lies on the Mersey .", "Mersey", (), True),
        ("Ex lies on the Mersey .", "the River Mersey", (), False),
        ("Ex lies on the Mersey .", "the River Mersey", ("the Mersey",), True),
        ("Ex lies in Merseyside .", "Mersey", (), False),
        # The words count, not how they are written, ...
        ("It is the SENATE .", "The Senate", (), True),
        # ... but for names as short as words are.
        ("Few of us were there .", "United States", ("US",), False),
        ("Few of the US were there .", "United States", ("US",), True),
        ("Few of the US were there .", "the US", (), True),
        ("It has 2 , not 20 .", "2", (), True),
        ("It has 20 .", "2", (), False),
        # What has no words is nowhere.
        ("It has 20 % .", "%", (), False),
    ],
)
def test_answers_that_a_paragraph_holds(text: str, answer: str, aliases: tuple[str, ...], found: bool) -> None:
    assert shown(text, answer, *aliases) is found


NAMES = st.lists(st.sampled_from(["Rome", "rome", "Oslo", "The Oslo", "%", "Rome Oslo"]), min_size=1, max_size=4)


@given(NAMES, NAMES)
def test_an_answer_is_shown_where_the_words_of_one_spelling_are(text: list[str], names: list[str]) -> None:
    whole = " ".join(text)
    expected = any(bare(form(name)) != " " and bare(form(name)) in form(whole) for name in names)
    # Of names of four letters and more, case tells nothing.
    assert shown(whole, *names) is expected
