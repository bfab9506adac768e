"""Ends a job that gives no sign of life, with what it worked on and the stack of where it stands.

Nothing of this asks the work to be willing: it may be an endless loop, or a single call into
C that lets no other Python code of its process run.

    in this process      an alarm of the system, heard by loops of Python and by `re` while it matches; for
                         code in C that hears nothing, Python's own watchdog ends the process, as a kill would
    in worker processes  that watchdog in each worker writes its stack and ends it; the builder, which
                         finds the stack, ends the others (see `stages.beam.workers`)

See `stages.core.alive` for the signs. A build outside its process's main thread cannot hear an alarm
and is not watched.
"""

from __future__ import annotations

import faulthandler
import os
import re
import signal
import sysconfig
import threading
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from stages.core.alive import LIFE
from stages.core.contract import StageError

EXIT_CODE = 2
GRACE = 15.0
"""Seconds in which a job that was told to end may do so."""
_POLL = 0.25
# A worker's file begins with what it works on, at a fixed length; its watchdog appends the stack.
_HEADER = 512
_FRAME = re.compile(r'^ +File "(.+)", line (\d+) in (.+)$')
_SHOWN = 3
_PACKAGES = ("pipelines", "stages", "manifests", "templates")
# The folder that these packages lie in.
_HOME = Path(__file__).parents[2]
_STEPS = {str(_HOME / "stages" / "beam" / name) for name in ("steps.py", "scoring.py", "plan.py")}
_CONTRACT = str(_HOME / "stages" / "core" / "contract.py")
Frame = tuple[str, int, str]
"""File, line and function."""


class Stalled(BaseException):
    """Raised wherever the work stands. Not an Exception: code that makes rejects of those must not swallow it."""


@contextmanager
def watched(seconds: float) -> Iterator[None]:
    """Within it, work of this thread that gives no sign of life for so long ends with StageError. 0: never."""
    if not seconds or threading.current_thread() is not threading.main_thread():
        yield
        return

    def look(number: int, frame: FrameType | None) -> None:
        silent = LIFE.silent()
        if silent >= seconds:
            _arm(seconds)
            raise Stalled(describe(LIFE.where, seconds, _frames(frame)))
        _arm(seconds - silent)

    began = time.monotonic()
    handler = signal.signal(signal.SIGALRM, look)
    left, _ = signal.getitimer(signal.ITIMER_REAL)
    _arm(seconds)
    try:
        yield
    except Stalled as error:
        raise StageError(str(error)) from None
    finally:
        # Nothing may be raised from here on.
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if left:
            # Somebody else's alarm, put off meanwhile.
            signal.setitimer(signal.ITIMER_REAL, max(0.001, left - (time.monotonic() - began)))


def _arm(seconds: float) -> None:
    signal.setitimer(signal.ITIMER_REAL, seconds)
    # Standard error may be no file, as in a notebook.
    with suppress(OSError, ValueError, AttributeError, RuntimeError):
        faulthandler.dump_traceback_later(seconds + GRACE, exit=True)


def answer_to(seconds: float, folder: Path) -> None:
    """The worker's side: ends this process where its work gives no sign of life, leaving the stack in the folder.

    What it works on stands in the same file. The stack is written and the process ended by a thread that needs
    nothing of Python; a thread of Python puts that off for as long as there are signs of life. 0 seconds: never.
    """
    file = (folder / str(os.getpid())).open("wb")
    file.write(b" " * _HEADER)
    file.flush()

    def tell(where: str) -> None:
        os.pwrite(file.fileno(), where.encode()[:_HEADER].ljust(_HEADER), 0)

    def put_off() -> None:
        while True:
            left = seconds - LIFE.silent()
            if left > 0:
                faulthandler.dump_traceback_later(max(left, 0.001), exit=True, file=file)
            time.sleep(min(_POLL, seconds / 4))

    LIFE.told = tell
    if seconds:
        threading.Thread(target=put_off, daemon=True).start()


def describe(where: str, seconds: float, frames: Sequence[Frame]) -> str:
    """What to tell the user. frames: innermost first."""
    stack = " < ".join(f"{_short(file)}:{line} ({name})" for file, line, name in _own(frames)[:_SHOWN])
    return (
        f"{where} gave no sign of life for {seconds / 60:g} minutes and stands in {stack or 'code outside Python'}; "
        "take out what it reads, or wait longer with --set build.stall_minutes=MINUTES (0: for ever)"
    )


def stalled(folder: Path, seconds: float) -> str:
    """What to say of a worker whose watchdog wrote its stack; nothing where all are well."""
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        if len(data) > _HEADER:
            where, stack = data[:_HEADER].decode(errors="replace").strip(), data[_HEADER:].decode(errors="replace")
            return describe(where, seconds, _working(stack))
    return ""


def working_on(folder: Path, worker: int) -> str:
    """What a worker's process was last told to work on; nothing where it has told nothing."""
    path = folder / str(worker)
    return path.read_bytes()[:_HEADER].decode(errors="replace").strip() if path.exists() else ""


def _working(stack: str) -> list[Frame]:
    """The frames of the thread that ran a step, out of a watchdog's report on all threads."""
    threads = [
        [(found[1], int(found[2]), found[3]) for line in block.splitlines() if (found := _FRAME.match(line))]
        for block in re.split(r"^(?:Current t|T)hread ", stack, flags=re.MULTILINE)
    ]
    return next((frames for frames in threads if any(_runs_a_step(frame) for frame in frames)), [])


def _frames(frame: FrameType | None) -> list[Frame]:
    summary = traceback.extract_stack(frame)
    return [(entry.filename, entry.lineno or 0, entry.name) for entry in reversed(summary)]


def _own(frames: Iterable[Frame]) -> list[Frame]:
    """The frames of the step that are not in a library, or all of them where it stands in none of ours."""
    inner: list[Frame] = []
    for frame in frames:
        if _runs_a_step(frame):
            break
        inner.append(frame)
    return [frame for frame in inner if not _of_a_library(frame[0])] or inner


def _runs_a_step(frame: Frame) -> bool:
    """Whether a frame is of the step itself, or of the call of its kernel."""
    return frame[0] in _STEPS or (frame[0] == _CONTRACT and frame[2] == "call")


def _of_a_library(file: str) -> bool:
    if any(Path(file).is_relative_to(_HOME / package) for package in _PACKAGES):
        return False
    paths = sysconfig.get_paths()
    return any(Path(file).is_relative_to(paths[kind]) for kind in ("stdlib", "purelib", "platlib"))


def _short(file: str) -> str:
    """A path as it is written in the project."""
    return str(Path(file).relative_to(_HOME)) if Path(file).is_relative_to(_HOME) else file
