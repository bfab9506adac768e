"""The comparison of READMEs with computed figures: what is found, what differs, what is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.figures.__main__ import CHECKS, Check, faults_of, marked
from tests.figures.blocks import Block, Cell, blocks
from tests.figures.builds import Work

PAGE = """\
# Page

<!-- figures: a.table -->
| split | rows | share |
| --- | ---: | ---: |
| train | 1,281 | 70.1 % |
| dev | 345 | 2.03 % |

Text with 17 in it.

<!-- figures: a.text -->
Of 126 passages
104 are kept.
"""


@pytest.fixture
def page(tmp_path: Path) -> dict[str, Block]:
    file = tmp_path / "README.md"
    file.write_text(PAGE, encoding="utf-8")
    return dict(blocks(file))


def test_a_block_ends_at_an_empty_line(page: dict[str, Block]) -> None:
    assert list(page) == ["a.table", "a.text"]
    assert page["a.text"].lines == ("Of 126 passages", "104 are kept.")
    assert page["a.table"].place.endswith("README.md:3")


def test_figures_are_compared_as_printed(page: dict[str, Block]) -> None:
    right = [Cell("train", "rows", "1,281"), Cell("dev", "share", "2.03 %")]
    assert page["a.table"].faults(right) == []
    assert page["a.text"].faults(["126 passages 104 are"]) == []
    place = page["a.table"].place
    assert page["a.table"].faults([Cell("train", "rows", "1281"), Cell("dev", "rows", "34")]) == [
        f"{place}: train, rows: 1,281, computed 1281",
        f"{place}: dev, rows: 345, computed 34",
    ]
    assert page["a.table"].faults([Cell("test", "rows", "1"), Cell("dev", "size", "1")]) == [
        f"{place}: expected a row 'test' with a column 'rows'",
        f"{place}: expected a row 'dev' with a column 'size'",
    ]
    [fault] = page["a.text"].faults(["105 are kept"])
    assert fault.endswith("README.md:11: expected '105 are kept'")
    # What stands in another block of the page is not in this one.
    assert len(page["a.text"].faults(["17"])) == 1


def test_what_needs_real_data_is_left_out_and_counted(page: dict[str, Block], tmp_path: Path) -> None:
    checks = (Check(lambda _: ["126"]), Check(lambda work: [str(work.real)], real=True))
    assert faults_of(page["a.text"], checks, Work(tmp_path, None)) == ([], 1)
    found, left = faults_of(page["a.text"], checks, Work(tmp_path, tmp_path))
    assert (len(found), left) == (1, 0)
    with pytest.raises(LookupError, match="no real data"):
        _ = Work(tmp_path, None).real


def test_every_marker_has_a_check_and_every_check_a_marker() -> None:
    assert marked().keys() == CHECKS.keys()
