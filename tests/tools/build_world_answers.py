"""Builds the sample world's file of people's answers from its source.

python -m tests.tools.build_world_answers            writes templates/samples/world/answers/answers.jsonl
python -m tests.tools.build_world_answers --check    only tells whether it is up to date

Answers name their task by a digest of what the worker saw, so a build of the dumps tells first which tasks there are:
two minutes or so.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.tools.build_counterfactuals import write_or_check
from tests.tools.build_world import WORLD
from tests.tools.sample_run import run
from tests.tools.world_answers import ANSWERS_FILE, Tasks, answers_file, read

ANSWERS = "answers"
DUMPS = tuple(WORLD / name for name in ("wikidata.json", "wikipedia.xml"))


def build(source: Path) -> dict[str, bytes]:
    """Path inside the sample to content. Raises SourceError where the source is wrong."""
    return {f"{ANSWERS}/{ANSWERS_FILE}": answers_file(read(source), Tasks(run("qampari", DUMPS).rows))}


def main(arguments: list[str]) -> int:
    return write_or_check(WORLD, build(WORLD / "source"), arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
