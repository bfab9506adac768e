"""The dataset card."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from stages.release.card import CardText, render_card
from stages.release.format import ReleaseError
from stages.release.records import RECORDS, SIDECAR

TEXT = CardText("Answers & more", "Questions with many answers.", "0.1.0", {"Wikidata": "CC0", "Wikipedia": "CC BY-SA"})


def tables() -> tuple:
    records = [
        {
            "qid": f"{number}__{kind}__{split}",
            "query": "q",
            "split": split,
            "kind": kind,
            "record": "",
        }
        for number, kind, split in ((0, "wikidata_simple", "train"), (1, "wikidata_comp", "train"), (0, "x", "test"))
    ]
    base = dict.fromkeys(SIDECAR.schema.names, "") | {
        "position": 0,
        "sentence_index": 0,
        "score": 0.5,
        "confirmed": False,
    }
    base |= {"properties": [], "entities": [], "classes": [], "types": []}
    side = [
        base | {"aid": aid, "position": position, "split": split}
        for aid, position, split in (
            ("a", 0, "train"),
            ("a", 1, "train"),
            ("b", 0, "train"),
            ("c", 0, "train"),
            ("d", 0, "test"),
        )
    ]
    return RECORDS.table(records), SIDECAR.table(side)


def test_counts_and_licences() -> None:
    card = render_card(TEXT, *tables())
    assert "| train | 2 | 3 | 1.50 |\n| test | 1 | 1 | 1.00 |" in card
    assert "| wikidata_comp | 1 |\n| wikidata_simple | 1 |\n| x | 1 |" in card
    assert "| Wikidata | CC0 |\n| Wikipedia | CC BY-SA |" in card
    assert "# Answers & more\n" in card
    assert "$" not in card
    assert "| test | 1 | 1 | 1.00 |\n\nThis release has no dev set.\n\n| kind" in card


def test_a_licence_that_a_source_states_stays_in_its_cell() -> None:
    text = replace(TEXT, licences={"host": "as stated |\n\n# Heading <script>"})
    assert "| host | as stated \\| # Heading &lt;script> |\n" in render_card(text, *tables())


def test_the_metadata_block_is_yaml() -> None:
    _, block, _ = render_card(TEXT, *tables()).split("---\n", 2)
    (config,) = yaml.safe_load(block)["configs"]
    assert [entry["path"] for entry in config["data_files"]] == ["parquet/train.parquet", "parquet/test.parquet"]


def test_a_template_with_an_unknown_field_is_named(tmp_path: Path) -> None:
    template = tmp_path / "card.md"
    template.write_text("$name $price")
    with pytest.raises(ReleaseError, match=r"card.md: cannot be filled in \('price'\); the fields are absent, configs"):
        render_card(TEXT, *tables(), template=template)
