"""Builds whose last kernel never ends, takes long or ends its worker; run from the command line of the project itself.

python -c "from tests.faults import endless; endless.run()" KERNEL ROOT SOURCE OPTION ...

The module must have its own name: the code of its kernels is part of what a stage is known by.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from dataclasses import replace

import pyarrow as pa

from pipelines.cli import build, main
from pipelines.model import Pipeline
from stages.core.alive import alive
from stages.core.contract import Map, Output, Stage, TableSpec
from tests import toy

SEEN = TableSpec("seen", pa.schema([("word", pa.string())]), key=("word",))


def turns(words: pa.Table) -> Output:
    """Never ends, and would take any Exception for a bad record."""
    while True:
        try:
            sum(range(1000))
        except Exception:  # noqa: S112
            continue


def matches(words: pa.Table) -> Output:
    """Does not end in this century, in one call into C that lets no other thread run."""
    re.match(r"(a+)+$", "a" * 60 + "b")
    raise AssertionError


def lasts(words: pa.Table) -> Output:
    """Takes longer than any bound of the tests, with signs of life."""
    for _ in range(60):
        time.sleep(0.1)
        alive()
    return Output({"seen": words.select(["word"])})


def dies(words: pa.Table) -> Output:
    """Ends its worker as a system without memory does."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def leaves(words: pa.Table) -> Output:
    """Ends its worker as a library does that gives up."""
    sys.stderr.write("Traceback of a library\nlibwords: cannot go on\n")
    sys.stderr.flush()
    os._exit(7)


KERNELS = {kernel.__name__: kernel for kernel in (turns, matches, lasts, dies, leaves)}


def pipeline(paths: list[str], buckets: int, kernel: str = "lasts") -> Pipeline:
    last = Stage("toy.last", Map(), KERNELS[kernel], (replace(SEEN, on_duplicate="reject"),), inputs=("words",))
    stages = (toy.stages(paths)[0], last)
    return Pipeline("toy", stages, ("seen",), {"build": {}}, {"lines": "CC0-1.0"}, buckets)


def run() -> None:
    kernel, root, source, *options = sys.argv[1:]
    build.make_pipeline = lambda *_, **__: pipeline([source], 1, kernel)  # type: ignore[attr-defined]
    main(["build", "qampari", "--root", root, *options])
