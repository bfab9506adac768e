"""A worker with other code or libraries than the builder's refuses, and names both."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from manifests.storage import Storage
from pipelines.identity import modules_of
from stages.beam.options import BeamOptions
from stages.beam.same_code import Code, check
from stages.core.contract import StageError
from tests import toy
from tests.stages.beam.jobs import ON_BEAM, job, run

STAGE = toy.stages([])[1]
CODE = Code.of(modules_of(STAGE))
PAIRS = [{"word": word, "line": "a line"} for word in ("sea", "river")]


def changed(pairs: tuple[tuple[str, str], ...], **other: str) -> tuple[tuple[str, str], ...]:
    named = {name.replace("_dot_", "."): value for name, value in other.items()}
    return tuple(sorted({**dict(pairs), **named}.items()))


def test_the_same_code_is_let_pass() -> None:
    check(Code.of(modules_of(STAGE)))
    assert dict(CODE.libraries)["pyarrow"] and "stages.beam.steps" in dict(CODE.modules)


@pytest.mark.parametrize(
    ("builder", "said"),
    [
        (
            replace(CODE, libraries=changed(CODE.libraries, pyarrow="1.2.3")),
            f"code: pyarrow is {dict(CODE.libraries)['pyarrow']} there and 1.2.3 at the builder; install the same",
        ),
        (
            replace(CODE, modules=changed(CODE.modules, stages_dot_beam_dot_steps="0" * 64)),
            f"stages.beam.steps is {dict(CODE.modules)['stages.beam.steps'][:12]} there and 000000000000 at",
        ),
        (replace(CODE, modules=changed(CODE.modules, other="1" * 64)), "other is absent there and 111111111111 at"),
        (
            replace(CODE, libraries=changed(CODE.libraries, a="1", b="1", c="1", d="1")),
            "c is absent there and 1 at the builder and 1 more; install",
        ),
    ],
)
def test_other_code_is_refused_with_both(builder: Code, said: str) -> None:
    with pytest.raises(StageError) as refused:
        check(builder)
    assert said in str(refused.value)


@pytest.mark.parametrize("options", [ON_BEAM, BeamOptions(workers=2)], ids=["on beam", "in workers"])
def test_a_job_with_other_code_leaves_nothing_to_publish(tmp_path: Path, options: BeamOptions) -> None:
    other = replace(CODE, libraries=changed(CODE.libraries, duckdb="0.1"))
    made = job(Storage.at(tmp_path), STAGE, (toy.WORDS, PAIRS), code=other)
    with pytest.raises(
        StageError, match=r"^stage toy.counts: the worker on .* does not run the builder's code: duckdb"
    ):
        run(made, options)
    assert Storage.at(tmp_path).files("attempt") == []
    assert run(replace(made, code=CODE, attempt="again"), options).tables["counts"].rows == 2
