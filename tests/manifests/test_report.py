"""The three renderings of a difference, to the letter, and that a big one stays readable."""

from __future__ import annotations

import json

from manifests.diff import diff
from manifests.digest import combine
from manifests.report import as_json, as_markdown, as_text, table_lines
from manifests.rows import ChangedRow, RowsDifference
from tests.manifests.made import A, B, build, stage, table

BEFORE = build(stage(), stage("toy.old", []))
AFTER = build(
    stage(
        tables=[table(rows=1203, stable=B)],
        parameters={"shortest": 2, "forms": {"lower": False}},
        licences={"lines": "a|b"},
        packages={"pyarrow": "26.0.0"},
    ),
    stage("toy.new", [], rejects={"odd": 1}, packages={"pyarrow": "26.0.0"}, inputs={}),
    sources={"lines": "CC0-1.0", "pages": "CC-BY-SA-4.0"},
)
ROWS = RowsDifference(
    "words",
    added=3,
    changed=1,
    columns={"line": 1},
    added_rows=[{"word": "sea", "line": None}],
    changed_rows=[ChangedRow({"word": "door"}, {"line": ("a", "b")})],
)
FOUND = diff(BEFORE, AFTER)
TEXT = f"""\
toy {BEFORE.version} -> toy {AFTER.version}: different

build
  sources  pages  (absent)  CC-BY-SA-4.0

stages
  ~ toy.words: changed
    parameters  forms.lower  true          false
    licences    lines        CC0-1.0       a|b
    content     words        ffe054fe7ae0  a0fab1377f49
  - toy.old: removed
  + toy.new: added

funnel
  stage                          before  after  change
  toy.words  rows     words           3  1,203  +1,200
  toy.old    rejects  too_short       4      -      -4
  toy.new    rejects  odd             -      1      +1

rows of words: 3 added, 0 removed, 1 changed
  changed columns: line 1
  + word=sea, line=null
  + ... and 2 more
  ~ word=door
      line: a -> b

not compared
  package  pyarrow         25.0.1        26.0.0
  source   toy.old file 0  aaaaaaaaaaaa  (absent)
"""


def test_the_text_is_aligned_and_says_everything() -> None:
    assert as_text(FOUND, [ROWS]) == TEXT


def test_equal_builds_are_one_line() -> None:
    assert as_text(diff(BEFORE, BEFORE)) == f"toy {BEFORE.version} -> toy {BEFORE.version}: equal\n"
    assert as_markdown(diff(BEFORE, BEFORE)) == f"### `toy {BEFORE.version}` → `toy {BEFORE.version}`: equal\n"


def test_markdown_has_a_table_for_each_part_and_escapes_what_would_break_it() -> None:
    text = as_markdown(FOUND, [ROWS])
    assert text.startswith(f"### `toy {BEFORE.version}` → `toy {AFTER.version}`: different\n\n#### Build\n\n")
    assert "#### Stage `toy.words`: changed\n\n| what | key | before | after |\n| --- | --- | --- | --- |\n" in text
    assert "| licences | lines | CC0-1.0 | a\\|b |\n" in text
    assert "#### Stage `toy.old`: removed\n\n#### Stage `toy.new`: added\n\n#### Funnel\n\n" in text
    assert "| toy.words | rows | words | 3 | 1,203 | +1,200 |\n" in text
    assert "```\nrows of words: 3 added, 0 removed, 1 changed\n" in text


def test_json_leaves_nothing_out_and_shortens_nothing() -> None:
    data = as_json(FOUND, [ROWS])
    assert json.loads(json.dumps(data)) == data
    assert (data["equal"], data["a"]) == (False, f"toy {BEFORE.version}")
    assert data["build"] == [{"kind": "sources", "name": "pages", "new": "CC-BY-SA-4.0"}]
    changes = data["stages"][0]["changes"]
    assert {"kind": "content", "name": "words", "old": combine([A]), "new": combine([B])} in changes
    assert {"kind": "rows", "name": "words", "old": 3, "new": 1203} in changes
    assert data["funnel"][0] == {
        "stage": "toy.words", "kind": "rows", "name": "words", "old": 3, "new": 1203, "delta": 1200,
    }  # fmt: skip
    assert data["rows"][0]["changed_rows"] == [{"key": {"word": "door"}, "columns": {"line": ["a", "b"]}}]


def test_a_stage_that_differs_in_counts_alone_points_to_the_funnel() -> None:
    text = as_text(diff(build(stage()), build(stage(rejects={"too_short": 5}))))
    assert "  ~ toy.words: other counts\n\nfunnel\n" in text
    assert "  toy.words  rejects  too_short       4      5      +1\n" in text


def test_a_big_difference_stays_short() -> None:
    many = {f"key{number:04}": number for number in range(500)}
    one = build(*(stage(f"a.s{n}", [], parameters={}) for n in range(60)))
    two = build(*(stage(f"a.s{n}", [], parameters=many, rejects=many) for n in range(60)), parameters=many)
    found = diff(one, two)
    text, markdown = as_text(found), as_markdown(found)
    assert len(text.splitlines()) < 600 and len(text) < 40_000 and len(markdown) < 60_000
    for rendered in (text, markdown):
        assert "... and 480 more" in rendered and "... and 40 more" in rendered
    assert len(as_text(found, limit=3).splitlines()) < 50
    assert len(as_json(found)["stages"][0]["changes"]) == 1_001


def test_long_values_are_cut_where_they_part() -> None:
    one, two = "x" * 200 + "old" + "y" * 200, "x" * 200 + "new" + "y" * 200
    text = as_text(diff(build(stage(about=one)), build(stage(about=two))))
    assert "…xxxxxxxxxxxxold" in text and "…xxxxxxxxxxxxnew" in text
    assert max(map(len, text.splitlines())) < 130


def test_long_lists_show_what_one_side_alone_has() -> None:
    names = [f"Q{number}" for number in range(50)]
    text = as_text(diff(build(stage(), outputs=names), build(stage(), outputs=[*names[1:], "Q99"])))
    assert '50 items, with ["Q0"]' in text and '50 items, with ["Q99"]' in text
    moved = as_text(diff(build(stage(), outputs=names), build(stage(), outputs=names[::-1])))
    assert '["Q0","Q1"' in moved and '["Q49","Q48"' in moved


def test_line_breaks_in_values_break_no_line() -> None:
    text = as_text(diff(build(stage(about="one")), build(stage(about="two\nlines"))))
    assert "two lines" in text


def test_rows_that_cannot_be_compared_say_why() -> None:
    assert table_lines(RowsDifference("words", note="keyed by a before and by b after, not comparable")) == [
        "rows of words: keyed by a before and by b after, not comparable"
    ]
