"""Several stages as one: a step of the paper that takes more than one kernel.

The stages run one after another within one attempt. What only they read of each other is
not published; their rejects and metrics are, under the name of the step ("requests.no_surface").
"""

from __future__ import annotations

from stages.core.contract import Chain, Score, Stage, StageError, TableSpec


def chain(name: str, *steps: Stage, publish: tuple[str, ...], about: str) -> Stage:
    """One stage of several.

    publish: the tables of theirs that other stages read or a reader looks for.

    Raises StageError: a step reads a source or runs a model (such a step is a stage of its own), two steps share
    their short name, or a table to publish is written by none.
    """
    for step in steps:
        if step.source is not None or isinstance(step.shape, Score) or step.steps:
            raise StageError(f"stage {name}: {step.name} reads a source, runs a model or is a chain; it stands alone")
    if len({short(step) for step in steps}) < len(steps):
        raise StageError(f"stage {name}: two steps of one name among {', '.join(map(short, steps))}")
    made: dict[str, TableSpec] = {}
    inputs: list[str] = []
    for step in steps:
        inputs.extend(table for table in (*step.inputs, *step.side) if table not in made)
        made.update({spec.name: spec for spec in step.outputs})
    unknown = sorted(set(publish) - set(made))
    if unknown:
        raise StageError(f"stage {name}: publishes {', '.join(unknown)}, which none of its steps writes")
    return Stage(
        name=name,
        shape=Chain(steps),
        kernel=None,
        inputs=tuple(dict.fromkeys(inputs)),
        outputs=tuple(made[table] for table in publish),
        templates={file: digest for step in steps for file, digest in step.templates.items()},
        about=about,
    )


def short(step: Stage) -> str:
    """What a step is called within its chain: its name without the folder."""
    return step.name.rpartition(".")[2]
