"""`picture` draws a graph of a build."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.pipelines.commands import refused, run


@pytest.mark.parametrize("key", ["1 3", "influence_graph:1:3:1#0", "out_of_para:1:3:0"])
def test_a_graph_by_its_ids_or_by_a_question(wiqa_root: Path, tmp_path: Path, key: str) -> None:
    out = tmp_path / "deep" / "graph.svg"
    assert run("picture", "wiqa", key, "--root", str(wiqa_root), "--out", str(out)) == f"{out}\n"
    words = " ".join(ET.parse(out).getroot().itertext())  # noqa: S314
    assert "x 0 of 3" in words and "leads to the change" in words


def test_refusals_name_what_there_is(wiqa_root: Path, tmp_path: Path) -> None:
    out = ("--root", str(wiqa_root), "--out", str(tmp_path / "x.svg"))
    assert "no graph '1' in this build; name one by para_id and graph_id (it holds '0 0'" in refused(
        "picture", "wiqa", "1", *out
    )
    assert "qampari has no pictures; there are some of musique, wiqa\n" in refused("picture", "qampari", "Q1", *out)
    assert not (tmp_path / "x.svg").exists()
