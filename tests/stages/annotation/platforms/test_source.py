"""Files of answers as a source."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from pathlib import Path

import pyarrow as pa
import pytest

from manifests.storage import StorageError
from stages.annotation.platforms.source import Annotations, CsvPart, simulated_answers
from tests.people_samples import annotation, export_record, neutral_record, read_all, task_row, write_lines

TASK = "0123456789abcdef" * 2


def records(table: pa.Table) -> list[object]:
    return [json.loads(data) for data in table["data"].to_pylist() if data is not None]


def errors(table: pa.Table) -> list[str]:
    return [error.partition(":")[0] for error in table["error"].to_pylist() if error is not None]


def test_no_files_give_no_records() -> None:
    source = Annotations()
    assert (source.parts(), dict(source.identity()), dict(source.licences())) == ([], {}, {})
    assert read_all().num_rows == 0


def test_json_in_any_layout(tmp_path: Path) -> None:
    exported = [export_record(task_row(), annotation(worker)) for worker in (1, 2)]
    (tmp_path / "line.json").write_text(json.dumps(exported), encoding="utf-8")
    (tmp_path / "pretty.json").write_text(json.dumps(exported, indent=2), encoding="utf-8")
    write_lines(tmp_path / "lines.jsonl", exported)
    (tmp_path / "lines.json.gz").write_bytes(gzip.compress((tmp_path / "pretty.json").read_bytes()))
    for name in ("line.json", "pretty.json", "lines.jsonl", "lines.json.gz"):
        found = read_all(str(tmp_path / name))
        assert (records(found), errors(found)) == (exported, []), name


def test_a_broken_line_costs_that_line_alone(tmp_path: Path) -> None:
    good = json.dumps(neutral_record(TASK))
    (tmp_path / "a.jsonl").write_text(f'{good}\n{{"task": [\n{good}\n', encoding="utf-8")
    found = read_all(str(tmp_path / "a.jsonl"))
    assert found["data"].to_pylist() == [good.encode(), b'{"task": [', good.encode()]


def test_csv_rows_become_objects(tmp_path: Path) -> None:
    path = tmp_path / "batch.csv"
    path.write_bytes(b'\xef\xbb\xbf"WorkerId","Answer.x"\r\n"A1","two\nlines, \xc3\xa9"\r\n\r\nA2,\r\n')
    assert Annotations((str(path),)).parts() == [CsvPart(str(path))]
    assert records(read_all(str(path))) == [
        {"WorkerId": "A1", "Answer.x": "two\nlines, é"},
        {"WorkerId": "A2", "Answer.x": ""},
    ]


@pytest.mark.parametrize("sign", [";", "\t"])
def test_the_signs_that_spreadsheets_put_between_cells_are_read(sign: str, tmp_path: Path) -> None:
    path = tmp_path / "batch.csv"
    path.write_text(f'WorkerId{sign}"Answer.x"\nA1{sign}"one, two{sign}"\n')
    assert records(read_all(str(path))) == [{"WorkerId": "A1", "Answer.x": f"one, two{sign}"}]


@pytest.mark.parametrize(
    ("content", "found", "expected"),
    [
        (b"a,b\n1,2\n3\n4,5\n", 2, ["broken_csv"]),
        (b"a,b\n1,2\n3,4,5\n", 1, ["broken_csv"]),
        (b'a,b\n1,2\n"3,4\n5,6\n', 1, ["broken_csv"]),
        (b"a,a\n1,2\n", 0, ["broken_csv"]),
        (b"a,b\n1,\xff\n3,4\n", 1, ["bad_encoding"]),
        (b"a,b\n", 0, []),
        (b"a,b\n1,2\n3,4", 2, []),
        (b"a,b\n1,2\n3", 1, ["truncated_input"]),
        (b"a,b\n1,2\n3\n", 1, ["broken_csv"]),
        (b'"a","b"\n"1","2"\n"3","4', 1, ["truncated_input"]),
        (b'"a","b"\n"1","2"\n"3\nand more', 1, ["truncated_input"]),
        (b'"a","b"\n"1","2"\n"3\xc3', 1, ["truncated_input"]),
        (b"a,b\n1,2\n3,4,5", 1, ["broken_csv"]),
        (b"a,b\n1,2\n3,4,caf\xe9\n5,6\n", 2, ["broken_csv"]),
        (b"a,caf\xe9,caf\xe9\n1,2,3\n", 0, ["broken_csv"]),
        (b'a,b\n1,2\n"3" 4,5\n6,7\n', 2, ["broken_csv"]),
        (b'a,b\n1,\x00\n"3"\xe9,5\n6,7\n', 2, ["broken_csv"]),
        (b'a,"b\n1,2\n', 0, ["broken_csv"]),
        (b"\xe9,b\n", 0, []),
    ],
)
def test_broken_csv(tmp_path: Path, content: bytes, found: int, expected: list[str]) -> None:
    path = tmp_path / "batch.csv"
    path.write_bytes(content)
    table = read_all(str(path))
    assert (len(records(table)), errors(table)) == (found, expected)


def test_a_bad_byte_in_a_name_costs_nothing_and_one_in_a_row_costs_that_row(tmp_path: Path) -> None:
    path = tmp_path / "batch.csv"
    path.write_bytes(b'caf\xe9,"two\nlines"\n1,2\n3,\xe9\n5,6\n')
    table = read_all(str(path))
    assert records(table) == [{"caf?": "1", "two\nlines": "2"}, {"caf?": "5", "two\nlines": "6"}]
    assert table["error"].to_pylist()[1] == "bad_encoding: not UTF-8 | 3,?"


@pytest.mark.parametrize("packed", [False, True])
def test_a_row_over_the_limit_costs_that_row_and_one_that_never_ends_the_rest(tmp_path: Path, packed: bool) -> None:
    def read(content: bytes) -> tuple[list[object], list[str | None]]:
        path = tmp_path / "batch.csv"
        path.write_bytes(gzip.compress(content) if packed else content)
        source = Annotations((str(path),), max_record_bytes=1000)
        table = pa.concat_tables(table for part in source.parts() for table in source.read(part))
        return records(table), [error for error in table["error"].to_pylist() if error]

    found, told = read(b"a,b\n1,2\n3," + b"x" * 5000 + b"\n5,6\n")
    assert [row["a"] for row in found] == ["1", "5"]  # type: ignore[index]
    assert told == ["oversized_line: 5002 bytes, the limit is 1000"]
    found, told = read(b'a,b\n1,2\n"3,4\n' + b"5,6\n" * 2000)
    assert len(found) == 1
    assert told == ["oversized_record: one row goes over 1000 bytes; the rest of the file is not read"]
    found, told = read(b'a,b\n1,"' + b"5,6\n" * 200 + b'"\n7,8\n')
    assert (len(found), told) == (2, [])


def test_a_line_without_an_end_takes_neither_memory_nor_time_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "batch.csv.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b"a,b\n1,")
        for _ in range(300):
            file.write(b"x" * 1_000_000)
    tracemalloc.start()
    table = read_all(str(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (records(table), errors(table)) == ([], ["oversized_line"])
    assert peak < 200_000_000


def test_a_huge_csv_field_is_read_or_told(tmp_path: Path) -> None:
    path = tmp_path / "batch.csv"
    path.write_text(f"a,b\n1,{'x' * 10_000_000}\n3,4\n", encoding="utf-8")
    assert len(records(read_all(str(path)))) == 2


def test_a_cut_compressed_file(tmp_path: Path) -> None:
    path = tmp_path / "batch.csv.gz"
    lines = "".join(f"{n},{n * 7919 % 1000}\n" for n in range(5000))
    path.write_bytes(gzip.compress(f"a,b\n{lines}".encode())[:-2000])
    table = read_all(str(path))
    assert errors(table)[-1:] == ["truncated_input"]
    assert len(records(table)) > 100


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"none\.json"):
        Annotations((str(tmp_path / "none.json"),)).parts()


def test_identity_depends_on_content_alone(tmp_path: Path) -> None:
    one = write_lines(tmp_path / "one", [neutral_record(TASK)])
    two = write_lines(tmp_path / "two", [neutral_record(TASK, "bob")])
    assert Annotations((one, two)).identity() == Annotations((two, one)).identity()
    assert [*Annotations((one, two)).identity()] == ["annotations:0", "annotations:1"]
    assert Annotations((one,), licence="CC0-1.0").licences() == {"annotations": "CC0-1.0"}


def test_answers_of_a_simulated_crowd_are_counted(tmp_path: Path) -> None:
    simulated = neutral_record("a" * 32, "simulated:001")
    about = neutral_record("a" * 32, "ann", answers={"reason": "simulated:002 said so"})
    one = write_lines(tmp_path / "one.jsonl", [simulated, neutral_record("b" * 32, "ann"), about])
    two = write_lines(tmp_path / "two.jsonl", [simulated])
    with Path(two).open("a") as file:
        file.write('{"worker": "simulated:3\n["simulated:"]\n')
    assert simulated_answers([one, two]) == 2
    assert simulated_answers([]) == 0
