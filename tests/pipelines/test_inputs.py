"""What a user names becomes files by kind, templates of one's own among them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from pipelines.datasets import dataset
from pipelines.inputs import make_pipeline, mapped_columns, read_inputs, slow_to_read
from pipelines.model import Pipeline
from pipelines.params import load
from stages.facts.relations.templates import TemplateError
from stages.io.detect import UNKNOWN, WIKIDATA, Inputs, SourceError

VENUE = """
version: 1
relations:
  P286:
    label: head coach
    family: membership
    hypothesis: "{subject} is coached by {object}."
    simple: {noun: Q43229, clause: "is coached by {entity}", nested: "{nouns} coached by {entity}", extra: true}
"""


def pipeline(name: str, *templates: Path) -> Pipeline:
    found = dataset(name)
    inputs = read_inputs(found, found.sample(), (), [str(path) for path in templates])
    return make_pipeline(found, load(found.defaults), inputs)


def test_a_relation_of_ones_own_reaches_each_stage_that_reads_templates(tmp_path: Path) -> None:
    (tmp_path / "clubs.yaml").write_text(VENUE, encoding="utf-8")
    plain, own = pipeline("qampari"), pipeline("qampari", tmp_path)
    changed = {old.name for old, new in zip(plain.stages, own.stages, strict=True) if "own/clubs.yaml" in new.templates}
    assert {"facts.statements", "qampari.questions"} <= {name.split("_hop")[0] for name in changed}, changed
    assert dataset("qampari").properties is not None
    inputs = read_inputs(dataset("qampari"), dataset("qampari").sample(), (), [str(tmp_path)])
    for name in ("qampari", "musique"):
        properties = dataset(name).properties
        assert properties is not None and "P286" in properties(inputs)


def test_templates_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    (tmp_path / "clubs.yaml").write_text(VENUE.replace("membership", "clubs"), encoding="utf-8")
    with pytest.raises(TemplateError, match=r"own/clubs\.yaml: P286: family: .*clubs"):
        pipeline("qampari", tmp_path)
    with pytest.raises(SourceError, match=r"clubs\.yaml: wiqa reads no relation templates"):
        pipeline("wiqa", tmp_path)
    with pytest.raises(SourceError, match="--templates: an empty path"):
        read_inputs(dataset("qampari"), dataset("qampari").sample(), (), [""])
    with pytest.raises(SourceError, match="--templates .*nowhere"):
        pipeline("qampari", tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["contents"], "--map contents: expected COLUMN=FIELD, where FIELD is one of title, text"),
        (["contents=txt"], "--map contents=txt: expected COLUMN=FIELD"),
        (["=text"], "--map =text: expected COLUMN=FIELD"),
        (["a=text", "b=text"], "expected each column and each field once"),
        (["a=text", "a=title"], "expected each column and each field once"),
    ],
)
def test_a_map_that_says_nothing_is_refused(given: list[str], message: str) -> None:
    with pytest.raises(SourceError, match=re.escape(message)):
        mapped_columns(given)


def test_a_map_names_columns() -> None:
    assert mapped_columns(["full=text=text", "name=title"]).mapped == {"full=text": "text", "name": "title"}


def test_a_large_file_that_one_worker_reads_is_told_with_what_to_do(tmp_path: Path) -> None:
    large, small = tmp_path / "my dump.json.gz", tmp_path / "small.json.gz"
    large.write_bytes(b"\x1f\x8b")
    small.write_bytes(b"\x1f\x8b")
    # A file with a hole: it takes no place on the disk.
    os.truncate(large, 1_300_000_000)
    inputs = Inputs({WIKIDATA: (str(small), str(large)), UNKNOWN: (str(large),)})
    (line,) = slow_to_read(inputs)
    assert line == (
        f"{large}: its 1.3 GB are one worker's work, as this form cannot be read in parts; "
        f"`benchwright recompress '{large}' 'my dump.json.zst'` makes one that all workers read"
    )
