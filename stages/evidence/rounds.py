"""One evidence stage, several rounds: the same kernel under other table names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from stages.contract import Output, Stage


def named(stage: Stage, suffix: str, shared: tuple[str, ...] = ()) -> Stage:
    """The stage with `suffix` after its own name and after every table's, but for the shared inputs."""
    if not suffix:
        return stage
    return replace(
        stage,
        name=stage.name + suffix,
        inputs=tuple(name if name in shared else name + suffix for name in stage.inputs),
        outputs=tuple(replace(spec, name=spec.name + suffix) for spec in stage.outputs),
        kernel=None if stage.kernel is None else _Renamed(stage.kernel, suffix),
    )


@dataclass(frozen=True)
class _Renamed:
    """A kernel whose output tables carry the suffix."""

    kernel: Any
    suffix: str

    def __call__(self, *tables: Any) -> Output:
        output = self.kernel(*tables)
        return replace(output, tables={name + self.suffix: table for name, table in output.tables.items()})
