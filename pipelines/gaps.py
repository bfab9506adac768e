"""What a finished build lacks of its benchmark: splits that no question fell to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from manifests.manifest import StageManifest
from stages.splits.relations import SPLITS

Stages = Mapping[str, StageManifest]
"""The finished stages of a build by name; some are missing where it stops early."""


def counted(stages: Stages, stage: str, names: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Questions per split by a stage's metrics; empty where it has not run.

    names: per split the metrics that add up to its questions; one that is not there stands for none.
    """
    if stage not in stages:
        return {}
    found = stages[stage].metrics
    return {split: int(sum(found.get(name, 0) for name in metrics)) for split, metrics in names.items()}


def empty(counts: Mapping[str, int]) -> list[str]:
    """The splits without a question beside others that have some; none where there is no question at all."""
    return [split for split in SPLITS if split in counts and not counts[split]] if any(counts.values()) else []


def no_splits(counts: Mapping[str, int], why: str, benchmark: str = "") -> list[str]:
    """A note for the manifest where a split is empty.

    why: what keeps a question out of a split, as the end of a sentence; benchmark: which of several it is about.
    """
    missing = empty(counts)
    if not missing:
        return []
    inside = f" in {benchmark}" if benchmark else ""
    return [f"There is no {' and no '.join(missing)} set{inside}: {why}."]
