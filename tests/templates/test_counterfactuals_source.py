"""The reader of the sample's source refuses what it cannot mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.counterfactuals_questions import passage_of
from tests.tools.counterfactuals_source import DAMAGED_FILES, ODD_FILES, SourceError, read

PAGE = """
Bridge:
  redirects: [Old bridge]
  text: The bridge fell in a storm.
  questions:
    - about: in a storm
      asks: If there had been no storm, what would not have fallen?
      answers: [the bridge]
"""


def source(folder: Path, pages: str) -> Path:
    for name in ("pages", "odd", "damaged"):
        (folder / name).mkdir()
    (folder / "pages" / "some.yaml").write_text(pages, encoding="utf-8")
    for name in ("odd_pages", *(f"odd/{name}" for name in ODD_FILES), *(f"damaged/{name}" for name in DAMAGED_FILES)):
        (folder / f"{name}.yaml").write_text("[]\n", encoding="utf-8")
    return folder


def test_a_page_with_a_question(tmp_path: Path) -> None:
    [page] = read(source(tmp_path, PAGE)).pages
    assert page.redirects == {"Old bridge": "Bridge"}
    assert [(question.votes, question.given) for question in page.questions] == [(("keep", "keep"), "written")]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("redirects:", "redirect:", "Bridge: unknown key 'redirect'"),
        ("asks:", "ask:", "Bridge: unknown key 'ask'"),
        ("[the bridge]", "[1936]", "Bridge: 1936 is no text; put it into quotation marks"),
        ("[the bridge]", "[x]\n      votes: [maybe]", "Bridge: 'maybe' is no vote"),
        ("[the bridge]", "[x]\n      votes: [{reason: no}]", "is no vote"),
        ("[the bridge]", "[x]\n      given: orally", "given: expected neutral or released, got 'orally'"),
        ("[Old bridge]", "[Bridge]", "pages: 'Bridge' stands twice"),
        ("[the bridge]", "[the bridge", r"some\.yaml: "),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read(source(tmp_path, PAGE.replace(old, new, 1)))


def test_words_that_are_cut_in_two_are_named(tmp_path: Path) -> None:
    text = "word " * 98 + "in a storm"
    [page] = read(source(tmp_path, PAGE.replace("The bridge fell in a storm.", text))).pages
    with pytest.raises(SourceError, match="Bridge: no passage has the words 'in a storm'"):
        passage_of(page.questions[0], page)
