"""Builds the files of the sample of processes from its source.

python -m tests.tools.build_processes            writes the sample's files beside its source
python -m tests.tools.build_processes --check    only tells whether they are up to date

Answers name their task by a digest of what the worker saw. So paragraphs and graphs are
written first, and the stages of a build make the tasks for which the answers are then written.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.tools import processes_answers as answers
from tests.tools import processes_records as records
from tests.tools import processes_source
from tests.tools.build_counterfactuals import write, write_or_check
from tests.tools.processes_answers import Tasks
from tests.tools.sample_run import run

SAMPLE = Path(__file__).resolve().parents[2] / "templates" / "samples" / "processes"
ANSWERS, DAMAGED = "answers", "damaged"


def build(source: Path) -> dict[str, bytes]:
    """Path inside the sample to content. Raises SourceError where the source is wrong."""
    sample = processes_source.read(source)
    ids = records.para_ids(sample)
    texts = records.text_files(sample, ids)
    with TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, texts)
        write(folder, answers.graph_files(sample, Tasks(ids, run("wiqa", (folder,)))))
        # The graphs that people fill decide which questions there are.
        tasks = Tasks(ids, run("wiqa", (folder,)))
    return {
        **texts,
        **_inside(ANSWERS, answers.all_files(sample, tasks)),
        **_inside(DAMAGED, records.damaged_files(sample) | answers.damaged_files(sample, tasks)),
    }


def _inside(folder: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {f"{folder}/{name}": data for name, data in files.items()}


def main(arguments: list[str]) -> int:
    return write_or_check(SAMPLE, build(SAMPLE / "source"), arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
