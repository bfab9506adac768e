"""What a release says of where it comes from."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from pathlib import Path

import pytest
import yaml

from manifests.manifest import BuildManifest, ManifestError
from pipelines.building import build
from pipelines.provenance import BUILD, CITATION, differing, papers, read_release
from pipelines.provenance import described as first_lines

PAGE = '{"title": "A", "text": "A is a page."}\n'


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, BuildManifest]:
    folder = tmp_path_factory.mktemp("made")
    (folder / "facts.csv").write_text("subject,property,object\nA,league,B\n", encoding="utf-8")
    (folder / "pages.jsonl").write_text(PAGE, encoding="utf-8")
    sources = [folder / "facts.csv", folder / "pages.jsonl"]
    found = build("qampari", sources=sources, root=folder / "root", until="wikipedia.pages")
    return folder, found.manifest


def test_every_source_is_told_with_its_digest(made: tuple[Path, BuildManifest]) -> None:
    folder, manifest = made
    facts, pages = manifest.run["sources"]
    assert {**pages, "modified": ""} == {
        "name": "pages.jsonl",
        "bytes": len(PAGE),
        "modified": "",
        "sha256": hashlib.sha256(PAGE.encode()).hexdigest(),
        "stage": "wikipedia.pages",
    }
    assert facts["name"] == "facts.csv" and facts["stage"] == "wikidata.parse"
    assert differing(manifest, [str(folder / "facts.csv"), str(folder / "pages.jsonl")]) == []
    (folder / "other.csv").write_text("a,b\n", encoding="utf-8")
    assert differing(manifest, [str(folder / "facts.csv"), str(folder / "other.csv")]) == [
        f"{folder / 'other.csv'} is no file of the build",
        f"pages.jsonl (sha256 {pages['sha256'][:12]}) is missing",
    ]


def test_a_release_holds_the_manifest_and_not_the_machine(made: tuple[Path, BuildManifest]) -> None:
    folder, manifest = made
    text = papers(manifest, "Title")[BUILD]
    assert read_release(text.encode(), BUILD).version == manifest.version
    assert str(folder) not in text and "host" not in json.loads(text)["run"]
    with pytest.raises(ManifestError, match="was altered"):
        read_release(text.replace("facts.csv", "fakes.csv").encode(), BUILD)


def test_what_the_build_file_says_stands_in_the_citation(made: tuple[Path, BuildManifest]) -> None:
    _, manifest = made
    plain = yaml.safe_load(papers(manifest, "Title")[CITATION])
    assert (plain["title"], plain["authors"], plain["version"]) == ("Title", [{"name": "anonymous"}], manifest.version)
    assert "license" not in plain
    about = {
        "name": "Clubs: a set",
        "version": "2",
        "licence": "CC0-1.0",
        "authors": "Ann; Ben",
        "citation": "Cite.",
    }
    said = dataclasses.replace(manifest, about=about)
    found = yaml.safe_load(papers(said, "Title")[CITATION])
    assert (found["title"], found["version"], found["license"], found["message"]) == (
        "Clubs: a set",
        "2",
        "CC0-1.0",
        "Cite.",
    )
    assert found["authors"] == [{"name": "Ann"}, {"name": "Ben"}]
    assert first_lines(said, "Title: of it") == (
        "Clubs: a set, in the form of Title.\n\nVersion 2. Licence: CC0-1.0. By Ann; Ben. Cite it as: Cite."
    )
    assert first_lines(manifest, "Title") == "Title."
    assert said.version != manifest.version
    assert BuildManifest.from_dict(said.to_dict(), "here").about == about
