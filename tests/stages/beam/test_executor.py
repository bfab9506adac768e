"""The executor: the four shapes on their edges, and what a kernel does wrong in plain words, here and on Beam."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest

from manifests.storage import Storage
from stages.beam.executor import first_cause
from stages.beam.job import REJECTS, Job
from stages.beam.results import StageResult
from stages.core.contract import Join, Map, Output, Stage, StageError, TableSpec, Whole
from stages.core.rejects import Rejects
from tests import toy
from tests.stages.beam.jobs import HERE, ON_BEAM, WORDS, job, rows
from tests.stages.beam.jobs import run as run_with

Run = Callable[[Job], StageResult]
COPY = TableSpec("copy", WORDS.schema, key=("word",))
IN = [{"word": f"w{n}", "count": n} for n in range(12)]


def copy(words: pa.Table) -> Output:
    return Output({"copy": words}, metrics={"rows": words.num_rows})


def stage(kernel, shape=None, outputs=(COPY,), inputs=("words",), **changed) -> Stage:
    return Stage("a.b", shape or Map(), kernel, tuple(outputs), inputs=inputs, **changed)


@pytest.fixture(params=[HERE, ON_BEAM], ids=["here", "beam"])
def run(request: pytest.FixtureRequest) -> Run:
    return partial(run_with, options=request.param)


@pytest.fixture
def root(tmp_path: Path) -> Storage:
    return Storage.at(tmp_path)


def test_an_empty_table_gives_every_shard_and_no_row(run: Run, root: Storage) -> None:
    made = job(root, stage(copy), (WORDS, []), buckets=3)
    result = run(made)
    assert [(len(table.shards), table.rows) for table in result.tables.values()] == [(3, 0), (3, 0)]
    assert set(result.tables) == {"copy", REJECTS} and result.rejects == {} and result.metrics == {"rows": 0}


def test_a_source_without_parts_gives_empty_tables(run: Run, root: Storage) -> None:
    (words, *_) = toy.stages([])
    result = run(job(root, words))
    assert result.tables["words"].rows == 0 and len(result.tables["words"].shards) == 2


def test_equal_rejects_are_summed_over_all_calls_and_duplicates_are_among_them(run: Run, root: Storage) -> None:
    spec = TableSpec("copy", WORDS.schema, key=("word",), on_duplicate="reject", buckets=1)

    def twice(words: pa.Table) -> Output:
        rejects = Rejects()
        for word in words.column("word").to_pylist():
            rejects.add("all", "seen", "one of them", count=2)
            rejects.add(word, "odd")
        return Output({"copy": pa.concat_tables([words, words])}, rejects.table())

    made = job(root, stage(twice, outputs=[spec]), (WORDS, IN[:4]))
    result = run(made)
    assert result.rejects == {"duplicate": 4, "odd": 4, "seen": 8}
    found = {(row["key"], row["reason"]): row["count"] for row in rows(made, result, REJECTS)}
    assert found[("all", "seen")] == 8 and found[("w1", "odd")] == 1 and found[("w1", "duplicate")] == 1
    assert len(result.tables["copy"].shards) == 1 and rows(made, result, "copy") == IN[:4]


def test_counts_are_summed_over_all_calls(run: Run, root: Storage) -> None:
    schema = pa.schema([("word", pa.string()), ("n", pa.int64())])
    spec = TableSpec("copy", schema, key=("word",), on_duplicate="sum", buckets=2)

    def count(words: pa.Table) -> Output:
        return Output({"copy": spec.table([{"word": "all", "n": words.num_rows}, {"word": None, "n": 1}] * 2)})

    made = job(root, stage(count, outputs=[spec]), (WORDS, IN), buckets=3)
    result = run(made)
    found = {row["word"]: row["n"] for row in rows(made, result, "copy")}
    assert found == {"all": 2 * len(IN), None: 6}
    assert result.rejects == {}


def test_how_often_a_worker_writes_changes_no_digest(run: Run, root: Storage) -> None:
    results = [
        run(job(root.sub(str(limit)), stage(copy), (WORDS, IN), flush_bytes=limit, progress=True))
        for limit in (1, 64 << 20)
    ]
    assert results[0].tables["copy"].digest == results[1].tables["copy"].digest


def test_the_work_items_of_a_bundle_are_spilled_together_up_to_the_limit(
    run: Run, root: Storage, tmp_path: Path
) -> None:
    def join(left: pa.Table, right: pa.Table) -> Output:
        return Output({"copy": left})

    # Neither input lies as the join wants it.
    by_count = TableSpec("other", WORDS.schema, key=("count",))
    spilled = []
    for limit in (1, 64 << 20):
        made = stage(join, Join(on=(("count",), ("word",))), inputs=("words", "other"))
        run(job(root.sub(str(limit)), made, (WORDS, IN), (by_count, IN), buckets=8, flush_bytes=limit))
        spilled.append(len(list((tmp_path / str(limit) / "attempt" / "_spill").iterdir())))
    # Two inputs of eight small shards each are one item, and so are the eight buckets of the join.
    assert spilled[1] == 2 < 8 < spilled[0]


@pytest.mark.parametrize("bucket_by", [("word",), ("count",)])
def test_a_join_sees_equal_keys_together_however_its_inputs_lie(
    run: Run, root: Storage, bucket_by: tuple[str, ...]
) -> None:
    left = TableSpec("words", WORDS.schema, ("word",), bucket_by)
    right = TableSpec("names", pa.schema([("name", pa.string()), ("of", pa.string())]), ("name",))
    names = [{"name": f"n{n}", "of": f"w{n % 5}"} for n in range(20)]

    def pairs(words: pa.Table, names: pa.Table) -> Output:
        return Output({"pairs": words.join(names, "word", "of", "inner").select(["name", "word", "count"])})

    out = TableSpec(
        "pairs", pa.schema([("name", pa.string()), ("word", pa.string()), ("count", pa.int64())]), ("name",)
    )
    joined = stage(pairs, Join((("word",), ("of",))), [out], ("words", "names"))
    made = job(root, joined, (left, IN), (right, names), buckets=3)
    expected = sorted(
        ({"name": f"n{n}", "word": f"w{n % 5}", "count": n % 5} for n in range(20)), key=lambda r: r["name"]
    )
    assert rows(made, run(made), "pairs") == expected


def test_a_join_calls_its_kernel_for_every_bucket_even_an_empty_one(run: Run, root: Storage) -> None:
    def count(words: pa.Table) -> Output:
        return Output({}, metrics={"calls": 1})

    made = job(root, stage(count, Join((("word",),))), (WORDS, IN[:1]), buckets=5)
    assert run(made).metrics == {"calls": 5}


def test_a_whole_stage_sees_every_row_once_and_side_tables_come_after_the_inputs(run: Run, root: Storage) -> None:
    side = TableSpec("names", pa.schema([("name", pa.string())]), ("name",))

    def see(words: pa.Table, names: pa.Table) -> Output:
        return Output({}, metrics={"calls": 1, "rows": words.num_rows, "names": names.num_rows})

    whole = stage(see, Whole(), side=("names",))
    made = job(root, whole, (WORDS, IN), (side, [{"name": "x"}]))
    assert run(made).metrics == {"calls": 1, "names": 1, "rows": 12}


def undeclared(words: pa.Table) -> Output:
    return Output({"other": words})


def other_columns(words: pa.Table) -> Output:
    return Output({"copy": words.rename_columns(["word", "number"])})


def same_key(words: pa.Table) -> Output:
    return Output({"copy": words.set_column(0, "word", pa.array(["same"] * words.num_rows))})


def breaks(words: pa.Table, word: str) -> Output:
    raise StageError(f"the word {word!r} is not allowed; take it out")


def crashes(words: pa.Table) -> Output:
    return Output({"copy": words.column("word").nothing})


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        (undeclared, r"stage a.b: kernel returned undeclared tables \['other'\]"),
        (other_columns, r"table copy: columns missing \['count'\], not declared \['number'\]"),
        (same_key, r"stage a.b, table copy: key \('word',\) occurs twice: \{'word': 'same'"),
        (partial(breaks, word="x"), r"^stage a.b: the word 'x' is not allowed; take it out$"),
        (crashes, r"^stage a.b: AttributeError: .* no attribute 'nothing'$"),
    ],
)
def test_what_a_kernel_does_wrong_is_said_in_plain_words(run: Run, root: Storage, kernel, words: str) -> None:
    with pytest.raises(StageError, match=words):
        run(job(root, stage(kernel), (WORDS, IN), buckets=1))


def test_a_job_that_left_no_result_is_an_error(run: Run, root: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Storage.write_bytes

    def lose_the_result(self: Storage, path: str, data: bytes, durable: bool = False) -> None:
        if not path.endswith("_result.json"):
            real(self, path, data, durable)

    monkeypatch.setattr(Storage, "write_bytes", lose_the_result)
    with pytest.raises(StageError, match=r"a.b: the job ended without its result file \(.*no such file\)"):
        run(job(root, stage(copy), (WORDS, IN)))


def test_a_shard_that_vanished_before_publishing_is_an_error(
    run: Run, root: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Storage.read_bytes

    def vanish(self: Storage, path: str) -> pa.Buffer:
        if path.endswith("_result.json"):
            self.delete_file("attempt/copy/part-00001-of-00002.parquet")
        return real(self, path)

    monkeypatch.setattr(Storage, "read_bytes", vanish)
    with pytest.raises(StageError, match=r"part-00001-of-00002.parquet: is not there in full; nothing was published"):
        run(job(root, stage(copy), (WORDS, IN)))


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("plain words", "plain words"),
        ("plain words [while running 'Work']", "plain words"),
        (
            'Traceback (most recent call last):\n  File "x"\n'
            'Traceback (most recent call last):\n  File "y"\n    raise\n'
            "stages.core.contract.StageError: the file is odd; look at it [while running 'a/b']\n",
            "the file is odd; look at it",
        ),
        ('Traceback (most recent call last):\n  File "y"\nValueError: bad\nand more\n', "ValueError: bad\nand more"),
    ],
)
def test_the_first_cause_is_what_was_said_and_not_where(message: str, said: str) -> None:
    assert first_cause(message) == said
