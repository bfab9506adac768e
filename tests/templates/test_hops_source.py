"""The reader of the source of the sample of single hops refuses what it cannot mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.hops_source import DAMAGED_FILES, ODD_FILES, SourceError, read

PARAGRAPHS = """
Bridge:
  text: The bridge over the Forth was painted by many men.
  hops:
    Which water does the bridge cross?: [Forth, the Forth]
    Bridge >> painted by: many men
"""
COMPOSITIONS = "- steps: [one, two]\n  asks: Which bridge?\n"


def source(folder: Path, paragraphs: str, compositions: str = COMPOSITIONS) -> Path:
    for name in ("islands", "odd", "damaged"):
        (folder / name).mkdir()
    (folder / "islands" / "some.yaml").write_text(paragraphs, encoding="utf-8")
    (folder / "compositions.yaml").write_text(compositions, encoding="utf-8")
    for name in (*(f"odd/{name}" for name in ODD_FILES), *(f"damaged/{name}" for name in DAMAGED_FILES)):
        (folder / f"{name}.yaml").write_text("[]\n", encoding="utf-8")
    return folder


def test_a_paragraph_with_hops(tmp_path: Path) -> None:
    found = read(source(tmp_path, PARAGRAPHS))
    [paragraph] = found.paragraphs
    assert paragraph.given == "neutral"
    assert paragraph.hops == {
        "Which water does the bridge cross?": ("Forth", "the Forth"),
        "Bridge >> painted by": ("many men",),
    }
    [made] = found.compositions
    assert (made.steps, made.asks, made.differ) == (("one", "two"), "Which bridge?", "")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  text:", "  words:", "Bridge: unknown key 'words'"),
        ("  hops:", "  as: xml\n  hops:", "as: expected one of neutral, squad, trex, zero_shot, nq, got 'xml'"),
        ("by: many men", "by: 1890", "Bridge: 1890 is no text; put it into quotation marks"),
        ("[Forth, the Forth]", "Tay", "Bridge: the text does not hold 'Tay'"),
        ("  hops:", "  as: trex\n  hops:", "is no relation, which is all that trex holds"),
        ("Which water does the bridge cross?", "Water >> crossed by", "Bridge: in zero_shot the title is the subject"),
        ("by: many men\n", "by: many men\nBridge:\n  text: a\n", "stands twice"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    paragraphs = PARAGRAPHS.replace(old, new, 1)
    if "zero_shot" in message and "one of" not in message:
        paragraphs = paragraphs.replace("  hops:", "  as: zero_shot\n  hops:")
    with pytest.raises(SourceError, match=message):
        read(source(tmp_path, paragraphs))


@pytest.mark.parametrize("entry", ["- steps: [one]\n", "- {steps: [one], asks: a, differ: b}\n"])
def test_a_composition_either_asks_or_refuses(tmp_path: Path, entry: str) -> None:
    with pytest.raises(SourceError, match="expected either asks or differ"):
        read(source(tmp_path, PARAGRAPHS, entry))
