"""Progress: a bar that comes and goes on a terminal, lines that stay, lines alone in a pipe, nothing when quiet."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import struct
import subprocess
import sys
import termios
from collections import Counter
from pathlib import Path

import pytest

from manifests.storage import Storage
from pipelines import progress
from pipelines.progress import Far, Pace, Progress, far, said
from pipelines.runner import Runner
from stages.beam.options import BeamOptions
from stages.core.chain import chain
from tests import toy
from tests.stages.beam.jobs import job

COMMAND = str(Path(sys.executable).with_name("benchwright"))
WIDTH = 100


def built(root: Path, shown: Progress) -> None:
    paths = toy.write_lines(root / "in", [toy.LINES])
    Runner(Storage.at(root / "out"), BeamOptions(workers=1), shown.watch).build(toy.pipeline(paths), shown.step)


def on_a_terminal(*command: str) -> str:
    """What a command writes to a terminal of WIDTH columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, WIDTH, 0, 0))
    with subprocess.Popen(command, stdout=theirs, stderr=theirs, close_fds=True) as process:
        os.close(theirs)
        said = b"".join(iter(lambda: _read(ours), b""))
        os.close(ours)
    assert process.returncode == 0, said
    return said.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


def visible(text: str) -> list[str]:
    """The lines that are left on a terminal: what follows a carriage return is written over what stood there."""
    lines = []
    for line in text.replace("\r\n", "\n").split("\n"):
        shown = ""
        for part in line.split("\r"):
            shown = part + shown[len(part) :]
        lines.append(shown.rstrip())
    return [line for line in lines if line]


def test_on_a_terminal_a_bar_appears_and_the_lines_remain(tmp_path: Path) -> None:
    said = on_a_terminal(
        COMMAND, "build", "qampari", "--root", str(tmp_path), "--until", "wikidata.classes", "--workers", "1"
    )
    assert "\rwikidata.parse:   0%|" in said and "B/s" in said and "1/2" in said
    left = visible(said)
    assert [line.split()[0] for line in left[:3]] == ["wikidata.parse", "wikidata.classes", "qampari"]
    assert not [line for line in left if "%|" in line]


def test_in_a_pipe_there_are_lines_only(tmp_path: Path) -> None:
    stream = io.StringIO()
    built(tmp_path, Progress(stream))
    lines = stream.getvalue().splitlines()
    assert [line.split()[0] for line in lines] == [stage.name for stage in toy.stages([])]
    assert "\r" not in stream.getvalue() and "%|" not in stream.getvalue()
    # 26 different words of two letters or more in different lines; "a" is too short four times, and the second of
    # two equal lines repeats four words, as the first line repeats one.
    assert lines[0].endswith("words 26; rejected 9")
    built(tmp_path, Progress(stream))
    assert all(line.split()[1] == "cached" for line in stream.getvalue().splitlines()[len(lines) :])


def test_a_long_stage_shows_in_a_pipe_that_it_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_LINE_SECONDS", 0.0)
    monkeypatch.setattr(progress, "_LOCAL_SECONDS", 0.001)
    stream = io.StringIO()
    built(tmp_path, Progress(stream))
    moving = [line for line in stream.getvalue().splitlines() if line.split()[1] == "..."]
    assert moving and all("rows" in line for line in moving)
    # Stage 6 of 6 is the model's: 22 words that are judged as pairs.
    assert {line.split()[2] for line in moving} <= {f"{number}/6" for number in range(1, 7)}


def ticks(**by_step: dict[str, int]) -> dict[str, Counter[str]]:
    return {name.replace("_", ".", 1): Counter(counts) for name, counts in by_step.items()}


def test_a_stage_is_as_far_as_the_bytes_that_its_kernel_is_done_with(tmp_path: Path) -> None:
    counts = toy.stages([])[1]
    made = job(Storage.at(tmp_path), counts, (toy.WORDS, []), buckets=4)
    assert far(counts, made, {}) == Far("", "B", 0, 0, 0, 0)
    read = ticks(toy_counts={"work": 2_500_000, "read": 500_000, "rows": 1200, "rejects": 3})
    now = far(counts, made, read)
    assert now == Far("", "B", 500_000, 2_500_000, 1200, 3)
    assert said(now, 1000.0) == "20% of 2.50MB, 1.00kB/s, 33:20 left, rows 1,200, rejected 3"
    assert said(now, 0.0) == "20% of 2.50MB, rows 1,200, rejected 3"
    # A runner did some work twice; then the table and the rejects are written, each in four files.
    late = ticks(toy_counts={"work": 100, "read": 130, "shards": 5})
    assert far(counts, made, late) == Far("", "B", 100, 100, 0, 0, "5/8 shards")
    assert said(far(counts, made, late), 0.0) == "100% of 100B, rows 0, rejected 0, written 5/8 shards"


def test_a_model_is_as_far_as_the_pairs_that_it_has_judged(tmp_path: Path) -> None:
    score = toy.stages([])[5]
    made = job(Storage.at(tmp_path), score, (toy.PAIRS, []))
    moving = far(score, made, ticks(toy_score={"work": 80, "read": 40}))
    assert (moving.unit, moving.done, moving.total) == ("B", 40, 80)
    judging = far(score, made, ticks(toy_score={"work": 80, "read": 80, "asked": 9000, "scored": 4500, "rows": 4600}))
    assert judging == Far("", " pairs", 4500, 9000, 4600, 0)
    assert said(judging, 4.5) == "50% of 9,000 pairs, 4 pairs/s, 16:40 left, rows 4,600, rejected 0"


def test_of_a_chain_the_step_that_runs_is_told(tmp_path: Path) -> None:
    counts, total = toy.stages([])[1:3]
    both = chain("toy.both", counts, total, publish=("total",), about="")
    made = job(Storage.at(tmp_path), both, (toy.WORDS, []))
    now = far(both, made, ticks(toy_counts={"work": 9, "read": 9, "rows": 7}, toy_total={"work": 50, "rows": 1}))
    assert now == Far("step 2 of 2, total", "B", 0, 50, 8, 0)
    assert said(now, 0.0) == "step 2 of 2, total, 0% of 50.0B, rows 8, rejected 0"
    assert far(both, made, {}).step == "step 1 of 2, counts"


def test_the_pace_is_that_of_one_kind_of_work() -> None:
    pace = Pace(100.0)
    assert pace.rate(Far("", "B", 0, 80, 0, 0), 100.0) == 0.0
    assert pace.rate(Far("", "B", 40, 80, 0, 0), 110.0) == 4.0
    # Pairs are counted from when they are first told.
    assert pace.rate(Far("", " pairs", 128, 9000, 0, 0), 120.0) == 0.0
    assert pace.rate(Far("", " pairs", 384, 9000, 0, 0), 184.0) == 4.0


def test_quiet_writes_nothing(tmp_path: Path) -> None:
    stream = io.StringIO()
    built(tmp_path, Progress(stream, mode="quiet"))
    assert stream.getvalue() == ""
