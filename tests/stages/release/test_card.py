"""The frame that all cards share."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from stages.ifqa.release.records import CounterfactualRecord
from stages.release.card import CardText, Facts, Holdings, card_row, card_rows, render_card
from stages.release.format import ReleaseError

TEXT = CardText("Answers & more", "Questions with many answers.", "0.1.0", {"Wikidata": "CC0", "Wikipedia": "CC BY-SA"})
FACTS: Facts = {"splits": "| train | 2 |", "kinds": "| a | 1 |", "known": "All answers are known."}
SOME = {"": ["train", "test"]}


def card(text: CardText = TEXT, **present: list[str]) -> str:
    return render_card(text, "answers.md", FACTS, Holdings(present or SOME, 2), CounterfactualRecord)


def test_texts_facts_and_fields_stand_in_their_places() -> None:
    made = card()
    assert "# Answers & more\n\nQuestions with many answers.\n\n## Questions\n" in made
    assert "| train | 2 |\n\nThis release has no dev set.\n\n| kind" in made
    assert "- `context`: the passages that the question was asked about\n\n`parquet/` holds" in made
    assert "| source | licence |\n|---|---|\n| Wikidata | CC0 |\n| Wikipedia | CC BY-SA |\n\nPassages remain" in made
    assert "$" not in made and "\n\n\n" not in made and made.endswith(".\n")


def test_the_metadata_block_is_yaml() -> None:
    block = yaml.safe_load(card().split("---\n")[1])
    [config] = block["configs"]
    assert config["config_name"] == "default"
    assert [entry["path"] for entry in config["data_files"]] == ["parquet/train.parquet", "parquet/test.parquet"]
    named = yaml.safe_load(card(full=["dev"], few=["train"]).split("---\n")[1])["configs"]
    assert [(one["config_name"], one["data_files"]) for one in named] == [
        ("full", [{"split": "dev", "path": "parquet/full/dev.parquet"}]),
        ("few", [{"split": "train", "path": "parquet/few/train.parquet"}]),
    ]


def test_what_a_benchmark_lacks_is_told_of_it_or_of_all() -> None:
    every = ["train", "dev", "test"]
    told = card(full=["train"], few=every)
    assert "\n`full` has no dev and no test set.\n" in told and "`few` has no" not in told
    assert "\nThis release has no train set.\n" in card(ans=["dev", "test"], full=["dev", "test"])
    assert " has no " not in card(ans=every, full=every)


def test_a_licence_that_a_source_states_stays_in_its_cell() -> None:
    text = replace(TEXT, licences={"host": "as stated |\n\n# Heading <script>"})
    assert "| host | as stated \\| # Heading &lt;script&gt; |\n" in card(text)
    assert card_row("a|b", [1234, "x"]) == "| a\\|b | 1,234 | x |"
    assert card_rows([("a", 1), ("b", 2)]) == "| a | 1 |\n| b | 2 |"


def test_a_template_with_an_unknown_field_is_named(tmp_path: Path) -> None:
    template = tmp_path / "card.md"
    template.write_text("## LIMITS\n\n$name $price\n")
    with pytest.raises(
        ReleaseError, match=r"card.md: cannot be filled in \('price'\); the fields are absent, description"
    ):
        render_card(TEXT, str(template), FACTS, Holdings(SOME, 2), CounterfactualRecord)


@pytest.mark.parametrize(
    ("stated", "shown"),
    [
        ("[free](https://host/x)", r"\[free\](https://host/x)"),
        ("![x](y) `a` *b* _c_ ~d~ $e$", r"!\[x\](y) \`a\` \*b\* \_c\_ \~d\~ \$e\$"),
        ("<img src=x onerror=y> &lt;b&gt;", "&lt;img src=x onerror=y&gt; &amp;lt;b&amp;gt;"),
        ("a\\|b\u202ec\x07", r"a\\\|bc"),
        ("CC BY-SA 4.0 (Wikipedia), 1.2", "CC BY-SA 4.0 (Wikipedia), 1.2"),
    ],
)
def test_what_a_source_states_is_no_markup_of_a_card(stated: str, shown: str) -> None:
    assert card_row("host", [stated]) == f"| host | {shown} |"


def test_what_can_be_searched_is_told_where_there_is_something() -> None:
    held = Holdings(SOME, 2, judged={"": ["test"]}, repeated=1200)
    told = render_card(TEXT, "answers.md", FACTS, held, CounterfactualRecord)
    assert "once: 1,200 passages have the text of another one" in told and "corpus.jsonl" not in card()
    assert '    mlcroissant.Dataset("FOLDER/croissant.json")\n\n`corpus.jsonl` is' in told
