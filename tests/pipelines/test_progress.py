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
from pathlib import Path

import pytest

from manifests.storage import Storage
from pipelines import progress
from pipelines.progress import Progress
from pipelines.runner import Runner
from stages.beam.options import BeamOptions
from tests import toy

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
    assert "\rwikidata.parse:   0%|" in said and "shard/s" in said
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
    assert moving and all("shards, rows" in line for line in moving)


def test_quiet_writes_nothing(tmp_path: Path) -> None:
    stream = io.StringIO()
    built(tmp_path, Progress(stream, mode="quiet"))
    assert stream.getvalue() == ""
