"""Ways back of records: marks in texts, facts in words, and rows by the values of a column."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manifests.storage import Storage
from pipelines.lineage import Tables, chosen, marks, told, votes
from stages.core.columns import number, text
from stages.core.contract import TableSpec
from stages.core.shards import read_shard
from tests.pipelines import made

WORDS = TableSpec(name="words", schema=pa.schema([text("word"), number("place"), text("of")]), key=("word", "place"))


def test_names_are_marked_as_whole_words_the_longer_one_first() -> None:
    said = "New York is not York, and yorkers know; YORK!"
    found = [said[start:end] for start, end in marks(said, ["York", "New York", " ", ""])]
    assert found == ["New York", "York", "YORK"]
    assert marks("a (b) c", ["(b)", "c"]) == ((2, 5), (6, 7))
    assert marks("nothing", []) == ()


@given(st.text(), st.lists(st.text(max_size=4)))
def test_marks_lie_in_the_text_in_order_and_apart(said: str, names: list[str]) -> None:
    ends = [end for span in marks(said, names) for end in span]
    assert ends == sorted(ends) and all(0 <= end <= len(said) for end in ends)
    assert all(start < end for start, end in marks(said, names))


def test_facts_are_said_in_words_and_unknown_ones_left_out() -> None:
    facts = told([("n", 12345), ("f", 0.98765), ("one", 1.0), ("b", True), ("no", False), ("l", ["a", None, 2])])
    assert facts == (("n", "12,345"), ("f", "0.988"), ("one", "1"), ("b", "yes"), ("no", "no"), ("l", "a, 2"))
    assert told([("none", None), ("empty", ""), ("list", [])]) == ()


def test_verdicts_are_told_as_they_stand() -> None:
    assert votes(None) == (("people", "nobody has confirmed it"),)
    verdict = {"status": "no_majority", "votes": 5, "agreeing": 2}
    assert votes(verdict) == (("people", "no majority"), ("votes", "2 of 5 agree"))


def test_chosen_rows_have_a_key_in_one_of_the_columns() -> None:
    rows = pa.table({"word": ["a", "b", "c"], "of": ["x", "y", "a"]})
    assert [row["word"] for row in chosen(rows, {"a"}, "word", "of")] == ["a", "c"]
    assert chosen(rows, None, "word") == rows.to_pylist()
    assert chosen(rows, set(), "word") == []


@pytest.mark.parametrize("buckets", [1, 4])
def test_tables_are_read_by_value(buckets: int, tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    rows = [{"word": f"w{n % 7}", "place": n, "of": f"o{n % 3}"} for n in range(21)]
    table = made.table(root, "toy", WORDS, rows, buckets)
    tables = Tables(root, made.build("toy", made.stage("toy", table)))
    found = tables.by("words", "word", ["w3", "w5", "none"])
    assert {word: [row["place"] for row in found_] for word, found_ in found.items()} == {
        "w3": [3, 10, 17],
        "w5": [5, 12, 19],
    }
    # The column that does not decide the shard.
    assert sorted(row["place"] for row in tables.by("words", "of", ["o1"])["o1"]) == [1, 4, 7, 10, 13, 16, 19]
    assert tables.one("words", "word", ["w0"])["w0"]["place"] == 0
    assert tables.by("nowhere", "word", ["w3"]) == {} and tables.by("words", "word", []) == {}
    assert sum(shard.num_rows for shard in tables.shards("words")) == 21


def test_only_shards_that_can_hold_a_value_are_read(tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    table = made.table(root, "toy", WORDS, [{"word": f"w{n}", "place": n, "of": "x"} for n in range(40)], 8)
    holding = next(shard for shard in table.shards if shard.rows)
    word = read_shard(root, holding)["word"][0].as_py()
    for shard in table.shards:
        if shard is not holding:
            (tmp_path / shard.path).unlink()
    tables = Tables(root, made.build("toy", made.stage("toy", table)))
    assert [row["word"] for row in tables.by("words", "word", [word])[word]] == [word]
