"""The worker processes of this machine: started here, watched here, and ended together.

Beam's own handler of a worker process waits for one that is gone as for one that is slow, and
leaves its threads' tracebacks on the terminal. Here the builder looks at its workers several
times a second. Where one has ended, does not connect, or has left the stack of a step without a
sign of life (see `stages.beam.stall`), the job is broken off and says which worker and why.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from apache_beam.runners.portability.fn_api_runner.worker_handlers import (
    BeamFnControlServicer,
    GrpcWorkerHandler,
    WorkerHandler,
)
from apache_beam.transforms.environments import Environment, SubprocessSDKEnvironment, python_sdk_capabilities
from google.protobuf import json_format, text_format

from stages.beam import stall
from stages.core.contract import StageError

CONNECT_SECONDS = 60.0
"""Seconds in which a worker that was started has to be heard of."""
GRACE = 20.0
"""Seconds in which a job that is broken off may end."""
_POLL = 0.1
_COMMAND = (sys.executable, "-m", "stages.beam.worker")
_URN = "benchwright:env:local_worker:v1"
_LIBRARIES = ("apache_beam.", "grpc.")
_MOST_SAID = 300
_watches: dict[str, Workers] = {}


@dataclass
class _Worker:
    """number: from 1, in the order of starting. ended_here: whether the builder itself has killed it."""

    number: int
    handler: LocalWorker
    process: subprocess.Popen[bytes]
    log: Path
    began: float
    closing: bool = False
    ended_here: bool = False

    @property
    def connected(self) -> bool:
        # Beam has no public word for it.
        return bool(self.handler.control_conn._state != BeamFnControlServicer.UNSTARTED_STATE)


class Workers:
    """The workers of one job.

    seconds: the longest that a worker may be without a sign of life; 0 is for ever.
    give_up: removes what is half done; called where the job has not ended GRACE seconds after it was broken off.
    """

    def __init__(self, seconds: float, give_up: Callable[[], None]) -> None:
        self.seconds = seconds
        self.give_up = give_up
        self._workers: list[_Worker] = []
        self._starting = threading.Lock()
        self._ended = threading.Event()
        self._lost = ""
        self._unseen: list[str] = []
        self._main = threading.current_thread() is threading.main_thread()

    @contextmanager
    def watched(self) -> Iterator[Environment]:
        """Yields the environment to give to Beam's runner; raises StageError where a worker was lost."""
        with tempfile.TemporaryDirectory(prefix="benchwright-") as name:
            self._folder, self._before = Path(name), _out_of_memory()
            self._stacks.mkdir()
            mark = uuid.uuid4().hex
            _watches[mark] = self
            thread = threading.Thread(target=self._look, daemon=True)
            with self._quiet():
                thread.start()
                try:
                    yield LocalEnvironment(mark, capabilities=python_sdk_capabilities())
                except Exception as error:
                    if _interrupted(error):
                        raise KeyboardInterrupt from error
                    said = self._lost or self._killed()
                    if not said:
                        raise
                    raise self._noted(StageError(said)) from error
                finally:
                    self._ended.set()
                    thread.join()
                    self._end_all()
                    del _watches[mark]

    def start(self, handler: LocalWorker) -> None:
        """Starts a worker for one of Beam's handlers."""
        number = len(self._workers) + 1
        command = [*_COMMAND, str(os.getpid()), str(self.seconds), str(self._stacks)]
        log = self._folder / f"{number}.log"
        control = text_format.MessageToString(handler.control_api_service_descriptor())
        options = json_format.MessageToJson(handler.provision_info.provision_info.pipeline_options)
        environment = {
            **os.environ,
            "CONTROL_API_SERVICE_DESCRIPTOR": control,
            "PIPELINE_OPTIONS": options,
            "WORKER_ID": handler.worker_id,
        }
        with self._starting, log.open("wb") as file:
            process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stderr=file)  # noqa: S603
            self._workers.append(_Worker(number, handler, process, log, time.monotonic()))

    def closing(self, handler: LocalWorker) -> None:
        """From now on the handler's worker may end."""
        for worker in self._of(handler):
            worker.closing = worker.process.poll() is None

    def stop(self, handler: LocalWorker) -> None:
        """Waits for the end of the handler's worker, which has been told to."""
        for worker in self._of(handler):
            try:
                worker.process.wait(GRACE)
            except subprocess.TimeoutExpired:
                _kill(worker)

    def _of(self, handler: LocalWorker) -> list[_Worker]:
        return [worker for worker in self._workers if worker.handler is handler]

    def _look(self) -> None:
        while not self._ended.wait(_POLL):
            self._lost = next(filter(None, map(self._why, list(self._workers))), "")
            if self._lost:
                self._break_off()
                return

    def _why(self, worker: _Worker) -> str:
        """What to say of a worker that is lost; nothing where all is well."""
        code = worker.process.poll()
        if code is not None:
            if (worker.closing and code >= 0) or worker.ended_here:
                return ""
            return stall.stalled(self._stacks, self.seconds) or self._said(worker, self._end_of(worker, code))
        if not worker.connected and time.monotonic() - worker.began > CONNECT_SECONDS:
            return self._said(worker, f"did not connect within {CONNECT_SECONDS:g} seconds{worker_said(worker.log)}")
        return ""

    def _killed(self) -> str:
        """The same, for a job that has failed before the watch has seen why."""
        return next(filter(None, map(self._why, self._workers)), "")

    @property
    def _stacks(self) -> Path:
        return self._folder / "stacks"

    def _said(self, worker: _Worker, how: str) -> str:
        where = stall.working_on(self._stacks, worker.process.pid)
        at = f", at {where}," if where else ""
        return (
            f"worker {worker.number} (process {worker.process.pid}){at} {how}; nothing of the stage was published, and "
            "the same command goes on from what is"
        )

    def _end_of(self, worker: _Worker, code: int) -> str:
        if code >= 0:
            return f"ended with code {code}{worker_said(worker.log)}"
        name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
        if name != "SIGKILL":
            return f"was ended by {name}{worker_said(worker.log)}"
        if _out_of_memory() > self._before:
            return "was killed (SIGKILL) when the system ran out of memory; take fewer with --workers"
        return "was killed (SIGKILL), by hand or for its use of memory (fewer --workers take less)"

    def _break_off(self) -> None:
        """Ends the job, again and again, since a worker may be about to start; then this process, if it still runs."""
        last = time.monotonic() + GRACE
        while not self._main or time.monotonic() < last:
            self._end_all()
            for worker in list(self._workers):
                _hang_up(worker.handler, self._lost)
            if self._ended.wait(_POLL):
                return
        try:
            self.give_up()
        finally:
            self._end_all()
            sys.stderr.write(f"benchwright: {self._lost}\n")
            sys.stderr.flush()
            os._exit(stall.EXIT_CODE)

    def _end_all(self) -> None:
        with self._starting:
            for worker in self._workers:
                if worker.process.poll() is None:
                    _kill(worker)

    @contextmanager
    def _quiet(self) -> Iterator[None]:
        """Keeps what Beam's threads say of lost workers off the terminal; what they said is a note to the error."""

        def unseen(arguments: threading.ExceptHookArgs) -> None:
            if _of_beam(arguments.exc_traceback):
                self._unseen.append(f"{arguments.exc_type.__name__}: {arguments.exc_value}")
            else:
                hook(arguments)

        hook, threading.excepthook = threading.excepthook, unseen
        try:
            yield
        finally:
            # After a loss some threads are still to fail, and an interrupt puts a hook of its own in place.
            if threading.excepthook is unseen and not self._lost:
                threading.excepthook = hook

    def _noted(self, error: StageError) -> StageError:
        for said in self._unseen:
            error.add_note(f"a thread of Beam: {said}")
        return error


@Environment.register_urn(_URN, None)
class LocalEnvironment(SubprocessSDKEnvironment):
    """Where workers run: as processes that `Workers` of this process starts. Its command is the mark of these."""

    def to_runner_api_parameter(self, context: Any) -> tuple[str, bytes]:
        return _URN, self.command_string.encode()


@WorkerHandler.register_environment(_URN, bytes)
class LocalWorker(GrpcWorkerHandler):
    """Beam's side of a worker process."""

    def __init__(self, payload: bytes, state: Any, provision_info: Any, grpc_server: Any) -> None:
        super().__init__(state, provision_info, grpc_server)
        self._watch = _watches[payload.decode()]

    def start_worker(self) -> None:
        self._watch.start(self)

    def close(self) -> None:
        self._watch.closing(self)
        super().close()

    def stop_worker(self) -> None:
        self._watch.stop(self)


def worker_said(log: Path) -> str:
    """The last line that a worker wrote on its standard error, to stand behind what became of it."""
    lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
    return f" ({lines[-1].strip()[:_MOST_SAID]})" if lines else ""


def _hang_up(handler: LocalWorker, why: str) -> None:
    """Tells all that wait for a worker that nothing will come."""
    # A request may be made while those that wait are told; the next round tells it too.
    with suppress(RuntimeError):
        handler.control_conn.abort(RuntimeError(why))
    # A channel that has failed raises its own error, whatever that is, and has told its readers already.
    with suppress(Exception):
        handler.data_conn.close()


def _kill(worker: _Worker) -> None:
    worker.ended_here = True
    worker.process.kill()
    worker.process.wait()


def _out_of_memory() -> int:
    """How many processes this system has ended for want of memory, where it counts them."""
    with suppress(OSError):
        for line in Path("/proc/vmstat").read_text().splitlines():
            name, _, count = line.partition(" ")
            if name == "oom_kill":
                return int(count)
    return 0


def _of_beam(stack: TracebackType | None) -> bool:
    """Whether a thread that failed ran a function of Beam or of its transport."""
    names = (str(frame.f_globals.get("__name__", "")) for frame, _ in traceback.walk_tb(stack))
    return next((name for name in names if name != "threading"), "").startswith(_LIBRARIES)


def _interrupted(error: BaseException | None) -> bool:
    """Whether Beam's clean-up failed on the way of an interrupt."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__context__
    return False
