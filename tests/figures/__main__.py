"""Computes the figures of the READMEs anew and ends with 1 where one differs.

python -m tests.figures            all that this machine has the data for
python -m tests.figures ifqa wiqa  those whose names begin with one of these words
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.conftest import REPO, SHARED
from tests.figures import ifqa, musique, qampari, texts, wiqa
from tests.figures.blocks import Block, Figure, blocks
from tests.figures.builds import Work


@dataclass(frozen=True)
class Check:
    """real: whether it needs the real data beside the checkout."""

    compute: Callable[[Work], Iterable[Figure]]
    real: bool = False


CHECKS: Mapping[str, tuple[Check, ...]] = {
    "ifqa.answers": (Check(ifqa.sample_answers),),
    "ifqa.areas": (Check(ifqa.screen_areas, real=True),),
    "ifqa.release": (Check(ifqa.release_splits, real=True),),
    "ifqa.default": (Check(ifqa.screen_without, real=True),),
    "ifqa.sample": (Check(ifqa.sample_story),),
    "ifqa.screen": (Check(ifqa.screen, real=True),),
    "ifqa.splits": (Check(ifqa.sample_splits),),
    "musique.hops": (Check(musique.steps, real=True),),
    "qampari.boundaries": (Check(texts.boundaries, real=True),),
    "qampari.funnel": (Check(qampari.sample), Check(qampari.real, real=True)),
    "qampari.holes": (Check(texts.holes, real=True),),
    "wiqa.baselines": (Check(wiqa.baselines),),
    "wiqa.sample": (Check(wiqa.sample_story),),
    "wiqa.splits": (Check(wiqa.sample_splits),),
}


def marked() -> dict[str, Block]:
    """The blocks of all READMEs by name. Raises ValueError where a name stands twice, or has no check or no block."""
    found = [pair for file in sorted(REPO.glob("pipelines/*/README.md")) for pair in blocks(file)]
    if faults := sorted({name for name, _ in found} ^ CHECKS.keys()):
        raise ValueError(f"a marker without a check, or a check without a marker: {', '.join(faults)}")
    if len(found) > len(CHECKS):
        raise ValueError("a name marks two blocks")
    return dict(found)


def faults_of(block: Block, checks: Sequence[Check], work: Work) -> tuple[list[str], int]:
    """What differs, and how many checks were left out."""
    able = [check for check in checks if not check.real or work.data is not None]
    return [fault for check in able for fault in block.faults(check.compute(work))], len(checks) - len(able)


def main(words: Sequence[str]) -> int:
    data = SHARED / "data"
    faults: list[str] = []
    with TemporaryDirectory() as name:
        work = Work(Path(name), data if data.is_dir() else None)
        for figures, block in sorted(marked().items()):
            if words and not figures.startswith(tuple(words)):
                continue
            found, left = faults_of(block, CHECKS[figures], work)
            faults += found
            said = ["differs" if found else "skipped" if left == len(CHECKS[figures]) else "as stated"]
            said += [f"{left} of {len(CHECKS[figures])} checks skipped: no real data in {data}"] if left else []
            print(f"{figures}: {'; '.join(said)}", flush=True)
            print("".join(f"  {fault}\n" for fault in found), end="", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
