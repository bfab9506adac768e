"""The Score shape: each pair once, longest first, known scores taken over."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manifests.storage import Storage
from stages.beam import scoring
from stages.beam.results import StageResult
from stages.beam.scoring import distinct_pairs
from stages.core.contract import Score, Stage, StageError, TableSpec
from tests.stages.beam.jobs import job, rows, run
from tests.toy import SCORES

NEEDS = TableSpec(
    "needs",
    pa.schema([("id", pa.int64()), ("pair", pa.string()), ("first", pa.string()), ("second", pa.string())]),
    key=("id",),
)
PAIRS = pa.schema([("pair", pa.string()), ("first", pa.string()), ("second", pa.string())])


@dataclass(frozen=True)
class Notebook:
    """Writes down each batch that it is given; the score is the length of the first text."""

    path: str
    identity: str = "b" * 64
    name: str = "notebook"

    def load(self):
        def score(first: list[str], second: list[str]) -> list[float]:
            with Path(self.path).open("a") as file:
                file.write(",".join(map(str, map(len, first))) + "\n")
            return [float(len(text)) for text in first]

        return score


def need(number: int, length: int) -> dict:
    text = "x" * length
    return {"id": number, "pair": text, "first": text, "second": "y"}


@pytest.fixture
def notebook(tmp_path: Path) -> Notebook:
    return Notebook(str(tmp_path / "batches"))


def batches(notebook: Notebook) -> list[list[int]]:
    path = Path(notebook.path)
    found = [list(map(int, line.split(","))) for line in path.read_text().splitlines()] if path.exists() else []
    path.unlink(missing_ok=True)
    return sorted(found)


def stage(notebook: Notebook) -> Stage:
    return Stage("a.score", Score("pair", "first", "second"), None, (SCORES,), inputs=("needs",), scorer=notebook)


def pairs_of(result: StageResult) -> dict[str, float]:
    return {name: count for name, count in result.run.items() if name.startswith("pairs_")}


def test_a_pair_that_many_rows_need_is_scored_once(tmp_path: Path, notebook: Notebook) -> None:
    made = job(Storage.at(tmp_path), stage(notebook), (NEEDS, [need(n, n % 3 + 1) for n in range(30)]))
    result = run(made)
    assert rows(made, result, "scores") == [{"pair": "x" * n, "score": float(n)} for n in (1, 2, 3)]
    assert sorted(length for batch in batches(notebook) for length in batch) == [1, 2, 3]
    assert pairs_of(result) == {"pairs_known": 0, "pairs_scored": 3} and result.metrics == {}


def test_batches_are_cut_by_size_and_sorted_by_length(
    tmp_path: Path, notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scoring, "BATCH_ROWS", 4)
    run(job(Storage.at(tmp_path), stage(notebook), (NEEDS, [need(n, n) for n in range(1, 11)]), buckets=1))
    assert batches(notebook) == [[2, 1], [6, 5, 4, 3], [10, 9, 8, 7]]


def test_known_scores_are_taken_over_and_the_rest_is_scored(tmp_path: Path, notebook: Notebook) -> None:
    root = Storage.at(tmp_path)
    first = run(job(root, stage(notebook), (NEEDS, [need(n, n) for n in range(1, 5)])))
    batches(notebook)
    more = [need(n, n) for n in range(3, 7)]
    made = job(root.sub("more"), stage(notebook), (NEEDS, more))
    known = job(root, stage(notebook), (NEEDS, more), known_scores=(first.tables["scores"],))
    known = type(known)(**{**{k: v for k, v in vars(known).items() if k != "specs"}, "attempt": "second"})
    result, alone = run(known), run(made)
    assert pairs_of(result) == {"pairs_known": 2, "pairs_scored": 2}
    assert sorted(n for batch in batches(notebook) for n in batch) == [3, 4, 5, 5, 6, 6]
    assert result.tables["scores"].digest == alone.tables["scores"].digest


@pytest.mark.parametrize("before", [1, 2, 3, 4, 8])
def test_known_scores_in_another_number_of_buckets_are_found(tmp_path: Path, notebook: Notebook, before: int) -> None:
    root = Storage.at(tmp_path)
    needs = (NEEDS, [need(number, number + 1) for number in range(9)])
    first = run(job(root, stage(notebook), needs, buckets=before))
    again = job(root, stage(notebook), needs, known_scores=(first.tables["scores"],), buckets=4)
    second = run(replace(again, attempt="again"))
    assert pairs_of(second) == {"pairs_known": 9, "pairs_scored": 0}


def test_scores_lie_where_their_pair_is_looked_for(tmp_path: Path, notebook: Notebook) -> None:
    root = Storage.at(tmp_path)
    needs = (NEEDS, [need(1, 1)])
    by_score = replace(stage(notebook), outputs=(replace(SCORES, bucket_by=("score",)),))
    with pytest.raises(StageError, match=r"stage a\.score: scores is bucketed by score; scores have to be by pair"):
        run(job(root, by_score, needs))
    first = run(job(root.sub("one"), stage(notebook), needs))
    elsewhere = replace(first.tables["scores"], bucket_by=["score"])
    second = run(job(root.sub("two"), stage(notebook), needs, known_scores=(elsewhere,)))
    assert pairs_of(second) == {"pairs_known": 0, "pairs_scored": 1}


def test_no_pairs_are_no_scores(tmp_path: Path, notebook: Notebook) -> None:
    result = run(job(Storage.at(tmp_path), stage(notebook), (NEEDS, [])))
    assert result.tables["scores"].rows == 0 and len(result.tables["scores"].shards) == 2
    assert batches(notebook) == []


@given(st.lists(st.text("abé", max_size=4), max_size=20))
def test_distinct_pairs_are_in_one_order_whatever_came_first(texts: list[str]) -> None:
    tables = [
        pa.table({"pair": each, "first": each, "second": each}, schema=PAIRS) for each in (texts, texts[::-1])
    ]  # fmt: skip
    one, two = map(distinct_pairs, tables)
    assert one.equals(two)
    assert one.column("pair").to_pylist() == sorted(set(texts), key=lambda text: (-len(text), text.encode()))
