"""Builds the files of the sample of single hops from its source.

python -m tests.tools.build_hops            writes the sample's files beside its source
python -m tests.tools.build_hops --check    only tells whether they are up to date

Answers name their task by a digest of what the worker saw. So the files of hops are written
first, and a build of them tells which tasks there are.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.tools import hops_source
from tests.tools.build_counterfactuals import write
from tests.tools.counterfactuals_pages import entry_lines, lines
from tests.tools.hops_answers import ANSWERS_FILE, Tasks, answers_file, resolved
from tests.tools.hops_files import damaged_files, hop_files
from tests.tools.sample_run import run

SAMPLE = Path(__file__).resolve().parents[2] / "templates" / "samples" / "hops"
ANSWERS, DAMAGED = "answers", "damaged"
# The checks that stand in for people refuse a good part of so small a sample: without them all shapes come out of it.
ALL_GRAPHS = ("hops.sound=false", "bridges.stated=false", "bridges.fuller=false", "composition.nested=false")


def build(source: Path) -> dict[str, bytes]:
    """Path inside the sample to content. Raises SourceError where the source is wrong."""
    sample = hops_source.read(source)
    given = hop_files(sample)
    with TemporaryDirectory() as name:
        write(Path(name), given)
        tasks = Tasks(run("musique", (Path(name),), settings=ALL_GRAPHS))
    damaged = damaged_files(sample) | {ANSWERS_FILE: lines(entry_lines(resolved(sample.damaged["answers"], tasks)))}
    return (
        given
        | {f"{ANSWERS}/{ANSWERS_FILE}": answers_file(sample, tasks)}
        | {f"{DAMAGED}/{file}": data for file, data in damaged.items()}
    )


def main(arguments: list[str]) -> int:
    files = build(SAMPLE / "source")
    if "--check" in arguments:
        stale = [n for n, data in files.items() if not (SAMPLE / n).is_file() or (SAMPLE / n).read_bytes() != data]
        print(f"not up to date: {', '.join(stale)}" if stale else "up to date")
        return 1 if stale else 0
    write(SAMPLE, files)
    for name, data in files.items():
        print(f"{name}: {len(data):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
