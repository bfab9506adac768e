from __future__ import annotations

import hashlib

from stages.musique.single_hops.hop_filter import paragraphs
from stages.musique.single_hops.stated import SingleHopParams, row
from stages.musique.single_hops.tables import GOLD_PARAGRAPHS, READ_HOPS, SINGLE_HOPS
from tests.stages.musique.single_hops.pool import FILL, single_hops, stated

IMAGINE = stated("Imagine >> performer", "John Lennon", "Imagine is by John Lennon .", "Imagine", given_id="a_1")
WHO = stated("Who sang Imagine?", "Lennon", "Imagine is by John Lennon .", "Imagine")


def test_the_same_question_of_two_files_meets_in_one_bucket() -> None:
    one, two = (row(stated("Who?", "Rome", "In Rome .", given_id=name), SingleHopParams()) for name in "ab")
    assert READ_HOPS.bucket_columns == ("content",)
    assert one["content"] == two["content"]
    # Records from outside may repeat a key, which is no reason to end a build.
    assert READ_HOPS.on_duplicate == "reject"
    assert [[found[name] for name in READ_HOPS.key] for found in (one, two)] == [
        [one["content"], "test", "a"],
        [one["content"], "test", "b"],
    ]


def test_a_hop_has_the_columns_that_its_table_promises() -> None:
    text = f"Imagine is by John Lennon . {FILL}"
    hops = {found["question"]: found for found in single_hops(IMAGINE, WHO).to_pylist()}
    relational, asked = hops["Imagine >> performer"], hops["Who sang Imagine?"]
    words = f" {' '.join(text.lower().replace(' .', '').split())} "
    content = hashlib.sha256(f" imagine performer \x1f john lennon \x1f{words}".encode()).hexdigest()[:12]
    assert relational == {
        "hop": f"test:{content}",
        "given_id": "a_1",
        "source": "test",
        "question": "Imagine >> performer",
        "relational": True,
        "subject": "Imagine",
        "relation": "performer",
        "answer": "John Lennon",
        "answer_aliases": [],
        "answer_start": 14,
        "title": "Imagine",
        "paragraph": hashlib.sha256(f" imagine \x1f{words}".encode()).hexdigest()[:16],
        "text": text,
        # Six of the sentence, 23 of what fills it up.
        "words": 29,
        "tokens": 2,
    }
    assert (asked["relational"], asked["subject"], asked["relation"]) == (False, None, None)
    assert (asked["answer_start"], asked["tokens"]) == (19, 3)


def test_ids_can_be_joined_and_taken_apart_again() -> None:
    ids = single_hops(IMAGINE, WHO)["hop"].to_pylist()
    assert "_".join(ids).split("_") == ids
    assert SINGLE_HOPS.key == ("hop",)


def test_a_paragraph_of_two_hops_is_one_row() -> None:
    hops = single_hops(IMAGINE, WHO)
    found = paragraphs(hops).tables["gold_paragraphs"]
    assert found.schema == GOLD_PARAGRAPHS.schema
    assert found.to_pylist() == [
        {"paragraph": hops["paragraph"][0].as_py(), "title": "Imagine", "text": f"Imagine is by John Lennon . {FILL}"}
    ]
