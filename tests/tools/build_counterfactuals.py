"""Builds the files of the sample of counterfactual questions from its source.

python -m tests.tools.build_counterfactuals            writes the sample's files beside its source
python -m tests.tools.build_counterfactuals --check    only tells whether they are up to date

Answers name their task by a digest of what the worker saw. So pages and files of questions are
written first; a build draws the sheets that are then written on; and a build with what was
written asks for the votes.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.tools import counterfactuals_source
from tests.tools.counterfactuals_answers import VOTES_FILE, WRITTEN_FILE, Tasks, votes_file, written_file
from tests.tools.counterfactuals_pages import entry_lines, lines, page_files
from tests.tools.counterfactuals_questions import NEUTRAL_FILE, question_files
from tests.tools.counterfactuals_source import Sample
from tests.tools.sample_run import run

SAMPLE = Path(__file__).resolve().parents[2] / "templates" / "samples" / "counterfactuals"
ANSWERS, DAMAGED = "answers", "damaged"


def build(source: Path) -> dict[str, bytes]:
    """Path inside the sample to content. Raises SourceError where the source is wrong."""
    sample = counterfactuals_source.read(source)
    given = page_files(sample) | question_files(sample)
    with TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, given)
        tasks = Tasks(run("ifqa", (folder,)))
        # Odd records may name sheets only here: what they say makes no question.
        written = written_file(sample, tasks, sample.odd["written"])
        write(folder, {f"{ANSWERS}/{WRITTEN_FILE}": written})
        tasks = Tasks(run("ifqa", (folder,), (folder / ANSWERS,)))
        votes = votes_file(sample, tasks, sample.odd["votes"])
    answers = {f"{ANSWERS}/{WRITTEN_FILE}": written, f"{ANSWERS}/{VOTES_FILE}": votes}
    return given | answers | {f"{DAMAGED}/{file}": data for file, data in _damaged(sample, tasks).items()}


def _damaged(sample: Sample, tasks: Tasks) -> dict[str, bytes]:
    """The same files with nothing but the damaged records."""
    nothing = Sample((), (), sample.odd, sample.damaged)
    return {
        "pages.jsonl": lines(entry_lines(sample.damaged["pages"])),
        NEUTRAL_FILE: lines(entry_lines(sample.damaged["questions"])),
        WRITTEN_FILE: votes_file(nothing, tasks, sample.damaged["written"]),
        VOTES_FILE: votes_file(nothing, tasks, sample.damaged["votes"]),
    }


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)


def write_or_check(sample: Path, files: Mapping[str, bytes], arguments: Sequence[str]) -> int:
    """Writes the files of a sample, or tells whether they are up to date; the exit code of a command."""
    if "--check" in arguments:
        stale = [n for n, data in files.items() if not (sample / n).is_file() or (sample / n).read_bytes() != data]
        print(f"not up to date: {', '.join(stale)}" if stale else "up to date")
        return 1 if stale else 0
    write(sample, files)
    for name, data in files.items():
        print(f"{name}: {len(data):,} bytes")
    return 0


def main(arguments: list[str]) -> int:
    return write_or_check(SAMPLE, build(SAMPLE / "source"), arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
