from __future__ import annotations

import hashlib

from stages.models.readers.interface import MASK
from stages.musique.bridges.tables import BRIDGE_ANSWERS, BRIDGES, KNOWN_NAMES, MENTIONS, PAIRS, TAG_REQUESTS, TAGS
from stages.musique.single_hops.forms import Words
from tests.stages.musique.bridges.world import TYPES, build
from tests.stages.musique.single_hops.pool import by_question, single_hops, stated

HOPS = single_hops(
    stated("Imagine >> performer", "John Lennon", "Imagine is by John Lennon .", "Imagine"),
    stated("Who is its singer?", "John Lennon", "It is sung by John Lennon .", "Song"),
    stated("Where was John Lennon born?", "Liverpool", "John Lennon was born in Liverpool .", "John Lennon"),
    stated("John Lennon >> spouse", "Yoko Ono", "John Lennon married Yoko Ono .", "John Lennon"),
)


def test_pairs_are_bridges_whose_identity_is_not_yet_checked() -> None:
    assert (PAIRS.schema, PAIRS.key) == (BRIDGES.schema, ("head", "tail"))
    assert PAIRS.name != BRIDGES.name


def test_rows_have_the_columns_and_keys_that_their_tables_promise() -> None:
    built = build(HOPS, TYPES)
    for spec in (BRIDGES, PAIRS, MENTIONS, BRIDGE_ANSWERS, TAG_REQUESTS, TAGS, KNOWN_NAMES):
        (table,) = (output.tables[spec.name] for output in built.outputs.values() if spec.name in output.tables)
        assert table.schema == spec.schema
        table.validate(full=True)
        keys = [tuple(row[name] for name in spec.key) for row in table.to_pylist()]
        assert keys and len(keys) == len(set(keys)), spec.name


def test_a_bridge_can_be_put_back_for_its_mask() -> None:
    questions = {hop: question for question, hop in by_question(HOPS).items()}
    rows = build(HOPS, TYPES).rows("bridges")
    # Two heads, each with two tails.
    assert len(rows) == 4
    for row in rows:
        question = questions[row["tail"]]
        assert question[row["start"] : row["end"]] == row["bridge"] == "John Lennon"
        assert row["masked"] == f"{question[: row['start']]}{MASK}{question[row['end'] :]}"
        assert row["masked"].replace(MASK, row["bridge"]) == question
        assert (row["entity"], row["answer"]) == ("john lennon", "John Lennon")


def test_a_mask_is_one_word_that_no_name_is() -> None:
    assert Words.of(f"is {MASK}?").words == ("is", "mask")
    assert MASK not in HOPS["question"].to_pylist()


def test_a_request_is_known_by_its_text_and_span() -> None:
    built = build(HOPS, TYPES)
    requests = {row["request"]: row for row in built.rows("tag_requests")}
    for name, row in requests.items():
        content = f"{row['text']}\x1f{row['start']}\x1f{row['end']}"
        assert name == hashlib.sha256(content.encode()).hexdigest()[:16]
        assert row["text"][row["start"] : row["end"]] == "John Lennon"
    asked = [row["request"] for table in ("bridge_mentions", "bridge_answers") for row in built.rows(table)]
    assert set(asked) == requests.keys() == {row["request"] for row in built.rows("tags")}
