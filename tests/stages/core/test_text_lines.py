from __future__ import annotations

import pytest

from stages.core.text_lines import text_width, wrap


@pytest.mark.parametrize("text", ["", "one", "word " * 40, "m" * 500, "a bb " + "c" * 90])
def test_lines_fit_and_are_bounded(text: str) -> None:
    lines = wrap(text, 200, 13.5, 4)
    assert 1 <= len(lines) <= 4
    assert all(text_width(line, 13.5) <= 200 + 1e-6 for line in lines)
    if text_width(text, 13.5) < 200:
        assert lines == [text]
    elif len(text) > 150:
        assert lines[-1].endswith("…")
