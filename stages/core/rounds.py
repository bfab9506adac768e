"""One stage, several rounds: the same kernel under other table names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from stages.core.contract import Output, Stage


def named(stage: Stage, suffix: str, shared: tuple[str, ...] = ()) -> Stage:
    """The stage with `suffix` after its own name and after every table's, but for the shared inputs."""
    if not suffix:
        return stage
    return replace(
        stage,
        name=stage.name + suffix,
        inputs=tuple(name if name in shared else name + suffix for name in stage.inputs),
        side=tuple(name if name in shared else name + suffix for name in stage.side),
        outputs=tuple(replace(spec, name=spec.name + suffix) for spec in stage.outputs),
        kernel=None if stage.kernel is None else _Renamed(stage.kernel, suffix),
    )


def reading(stage: Stage, names: Mapping[str, str]) -> Stage:
    """The stage with other tables of the same schema as its inputs: {its own name: the one to read}."""
    return replace(stage, inputs=tuple(names.get(name, name) for name in stage.inputs))


@dataclass(frozen=True)
class _Renamed:
    """A kernel whose output tables carry the suffix."""

    kernel: Any
    suffix: str

    @property
    def keywords(self) -> Mapping[str, Any]:
        """What is bound to the kernel itself."""
        return getattr(self.kernel, "keywords", {})

    def __call__(self, *tables: Any) -> Output:
        output = self.kernel(*tables)
        return replace(output, tables={name + self.suffix: table for name, table in output.tables.items()})
