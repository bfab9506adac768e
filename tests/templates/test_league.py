"""The worked example of a domain without Wikidata: its files are those of its source, and all of it is read."""

from __future__ import annotations

from pathlib import Path

from pipelines.build_file import read_build_file
from pipelines.corpus import simple_words
from stages.facts.relations.templates import load_relations
from stages.io.detect import PAGES, TRIPLES, detect
from stages.wikidata.parse import ParseParams, parse
from stages.wikidata.simple import SimpleStatements
from tests.tools.build_league import LEAGUE, build


def test_the_files_are_up_to_date() -> None:
    for name, text in build().items():
        assert (LEAGUE / name).read_text(encoding="utf-8") == text, f"run python -m tests.tools.build_league: {name}"


def test_all_is_read_and_every_word_has_a_template() -> None:
    said = read_build_file(str(LEAGUE / "build.yaml"))
    inputs = detect(said.sources)
    assert {kind: [Path(path).name for path in paths] for kind, paths in inputs.paths.items()} == {
        TRIPLES: ["facts.csv"],
        PAGES: ["pages.csv"],
    }
    relations = load_relations(sorted(str(path) for path in Path(said.templates[0]).glob("*.yaml")))
    source = SimpleStatements(inputs.of(TRIPLES), words=simple_words(relations))
    (table,) = (table for part in source.parts() for table in source.read(part))
    output = parse(table, params=ParseParams())
    assert output.rejects.num_rows == 0
    # 120 clubs, coaches and grounds, 24 towns, six divisions and twelve colours.
    assert output.tables["entities"].num_rows == 402
    assert set(output.tables["statements"]["property"].to_pylist()) <= {*relations.properties}
