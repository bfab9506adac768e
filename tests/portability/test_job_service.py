"""A build through Beam's own job service and a pool of workers elsewhere, from the wheel alone.

The driver, the service and the pool run in a folder without the source, in an
environment into which the wheel was installed; third-party packages are taken from this
environment. A module that the wheel lacks would make the pool wait without a word, so
everything has a time limit.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import time
import venv
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from manifests.storage import Storage
from manifests.verify import verify
from tests import toy
from tests.faults import builder

pytestmark = [pytest.mark.slow, pytest.mark.network]
SECONDS = 240


@dataclass(frozen=True)
class Elsewhere:
    """An empty folder and an environment with the wheel; `run` and `start` see nothing else."""

    folder: Path
    python: Path

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
        return {**kept, "PATH": f"{self.python.parent}{os.pathsep}{kept['PATH']}", "PYTHONSAFEPATH": "1"}

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            [str(self.python), *arguments],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    @contextmanager
    def serving(self, name: str, *arguments: str) -> Iterator[None]:
        with (self.folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                [str(self.python), "-m", *arguments],
                cwd=self.folder,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
            try:
                yield
            finally:
                os.killpg(process.pid, 15)
                process.wait(timeout=30)


@pytest.fixture(scope="module")
def wheel(repo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, made from a copy so that the checkout stays clean."""
    copy, out = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("wheel")
    for name in ("manifests", "stages", "pipelines", "templates"):
        shutil.copytree(repo / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in repo.iterdir():
        if path.is_file() and not path.name.startswith("."):
            shutil.copy(path, copy)
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(out),
        ".",
    ]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    (path,) = out.glob("benchwright-*.whl")
    return path


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, repo: Path, tmp_path_factory: pytest.TempPathFactory) -> Elsewhere:
    place = tmp_path_factory.mktemp("elsewhere")
    venv.create(place / "env", symlinks=True)
    python = place / "env" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, str(wheel)], check=True, timeout=SECONDS)
    (packages,) = (place / "env").glob("lib/python*/site-packages")
    (packages / "third_party.pth").write_text(sysconfig.get_path("purelib") + "\n")
    # The pipeline's own kernels must be importable in the workers, as any user's package would be.
    (packages / "tests").mkdir()
    (packages / "tests" / "__init__.py").touch()
    shutil.copy(repo / "tests" / "toy.py", packages / "tests")
    folder = place / "empty"
    folder.mkdir()
    shutil.copy(repo / "tests" / "portability" / "driver.py", folder)
    return Elsewhere(folder, python)


@pytest.fixture(scope="module")
def services(elsewhere: Elsewhere) -> Iterator[list[str]]:
    """Beam options that lead to a running job service and a running worker pool."""
    job, pool = free_port(), free_port()
    with ExitStack() as stack:
        main = "apache_beam.runners.portability.local_job_service_main"
        stack.enter_context(elsewhere.serving("service", main, f"--port={job}"))
        main = "apache_beam.runners.worker.worker_pool_main"
        stack.enter_context(elsewhere.serving("pool", main, f"--service_port={pool}"))
        for port in (job, pool):
            wait_for(port)
        yield [
            "--runner=PortableRunner",
            f"--job_endpoint=localhost:{job}",
            "--environment_type=EXTERNAL",
            f"--environment_config=localhost:{pool}",
        ]


def test_a_build_by_workers_elsewhere_equals_one_in_this_process(
    elsewhere: Elsewhere, services: list[str], tmp_path: Path
) -> None:
    (source,) = toy.write_lines(tmp_path / "in", [toy.LINES])
    here = builder.build(str(tmp_path / "here"), [source], buckets=2)
    told = elsewhere.run("driver.py", str(tmp_path / "there"), source, *services)
    assert f"package: {elsewhere.python.parent.parent}" in told
    assert f"version: {here.version}" in told
    there = builder.latest(tmp_path / "there")
    assert builder.digests(there) == builder.digests(here)
    assert verify(Storage.at(tmp_path / "there")) == []


def test_what_a_kernel_elsewhere_says_reaches_the_user(
    elsewhere: Elsewhere, services: list[str], tmp_path: Path
) -> None:
    (source,) = toy.write_lines(tmp_path / "in", [["fine", "explode"]])
    with pytest.raises(AssertionError, match="take it out of the source"):
        elsewhere.run("driver.py", str(tmp_path / "there"), source, *services)
    assert Storage.at(tmp_path / "there").files() == []


def test_the_wheel_brings_everything_that_is_read_at_run_time(elsewhere: Elsewhere) -> None:
    script = "import manifests.manifest as m; m._validator('stage'); m._validator('build'); import pipelines.cli"
    elsewhere.run("-c", script)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def wait_for(port: int) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise AssertionError(f"nothing listens on port {port} after a minute")
