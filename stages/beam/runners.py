"""Beam's runners and their options: which are used and which are refused."""

from __future__ import annotations

import difflib
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import NoReturn

from apache_beam.options.pipeline_options import DirectOptions, PipelineOptions, StandardOptions
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.runners.runner import PipelineRunner, create_runner
from apache_beam.transforms.environments import Environment

from stages.core.contract import StageError

# These names lead to engines that are unsafe here: one asks the network for a binary, the other crashes.
_REFUSED = {
    "DirectRunner": "its engine depends on a binary that it downloads",
    "PrismRunner": "it downloads its engine",
    "SwitchingDirectRunner": "its engine depends on a binary that it downloads",
}


def runner_name(arguments: Sequence[str]) -> str | None:
    name: str | None = PipelineOptions(list(arguments)).view_as(StandardOptions).runner
    return name


def check_runner(arguments: Sequence[str]) -> None:
    """Refuses a runner that is unsafe here or not installed, and Beam's own ways to say how many workers there are.

    Raises StageError.
    """
    name = runner_name(arguments)
    if name is not None and is_dask(name) and find_spec("distributed") is None:
        raise StageError(f"--runner {name}: Dask is not installed; pip install 'benchwright[cluster]'")
    if name in _REFUSED:
        raise StageError(f"--runner {name}: not supported ({_REFUSED[name]}); leave --runner out to run locally")
    direct = PipelineOptions(list(arguments)).view_as(DirectOptions)
    if name is None and (direct.direct_running_mode != "in_memory" or direct.direct_num_workers != 1):
        raise StageError("--direct_running_mode, --direct_num_workers: not supported; --workers sets both")


@contextmanager
def named(arguments: Sequence[str]) -> Iterator[tuple[PipelineRunner, PipelineOptions]]:
    """The runner that --runner names, and its options."""
    name = runner_name(arguments) or ""
    if not is_dask(name):
        yield create_runner(name), PipelineOptions(list(arguments))
        return
    from stages.beam import dask_cluster

    with dask_cluster.runner() as runner:
        yield runner, PipelineOptions(dask_cluster.arguments_for(arguments))


def local(arguments: Sequence[str], workers: int, environment: Environment) -> tuple[PipelineRunner, PipelineOptions]:
    """The runner of this machine, and its options.

    workers: how many processes; environment: what they are (see `stages.beam.workers`).
    """
    options = PipelineOptions([f"--direct_num_workers={workers}", *arguments])
    return FnApiRunner(default_environment=environment), options


def is_dask(name: str) -> bool:
    return name.lower() in ("dask", "daskrunner")


def check_known(arguments: Sequence[str], others: Sequence[str]) -> None:
    """See `stages.beam.options.check_arguments`."""
    parsers: list[ArgumentParser] = []
    known = PipelineOptions([]).get_all_options(add_extra_args_fn=parsers.append)
    parser = parsers[0]
    parser.error = _refuse  # type: ignore[method-assign]
    unknown = parser.parse_known_args(list(arguments))[1]
    if not unknown:
        return
    name = unknown[0].split("=", 1)[0]
    near = difflib.get_close_matches(name, [*others, *(f"--{option}" for option in known)], n=2)
    hint = f"did you mean {' or '.join(near)}?" if near else "see --help; what only a cluster knows goes after --"
    raise StageError(f"{name}: not an option of benchwright or of Beam; {hint}")


def _refuse(message: str) -> NoReturn:
    raise StageError(f"a Beam option: {message}")
