"""Which paragraphs may be shown in which split.

A paragraph that supports a question is shown where that question is. The others are
dealt out at random in proportion to the splits' questions, so that no context for
training shows a paragraph of one for evaluation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import accumulate

from stages.core.seeds import rank
from stages.core.splits import SPLITS


def corpora(
    paragraphs: Iterable[str], supports: Iterable[tuple[str, str]], questions: Mapping[str, int], seed: int
) -> dict[str, list[str]]:
    """The paragraphs of each split, sorted.

    supports: (split, paragraph) of all questions; questions: how many there are per split.
    """
    found: dict[str, set[str]] = {split: set() for split in SPLITS}
    taken = set()
    for split, paragraph in supports:
        found[split].add(paragraph)
        taken.add(paragraph)
    counts = Counter(questions)
    limits = list(accumulate(counts[split] for split in SPLITS))
    for paragraph in paragraphs:
        if paragraph not in taken and limits[-1]:
            place = int.from_bytes(rank(seed, paragraph, "corpora")[:8]) % limits[-1]
            found[next(split for split, limit in zip(SPLITS, limits, strict=True) if place < limit)].add(paragraph)
    return {split: sorted(names) for split, names in found.items()}
