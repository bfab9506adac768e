"""The three renderings of what changed in a release: they say the same, and run nothing that a source says."""

from __future__ import annotations

import html
import json
from pathlib import Path

from manifests.rows import RowsDifference
from manifests.storage import Storage
from pipelines import pages
from pipelines.changes import release_changes
from tests.pipelines.qampari import made_build
from tests.pipelines.test_changes import with_rejects
from tests.pipelines.test_why import reject


def test_text_markdown_and_html_say_the_same_and_run_nothing(tmp_path: Path) -> None:
    first, second = Storage.at(tmp_path / "a"), Storage.at(tmp_path / "b")
    hostile = "P57:Q2"
    after = with_rejects(second, made_build.build(second, questions=2, answers=1), reject(hostile, "a|b<script>"))
    found = release_changes(first, made_build.build(first), second, after)
    assert found is not None
    parts = pages.release_parts(found, 1)
    text, markdown = pages.as_text(parts), pages.as_markdown(parts)
    assert text.startswith("Questions of the release\nkind      before    after    gained    lost    changed")
    assert "- Which films did Ada direct in 2? (P57:Q2; simple, dev): qampari.cleaning: a|b<script>\n" in text
    assert "~ Which films did Ada direct in 0? (P57:Q0; simple, train); lost: Film 0.1\n... and 1 more\n" in text
    assert "| qampari.cleaning: a\\|b\\<script> |" in markdown
    page = pages.as_html("a → b", parts, "details <b>")
    assert "<script" not in page and html.escape("a|b<script>") in page and "details &lt;b&gt;" in page
    assert "default-src 'none'" in page and "http://" not in page and "https://" not in page
    data = json.loads(json.dumps(pages.as_json(found)))
    assert data["lost"][0]["why"] == "qampari.cleaning: a|b<script>" and len(data["changed"]) == 2


def test_no_parts_are_no_text() -> None:
    assert pages.as_text([]) == pages.as_markdown([]) == ""


def test_of_tables_the_counts_are_shown_and_the_most_changed_first() -> None:
    tables = [RowsDifference("small", added=1), RowsDifference("large", 2, 3, 4), RowsDifference("odd", note="no key")]
    (part,) = pages.table_parts(tables, 2)
    assert part.rows == (("large", 2, 3, 4, ""), ("small", 1, 0, 0, ""))
    assert part.lines == ("... and 1 more", "--table NAME shows the rows of one")
    assert pages.table_parts([], 2) == []
