"""Whole builds at 1, 4 and 16 times the sample: CPU of all processes, their largest, and what starting takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.bench.copies import lines, world
from tests.bench.measure import multiples

INPUTS: dict[str, Callable[[Path, int], list[str]]] = {
    "qampari": world,
    "wiqa": lambda folder, times: lines("processes", folder, times),
    "musique": lambda folder, times: lines("hops", folder, times),
}
# Runs a command and says what its processes took.
_WATCH = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(code, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


def watched(words: Sequence[str], repo: Path) -> tuple[float, float]:
    """CPU seconds and MB of the largest process of a command."""
    run = [sys.executable, "-c", "from pipelines.cli import main; main()", *words]
    done = subprocess.run(
        [sys.executable, "-c", _WATCH, *run],
        capture_output=True,
        text=True,
        cwd=repo,
        env={**os.environ, "PYTHONPATH": str(repo)},
    )
    assert done.returncode == 0, done.stderr
    code, cpu, peak = done.stdout.split()
    assert code == "0", done.stderr
    return float(cpu), float(peak)


@pytest.mark.bench
@pytest.mark.parametrize("name", INPUTS)
def test_a_build_grows_as_its_input_does(name: str, repo: Path, tmp_path: Path) -> None:
    print(f"\n{name}: whole builds\n{'input':>6} {'questions':>10} {'CPU s':>8} {'starting':>9} {'MB':>6}")
    for times in multiples(1, 4, 16):
        folder = tmp_path / str(times)
        words = ["build", name, "--quiet", "--workers", "1", "--root", str(folder / "root")]
        words += [word for path in INPUTS[name](folder / "in", times) for word in ("--source", path)]
        cpu, peak = watched(words, repo)
        # With all stages published, what is left is to start: imports, templates, digests of the input.
        starting, _ = watched(words, repo)
        latest = json.loads((folder / "root" / "builds" / name / "latest.json").read_text())
        [rows] = [stage["tables"]["records"]["rows"] for stage in latest["stages"] if "records" in stage["tables"]]
        assert rows > 0
        print(f"{f'{times}x':>6} {rows:>10,} {cpu - starting:>8.1f} {starting:>9.1f} {peak:>6.0f}")
