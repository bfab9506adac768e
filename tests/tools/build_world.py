"""Builds the two dumps of the sample world from its source.

python -m tests.tools.build_world            writes templates/samples/world/*.json and *.xml
python -m tests.tools.build_world --check    only tells whether they are up to date
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.tools import world_source, world_wikidata, world_wikipedia

WORLD = Path(__file__).resolve().parents[2] / "templates" / "samples" / "world"


def build(source: Path) -> dict[str, bytes]:
    """File name to content. Raises SourceError where the source is wrong."""
    world = world_source.read(source)
    return {
        "wikidata.json": world_wikidata.dump(world).encode(),
        "wikipedia.xml": world_wikipedia.dump(world).encode(),
    }


def main(arguments: list[str]) -> int:
    files = build(WORLD / "source")
    if "--check" in arguments:
        stale = [name for name, data in files.items() if (WORLD / name).read_bytes() != data]
        print(f"not up to date: {', '.join(stale)}" if stale else "up to date")
        return 1 if stale else 0
    for name, data in files.items():
        (WORLD / name).write_bytes(data)
        print(f"{name}: {len(data):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
