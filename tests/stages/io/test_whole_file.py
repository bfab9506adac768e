"""Files read whole: what is too long is refused before it is held, with the option that allows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from stages.core.contract import StageError
from stages.io.framing import MAX_VALUES
from stages.io.lines import READ_STEP
from stages.io.whole_file import FileLimits, limited, whole_text


def test_a_text_comes_with_one_kind_of_line_end_and_without_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes("\ufeffone\r\ntwo\rthree\u2028\nü".encode())
    assert whole_text(path) == "one\ntwo\nthree\u2028\nü"
    path.write_bytes(b"\xff")
    with pytest.raises(UnicodeDecodeError):
        whole_text(path)


@pytest.mark.parametrize(
    ("content", "limits", "words"),
    [
        (b"12345\n" * 2, FileLimits(6, 11), "file: more than 11 bytes; .* --file-bytes N"),
        (b"1234\n12345\n", FileLimits(4, 99), "file, line 2: more than 4 bytes; .* --record-bytes N"),
        (b"1" * (READ_STEP + 9) + b"\n", FileLimits(READ_STEP + 8, 9 << 20), "line 1: more than 1,048,584 bytes"),
        (b"1\n" + b"," * (MAX_VALUES + 1), FileLimits(), "line 2: more than 5,000,000 commas; .* part$"),
        (b",\n" * (MAX_VALUES + 1), FileLimits(file_bytes=64 << 20), "file: more than 5,000,000 commas; .* --file-b"),
    ],
)
def test_what_is_too_long_is_named(content: bytes, limits: FileLimits, words: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with limited(limits), pytest.raises(StageError, match=words):
        whole_text(path)


def test_what_just_fits_is_read_and_limits_hold_within_their_block_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"1234\n1234")
    with limited(FileLimits(4, 9)):
        assert whole_text(path) == "1234\n1234"
    path.write_bytes(b"1234\n12345")
    assert whole_text(path) == "1234\n12345"


def test_an_endless_file_is_read_no_further_than_the_limit() -> None:
    with limited(FileLimits(1 << 20, 4 << 20)), pytest.raises(StageError, match="/dev/zero, line 1: more than"):
        whole_text("/dev/zero")
