"""A Wikidata JSON dump as a source: plain, gzip, bzip2 or Zstandard files, in any layout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stages.io.json_files import JsonFiles


@dataclass(frozen=True)
class WikidataDump(JsonFiles):
    """Wikidata entities from one or more files; see `JsonFiles`."""

    kind: str = "wikidata"

    def licences(self) -> Mapping[str, str]:
        return {"Wikidata": "CC0-1.0"}
