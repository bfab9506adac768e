"""`benchwright recompress`: a dump that one worker read becomes one that many read, with the same rows."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pytest

from stages.wikidata.source import WikidataDump
from stages.wikipedia.dump import MediaWikiDump
from tests.pipelines.commands import refused, run

ENTITIES = [{"id": f"Q{number}", "labels": {}, "claims": {}, "filler": "x" * 500} for number in range(200)]


def read(source: WikidataDump | MediaWikiDump) -> tuple[int, pa.Table]:
    parts = source.parts()
    return len(parts), pa.concat_tables([table for part in parts for table in source.read(part)])


def test_entities_and_pages_are_the_same_in_many_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stages.io.recompress.recompress.__defaults__", ((lambda _: None), 4096))
    lines = ",\n".join(json.dumps(entity) for entity in ENTITIES)
    pages = "".join(
        f"<page><title>Page {n}</title><ns>0</ns><id>{n}</id><revision><text>text {n}</text></revision></page>\n"
        for n in range(200)
    )
    texts = {"dump.json": f"[\n{lines}\n]\n", "dump.xml": f"<mediawiki>\n<siteinfo/>\n{pages}</mediawiki>\n"}
    for name, make in (("dump.json", WikidataDump), ("dump.xml", MediaWikiDump)):
        packed, out = tmp_path / f"{name}.gz", tmp_path / f"{name}.zst"
        packed.write_bytes(gzip.compress(texts[name].encode()))
        frames = -(-len(texts[name]) // 4096)
        assert run("recompress", str(packed), str(out)) == f"{out}: {frames} frames, {out.stat().st_size:,} bytes\n"
        assert run("recompress", str(packed), f"{out}2", "--quiet") == ""
        one, before = read(make((str(packed),)))
        many, after = read(make((str(out),), part_bytes=out.stat().st_size // 6))
        assert one == 1 and many > 5 and before.num_rows >= 200
        assert after.combine_chunks() == before.combine_chunks()


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("s3://bucket/out.zst", "expected a local file; copy it elsewhere once it is written"),
        (" ", "expected a local file"),
        ("nowhere/out.zst", "expected the name of a file in a folder that is there"),
        (".", "expected the name of a file in a folder that is there"),
        ("in.gz", "is there already; remove it, or name another file"),
    ],
)
def test_what_cannot_be_written_to_is_named(
    out: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.gz").write_bytes(gzip.compress(b"x"))
    assert message in refused("recompress", "in.gz", out)
    assert refused("recompress", "missing.gz", "out.zst") == "benchwright: FILE missing.gz: no such file\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.gz"]
