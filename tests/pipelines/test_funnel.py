"""The funnel: steps of the paper over the stages of a build, reasons that add up, and examples of them."""

from __future__ import annotations

from pathlib import Path

from manifests.manifest import REJECTS
from manifests.storage import Storage
from pipelines.datasets import PaperStep
from pipelines.funnel import Counted, Reject, funnel_steps, reject_examples
from stages.core.contract import TableSpec
from stages.core.rejects import REJECTS_SCHEMA
from tests.pipelines import made
from tests.pipelines.test_lineage import WORDS

_REJECTS = TableSpec(name=REJECTS, schema=REJECTS_SCHEMA, key=("key", "reason", "detail"))
PAPER = (
    PaperStep("1 words", ("toy.read", "toy.words"), "lines|pages", "words|others", "7 words"),
    PaperStep("2 never run", ("toy.missing",), "words", "counts"),
)


def test_steps_take_and_give_the_first_table_that_is_there_and_sum_their_reasons(tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    pages = made.table(root, "toy", WORDS, [{"word": "a", "place": n, "of": "x"} for n in range(3)], name="pages")
    words = made.table(root, "toy", WORDS, [{"word": "a", "place": 0, "of": "x"}])
    read = made.stage("toy.read", pages, rejects={"step.long": 2, "short": 5})
    manifest = made.build("toy", read, made.stage("toy.words", words, rejects={"long": 4}))
    (step,) = funnel_steps(manifest, PAPER)
    assert (step.name, step.takes, step.gives, step.paper) == (
        "1 words",
        Counted("pages", 3),
        Counted("words", 1),
        "7 words",
    )
    assert list(step.dropped.items()) == [("long", 6), ("short", 5)]
    assert [stage.stage for stage in step.stages] == ["toy.read", "toy.words"]


def test_examples_are_taken_until_each_reason_has_some(tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    rows = [{"key": f"k{n}", "reason": "long" if n else "odd", "detail": f"d{n}", "count": n + 1} for n in range(8)]
    table = made.table(root, "toy", _REJECTS, rows)
    of_step = made.table(root, "toy", _REJECTS, [rows[0] | {"key": "other"}], name="rejects_step")
    stage = made.stage("toy.read", table, of_step, rejects={"long": 35, "odd": 1, "step.odd": 1})
    found = reject_examples(root, [stage])
    assert [reject.key for reject in found["long"]] == ["k1", "k2", "k3"]
    assert found["odd"] == [Reject("k0", "d0", 1), Reject("other", "d0", 1)]
