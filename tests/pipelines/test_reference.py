"""The site of the documentation: what is made of the code, that it is whole, and that it asks no other host."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from pipelines.cli.params import parameters
from pipelines.datasets import dataset, names
from pipelines.reference import (
    commands_page,
    library_page,
    parameters_page,
    readme_pages,
    relinked,
    sources,
    tables_page,
)
from tests.pipelines.commands import commands

REPO = Path(__file__).resolve().parents[2]
_FETCHED = re.compile(r"<(?:script|link|img|iframe|source)\b[^>]*\b(?:src|href)=\"([^\"]+)")
CONFIG = REPO / "templates" / "docs" / "mkdocs.yml"


def headings(page: str) -> list[str]:
    return re.findall(r"^## (.+)$", page, re.MULTILINE)


def test_every_command_is_there_with_its_options() -> None:
    page = commands_page()
    assert set(commands()) <= set(headings(page))
    tasks = page.partition("\n## tasks\n")[2].partition("\n## ")[0]
    assert "Usage: benchwright tasks [OPTIONS] {" in tasks and "--push URL" in tasks and "-h, --help" in tasks


def test_every_parameter_is_there_with_its_default() -> None:
    page = parameters_page()
    for name in names():
        part = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        keys = [item.key for item in parameters(dataset(name).defaults)]
        assert re.findall(r"^\| `([^`]+)` \|", part, re.MULTILINE) == keys
    assert "| `queries.min_answers` | `5` | step 1 |" in page


def test_tables_of_one_form_are_told_once_and_others_of_one_name_apart() -> None:
    pytest.importorskip("spacy", reason="needs the extra 'text'")
    page = tables_page()
    found = headings(page)
    assert len(found) == len(set(found)) > 100
    assert "verdicts" in found and "verdicts_answers" not in found
    assert {"questions (qampari)", "questions (wiqa)"} <= set(found) and "questions" not in found
    verdicts = page.partition("\n## verdicts\n")[2].partition("\n## ")[0]
    assert "- key: `task`" in verdicts and "| `votes` | `int32` |  |" in verdicts
    assert "`verdicts_answers_2` by `annotation.verdicts_answers_2`" in verdicts
    assert "agreeing: of these, equal to the majority's" in verdicts
    assert "| `started` | `string` | yes |" in page


def test_the_library_is_there_with_signatures() -> None:
    page = library_page()
    import benchwright

    assert set(headings(page)) == set(benchwright.__all__)
    assert "    sources: Paths | None = None,\n" in page and "workers: processes on this machine" in page
    assert "### Build.pandas" in page and "\nStageError\n" in page


def test_links_lead_to_pages_or_become_words() -> None:
    places = {"README.md": "index.md", "a/README.md": "sets/a.md"}
    text = "[one](a/README.md#x) [file](Makefile) [far](https://example.org) [here](#there)"
    assert relinked(text, "README.md", places) == "[one](sets/a.md#x) file [far](https://example.org) [here](#there)"
    assert relinked("[up](../README.md)", "a/README.md", places) == "[up](../index.md)"
    with pytest.raises(ValueError, match=r"README\.md: the link to gone\.md leads nowhere"):
        relinked("[gone](gone.md)", "README.md", places)


def test_every_page_has_its_place_in_the_list() -> None:
    # The list of pages is the site's own order of reading.
    listed = re.findall(r": ([a-z_/]+\.md)$", CONFIG.read_text(encoding="utf-8"), re.MULTILINE)
    written = {
        path.relative_to(REPO / "templates/docs/pages").as_posix()
        for path in (REPO / "templates/docs/pages").rglob("*.md")
    }
    made = {"reference/commands.md", "reference/parameters.md", "reference/tables.md", "reference/library.md"}
    assert set(listed) == written | made | set(sources().values()) | {"tutorials/first_look.md"}
    assert len(listed) == len(set(listed)) and set(readme_pages()) == set(sources().values())


def test_the_site_is_whole_and_fetches_nothing_from_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="needs the extra 'docs'")
    pytest.importorskip("spacy", reason="needs the extra 'text'")
    built = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(CONFIG)]
    done = subprocess.run([*built, "--site-dir", str(tmp_path / "site")], cwd=REPO, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    pages = sorted((tmp_path / "site").rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        fetched = re.findall(
            r"<(?:script|link|img|iframe|source)\b[^>]*\b(?:src|href)=\"([^\"]+)", page.read_text("utf-8")
        )
        assert [address for address in fetched if re.match(r"(?:[a-z]+:)?//", address)] == [], page
    styles = [path.read_text("utf-8") for path in (tmp_path / "site").rglob("*.css")]
    assert not any(re.search(r"url\([\"']?(?:https?:)?//|@import", style) for style in styles)
    assert yaml.safe_load(CONFIG.read_text(encoding="utf-8"))["use_directory_urls"] is False
