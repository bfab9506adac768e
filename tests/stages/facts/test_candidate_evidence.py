from __future__ import annotations

import random
from typing import Any

import pyarrow as pa
import pytest

from stages.core.contract import StageError
from stages.facts.candidate_evidence import CandidateParams, candidates
from stages.facts.evidence_requests import REQUESTS
from stages.facts.longer_names import load_words
from stages.facts.nli_pairs import pair_id

SENTENCES = pa.schema(
    [
        ("title", pa.string()),
        ("qid", pa.string()),
        ("index", pa.int32()),
        ("passage", pa.int32()),
        ("text", pa.string()),
    ]
)
GOONIES = [
    "The Goonies is a 1985 film.",
    "It was a success.",
    "Critics liked it.",
    "Steven Spielberg wrote the story, and Spielberg's friend Richard Donner directed.",
    "Donner died in 2021.",
]


def sentences(*pages: tuple[str, str | None, list[str]]) -> pa.Table:
    rows = [
        {"title": title, "qid": qid, "index": i, "passage": i // 3, "text": text}
        for title, qid, texts in pages
        for i, text in enumerate(texts)
    ]
    return pa.Table.from_pylist(rows, schema=SENTENCES)


def request(page: str, side: str, surfaces: list[str], subject: str = "Q1", object_: str = "Q2") -> dict[str, Any]:
    return {
        "page": page,
        "subject": subject,
        "property": "P58",
        "object": object_,
        "unit": "",
        "object_kind": "item",
        "side": side,
        "surfaces": surfaces,
        "subject_label": "The Goonies",
        "object_label": "Steven Spielberg",
        "hypotheses": ["Steven Spielberg wrote The Goonies."],
    }


def test_premise_surface_and_place() -> None:
    wanted = REQUESTS.table([request("Q1", "subject", ["Steven Spielberg", "Spielberg"])])
    output = candidates(wanted, sentences(("The Goonies", "Q1", GOONIES)), params=CandidateParams())
    (row,) = output.tables["candidates"].to_pylist()
    assert row["premise"] == " ".join(GOONIES[1:4])
    assert (row["sentence"], row["index"], row["passage"]) == (GOONIES[3], 3, 1)
    assert row["surface"] == "Steven Spielberg"
    (read,) = output.tables["readings"].to_pylist()
    assert read["pair"] == pair_id("Steven Spielberg wrote The Goonies.", row["premise"])
    assert output.rejects.num_rows == 0


def test_window_and_limit() -> None:
    wanted = REQUESTS.table([request("Q1", "subject", ["Richard Donner", "Donner"])])
    page = sentences(("The Goonies", "Q1", GOONIES))
    output = candidates(wanted, page, params=CandidateParams(window=0))
    rows = output.tables["candidates"].sort_by("index").to_pylist()
    assert [(row["surface"], row["premise"]) for row in rows] == [
        ("Richard Donner", GOONIES[3]),
        ("Donner", GOONIES[4]),
    ]
    limited = candidates(wanted, page, params=CandidateParams(window=0, most=1))
    assert limited.tables["candidates"]["index"].to_pylist() == [3]
    assert limited.rejects.to_pylist() == [
        {"key": "Q1 P58 Q2", "reason": "over_limit", "detail": "subject", "count": 1}
    ]
    with pytest.raises(StageError, match="window is at least 0"):
        CandidateParams(window=-1)


def test_rejects_and_pages_without_entity() -> None:
    wanted = REQUESTS.table([request("Q1", "subject", ["Chris Columbus"]), request("Q2", "object", ["The Goonies"])])
    page = sentences(("The Goonies", "Q1", GOONIES), ("Chris Columbus", None, ["Chris Columbus wrote The Goonies."]))
    output = candidates(wanted, page, params=CandidateParams())
    assert output.tables["candidates"].num_rows == 0
    assert {(row["key"], row["reason"], row["detail"]) for row in output.rejects.to_pylist()} == {
        ("Q1 P58 Q2", "no_mention", "subject"),
        ("Q1 P58 Q2", "no_page", "object"),
    }


def test_what_is_no_mention_and_other_names_in_hypotheses() -> None:
    page = sentences(
        ("The Goonies", "Q1", ["In North America it was a hit.", "It is a cult horror movie.", "It came to America."])
    )
    wanted = REQUESTS.table(
        [
            request("Q1", "subject", ["United States", "America", "in"]) | {"object_label": "United States"},
            request("Q1", "subject", ["horror film", "horror movie"], object_="Q3") | {"object_label": "horror film"},
        ]
    )
    output = candidates(
        wanted,
        page,
        params=CandidateParams(window=0),
        words=load_words(),
        state=lambda _, subject, object_: [f"{subject} is of {object_}."],
    )
    rows = output.tables["candidates"].sort_by("index").to_pylist()
    assert [(row["surface"], row["index"], row["hypotheses"]) for row in rows] == [
        ("horror movie", 1, ["The Goonies is of horror film.", "The Goonies is of horror movie."]),
        ("America", 2, ["The Goonies is of United States."]),
    ]
    assert output.tables["readings"].num_rows == output.metrics["readings"] == 3


def test_in_the_page_s_own_name_only_its_kind_is_mentioned() -> None:
    page = sentences(("Greece", "Q1", ["The Kingdom of Greece was a state.", "It was a kingdom in Greece."]))
    wanted = REQUESTS.table(
        [
            request("Q1", "subject", ["kingdom"]) | {"subject_label": "Kingdom of Greece", "object_label": "kingdom"},
            request("Q1", "subject", ["Greece"], object_="Q3")
            | {"subject_label": "Kingdom of Greece", "object_label": "Greece"},
        ]
    )
    output = candidates(wanted, page, params=CandidateParams(), words=load_words())
    rows = output.tables["candidates"].to_pylist()
    assert sorted((row["object"], row["index"]) for row in rows) == [("Q2", 0), ("Q2", 1), ("Q3", 1)]


def test_input_order_changes_nothing() -> None:
    page = sentences(("The Goonies", "Q1", GOONIES), ("Donner", "Q3", ["He made The Goonies.", "Goonies, again."]))
    wanted = REQUESTS.table(
        [
            request("Q1", "subject", ["Steven Spielberg"]),
            request("Q1", "subject", ["Richard Donner", "Donner"], object_="Q3"),
            request("Q3", "object", ["The Goonies", "Goonies"], object_="Q3"),
        ]
    )
    expected = candidates(wanted, page, params=CandidateParams()).tables["candidates"]
    assert expected.num_rows == 5
    for seed in range(5):
        rows = random.Random(seed)
        shuffled = candidates(
            wanted.take(rows.sample(range(wanted.num_rows), wanted.num_rows)),
            page.take(rows.sample(range(page.num_rows), page.num_rows)),
            params=CandidateParams(),
        ).tables["candidates"]
        keys = [(name, "ascending") for name in ("object", "page", "index")]
        assert shuffled.sort_by(keys).equals(expected.sort_by(keys))
