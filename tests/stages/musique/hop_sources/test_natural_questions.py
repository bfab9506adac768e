from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.texts import Refused
from stages.io.detect import HOPS, kind_of
from stages.musique.hop_sources import natural_questions
from stages.musique.single_hops.stated import Stated
from tests.stages.musique.single_hops.files import read, write

TOKENS = "<H1> Ada Lovelace </H1> <P> Ada was born in <B> London </B> . </P> <Ul> x </Ul>"
NQ: dict[str, Any] = {
    "example_id": 797803103760793766,
    "question_text": "where was ada born",
    "document_text": TOKENS,
    "document_url": "https://en.wikipedia.org//w/index.php?title=Ada_Lovelace&amp;oldid=1",
    "annotations": [
        {
            "long_answer": {"start_token": 4, "end_token": 14, "candidate_index": 0},
            "short_answers": [{"start_token": 10, "end_token": 11}],
            "yes_no_answer": "NONE",
        }
    ],
}


def test_natural_questions(tmp_path: Path) -> None:
    path = write(tmp_path / "nq.jsonl", NQ)
    found, reasons = read(path)
    assert reasons == {}
    assert found[0] | {"content": ""} == {
        "content": "",
        "source": "natural-questions",
        "given_id": "797803103760793766",
        "question": "where was ada born",
        "answer": "London",
        "answer_aliases": [],
        "title": "Ada Lovelace",
        "text": "Ada was born in London .",
        "answer_start": 16,
    }
    assert kind_of(str(path)) == HOPS


def test_a_natural_question_is_known_though_its_page_is_long(tmp_path: Path) -> None:
    path = write(
        tmp_path / "nq.jsonl", {"document_text": "x " * 100_000, **{k: v for k, v in NQ.items() if k[0] != "d"}}
    )
    assert kind_of(str(path)) == HOPS


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"document_text": 7}, "bad_document"),
        ({"annotations": {}}, "bad_annotation"),
        ({"annotations": ["x"]}, "bad_annotation"),
        ({"annotations": []}, "unanswerable"),
        ({"annotations": [NQ["annotations"][0] | {"short_answers": []}]}, "unanswerable"),
        ({"annotations": [NQ["annotations"][0] | {"short_answers": [], "yes_no_answer": "YES"}]}, "yes_no"),
        (
            {"annotations": [NQ["annotations"][0] | {"long_answer": {"start_token": -1, "end_token": -1}}]},
            "unanswerable",
        ),
        (
            {"annotations": [NQ["annotations"][0] | {"long_answer": {"start_token": "4", "end_token": 14}}]},
            "bad_annotation",
        ),
        (
            {"annotations": [NQ["annotations"][0] | {"long_answer": {"start_token": 4, "end_token": 99}}]},
            "bad_annotation",
        ),
        (
            {"annotations": [NQ["annotations"][0] | {"long_answer": {"start_token": 4, "end_token": 9}}]},
            "bad_annotation",
        ),
        (
            {
                "annotations": [
                    {
                        "long_answer": {"start_token": 14, "end_token": 17},
                        "short_answers": [{"start_token": 15, "end_token": 16}],
                    }
                ]
            },
            "not_a_paragraph",
        ),
        ({"question_text": None}, "no_question"),
    ],
)
def test_bad_natural_questions(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    assert read(write(tmp_path / "nq.jsonl", NQ | change)) == ([], {reason: 1})


SHORT = NQ["annotations"][0]


def test_annotators_who_chose_the_same_paragraph_give_further_spellings(tmp_path: Path) -> None:
    # The tokens 4 to 14 are the paragraph: 5 is "Ada", 9 to 12 are "<B> London </B>".
    wider = SHORT | {"short_answers": [{"start_token": 8, "end_token": 12}, {"start_token": 5, "end_token": 6}]}
    elsewhere = {
        "long_answer": {"start_token": 0, "end_token": 4},
        "short_answers": [{"start_token": 1, "end_token": 2}],
    }
    silent = SHORT | {"short_answers": []}
    found, reasons = read(write(tmp_path / "nq.jsonl", NQ | {"annotations": [silent, SHORT, wider, elsewhere]}))
    assert reasons == {}
    assert [(row["answer"], row["answer_aliases"], row["answer_start"]) for row in found] == [
        ("London", ["in London"], 16)
    ]


def test_an_answer_may_begin_its_paragraph(tmp_path: Path) -> None:
    first = SHORT | {"short_answers": [{"start_token": 5, "end_token": 6}]}
    found, _ = read(write(tmp_path / "nq.jsonl", NQ | {"annotations": [first]}))
    assert [(row["answer"], row["answer_start"]) for row in found] == [("Ada", 0)]


@pytest.mark.parametrize(
    ("fields", "title"),
    [
        ({"document_title": "Ada", "document_url": "https://en.wikipedia.org/wiki/Other"}, "Ada"),
        ({"document_url": "https://en.wikipedia.org/wiki/Ada_Lovelace"}, "Ada_Lovelace"),
        ({"document_url": "https://en.wikipedia.org/wiki/AC/DC"}, "AC/DC"),
        ({"document_url": "https://en.wikipedia.org/wiki/Beyonc%C3%A9"}, "Beyonc%C3%A9"),
        ({"document_url": "https://en.wikipedia.org/w/index.php?title=Q%26A&oldid=1"}, "Q&A"),
        # An address that names no page, or is none: the page's own beginning tells.
        ({"document_url": "https://en.wikipedia.org/w/index.php?curid=5"}, "Ada L."),
        ({"document_url": "https://[bad"}, "Ada L."),
        ({"document_url": 7, "document_title": 7}, "Ada L."),
    ],
)
def test_titles(fields: dict[str, Any], title: str) -> None:
    spans = {"long_answer": {"start_token": 4, "end_token": 8}, "short_answers": [{"start_token": 5, "end_token": 6}]}
    record = {"document_text": "Ada L. - Wikipedia <P> Ada wrote </P>", "annotations": [spans], **fields}
    (found,) = natural_questions.read(record)
    assert isinstance(found, Stated)
    assert (found.title, found.answers, found.text) == (title, ["Ada"], "Ada wrote")


def test_a_page_without_a_title_has_none() -> None:
    record = {"document_text": TOKENS, "annotations": [SHORT]}
    (found,) = natural_questions.read(record)
    assert isinstance(found, Stated) and found.title == ""


SPANS = st.fixed_dictionaries(
    {name: st.one_of(st.integers(-2, 20), st.booleans(), st.none()) for name in ("start_token", "end_token")}
)
ANNOTATIONS = st.fixed_dictionaries(
    {"long_answer": st.one_of(SPANS, st.none()), "short_answers": st.one_of(st.lists(SPANS, max_size=2), st.none())}
)


@given(st.lists(st.one_of(ANNOTATIONS, st.none()), max_size=3))
def test_any_spans_give_an_answer_inside_its_paragraph_or_a_reason(annotations: list[Any]) -> None:
    (found,) = natural_questions.read(NQ | {"annotations": annotations})
    if isinstance(found, Refused):
        assert found.reason in {"bad_annotation", "unanswerable", "not_a_paragraph"}
    else:
        assert isinstance(found.text, str) and isinstance(found.start, int)
        assert found.text[found.start :].startswith(str(found.answers[0]))
