"""SQL over Arrow tables: names live for one query, and each thread and process has its own connection."""

from __future__ import annotations

import threading

import duckdb
import pyarrow as pa
import pytest

from stages.core import sql as module
from stages.core.sql import sql

NUMBERS = pa.table({"n": [1, 2, 3]})


def test_a_query_over_named_tables() -> None:
    joined = sql("SELECT sum(a.n * b.n) AS total FROM a JOIN b USING (n)", a=NUMBERS, b=NUMBERS)
    assert joined.to_pylist() == [{"total": 14}]
    assert sql("SELECT * FROM a WHERE n > 5", a=NUMBERS).num_rows == 0


def test_names_are_forgotten_after_the_query_and_after_its_failure() -> None:
    sql("SELECT * FROM mine", mine=NUMBERS)
    with pytest.raises(duckdb.Error):
        sql("SELECT nothing FROM mine", mine=NUMBERS)
    with pytest.raises(duckdb.Error):
        sql("SELECT * FROM mine")


def test_each_thread_has_a_connection_with_one_thread() -> None:
    own, other = module._connection(), []
    thread = threading.Thread(target=lambda: other.append(module._connection()))
    thread.start()
    thread.join()
    assert module._connection() is own and other[0] is not own
    assert sql("SELECT current_setting('threads') AS threads").to_pylist() == [{"threads": 1}]


def test_a_long_query_writes_nothing_into_the_output() -> None:
    assert sql("SELECT current_setting('enable_progress_bar') AS shown").to_pylist() == [{"shown": False}]


def test_a_forked_process_opens_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    own = module._connection()
    monkeypatch.setattr("os.getpid", lambda: -1)
    assert module._connection() is not own
