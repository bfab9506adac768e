"""The metadata block: what hubs read of licence, size and places."""

from __future__ import annotations

import pytest
import yaml

from stages.release.front_matter import front_matter, hub_licences, size_category


def test_the_block_is_yaml_with_all_that_a_hub_asks_for() -> None:
    name = 'Answers: "more" & #1'
    block = yaml.safe_load(front_matter(name, ["CC0-1.0"], ["question-answering"], 1234, {"": ["train", "test"]}))
    assert block == {
        "pretty_name": name,
        "language": ["en"],
        "license": "cc0-1.0",
        "size_categories": ["1K<n<10K"],
        "task_categories": ["question-answering"],
        "tags": ["benchwright"],
        "configs": [
            {
                "config_name": "default",
                "data_files": [
                    {"split": "train", "path": "parquet/train.parquet"},
                    {"split": "test", "path": "parquet/test.parquet"},
                ],
                "default": True,
            }
        ],
    }


def test_the_first_of_several_benchmarks_is_the_default() -> None:
    block = yaml.safe_load(front_matter("a", [], [], 0, {"none": [], "full": ["dev"], "few": ["train"]}))
    assert [config.get("default") for config in block["configs"]] == [True, None]
    assert block["configs"][1]["data_files"] == [{"split": "train", "path": "parquet/few/train.parquet"}]


@pytest.mark.parametrize(
    ("stated", "name"),
    [
        (["CC0-1.0", "CC0-1.0 (this project's own sample)"], "cc0-1.0"),
        (["CC0-1.0", "CC BY-SA 4.0"], ["cc-by-sa-4.0", "cc0-1.0"]),
        (["CC BY-SA 3.0 | cc by-sa 4.0"], ["cc-by-sa-3.0", "cc-by-sa-4.0"]),
        (["Apache-2.0"], "apache-2.0"),
        (["CC0-1.0", "not stated by the file"], "other"),
        (["CC0-1.0 | and 3 more (all: 0123456789ab)"], "other"),
        (["<script>"], "other"),
        ([], "other"),
    ],
)
def test_a_licence_is_only_named_where_it_is_known(stated: list[str], name: str | list[str]) -> None:
    assert hub_licences(stated) == name


def test_sizes_are_the_classes_of_the_hub() -> None:
    found = [size_category(rows) for rows in (0, 999, 1000, 99_999, 10**6, 10**7)]
    assert found == ["n<1K", "n<1K", "1K<n<10K", "10K<n<100K", "1M<n<10M", "10M<n<100M"]
