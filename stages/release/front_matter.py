"""The metadata block of a card, as dataset hubs read it: licence, size, tasks, language, and where each split lies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import yaml

# What the Hub calls the licences that sources state, by their letters and digits alone.
_LICENCES = {
    "cc010": "cc0-1.0",
    "cc0": "cc0-1.0",
    "ccby30": "cc-by-3.0",
    "ccby40": "cc-by-4.0",
    "ccbysa30": "cc-by-sa-3.0",
    "ccbysa40": "cc-by-sa-4.0",
    "apache20": "apache-2.0",
    "mit": "mit",
    "odcby": "odc-by",
    "odcby10": "odc-by",
}
OTHER = "other"
# The Hub's classes of size, each up to its number of rows.
_SIZES = {10**3: "n<1K", 10**4: "1K<n<10K", 10**5: "10K<n<100K", 10**6: "100K<n<1M", 10**7: "1M<n<10M"}
_LARGEST = "10M<n<100M"


def front_matter(
    name: str,
    licences: Iterable[str],
    tasks: Sequence[str],
    rows: int,
    present: Mapping[str, Sequence[str]],
) -> str:
    """The block in YAML, without the lines of dashes around it.

    licences: as the sources state them; tasks: the Hub's task categories; rows: of all benchmarks together; present:
    the splits that each benchmark has. Only tables are named, as `datasets` reads all configs of a folder in one form.
    """
    configs = [_config(config, splits) for config, splits in present.items() if splits]
    if configs:
        configs[0]["default"] = True
    block = {
        "pretty_name": name,
        "language": ["en"],
        "license": hub_licences(licences),
        "size_categories": [size_category(rows)],
        "task_categories": list(tasks),
        "tags": ["benchwright"],
        "configs": configs,
    }
    return yaml.safe_dump(block, sort_keys=False, allow_unicode=True, width=120).rstrip()


def hub_licences(stated: Iterable[str]) -> str | list[str]:
    """The Hub's names of the licences, one or a sorted list; "other" where one of them has none there, or none is
    stated. What stands in brackets says whose it is."""
    parts = [part for text in stated for part in re.sub(r"\([^()]*\)", "", text).split("|")]
    names = {_LICENCES.get(re.sub(r"[^a-z0-9]", "", part.lower()), OTHER) for part in parts}
    if OTHER in names or not names:
        return OTHER
    return names.pop() if len(names) == 1 else sorted(names)


def size_category(rows: int) -> str:
    return next((name for most, name in _SIZES.items() if rows < most), _LARGEST)


def _config(config: str, splits: Sequence[str]) -> dict[str, Any]:
    folder = f"parquet/{config}" if config else "parquet"
    files = [{"split": split, "path": f"{folder}/{split}.parquet"} for split in splits]
    return {"config_name": config or "default", "data_files": files}
