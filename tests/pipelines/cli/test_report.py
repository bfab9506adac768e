"""`benchwright report`: where it writes, and what it refuses."""

from __future__ import annotations

from pathlib import Path

from tests.pipelines.commands import refused, run
from tests.pipelines.report import site_checks


def test_the_pages_are_named_and_there(wiqa_root: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    out = run("report", "wiqa", "--root", str(wiqa_root), "--out", str(site), "--against", str(wiqa_root))
    assert out.splitlines() == [
        str(site / f"{name}.html") for name in ("index", "funnel", "plots", "records", "stages", "changes")
    ]
    site_checks.check(site)


def test_what_cannot_be_written_or_compared_is_refused(wiqa_root: Path, repo: Path, tmp_path: Path) -> None:
    given = ("report", "wiqa", "--root", str(wiqa_root), "--out")
    assert "expected a local folder" in refused(*given, "s3://bucket/site")
    assert "expected a local folder" in refused(*given, " ")
    pinned = repo / "manifests" / "baselines"
    message = refused(*given, str(tmp_path / "a"), "--against", str(pinned / "wiqa-sample.json"))
    assert "has no records; name a root instead" in message
    message = refused(*given, str(tmp_path / "a"), "--against", str(pinned / "ifqa-sample.json"))
    assert "a build of ifqa; expected one of wiqa" in message
    assert "holds no build of ifqa" in refused("report", "ifqa", "--root", str(wiqa_root), "--out", str(tmp_path / "a"))
    assert not (tmp_path / "a").exists()
