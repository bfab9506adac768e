"""Choices at random that depend on a seed and on the record alone, never on the order of the records."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def rank(seed: int, key: str, purpose: str = "") -> bytes:
    """A record's place in the random order of one seed; `purpose` makes orders independent of each other."""
    return hashlib.sha256(f"{seed}\x1f{purpose}\x1f{key}".encode()).digest()


def shuffled(keys: Iterable[str], seed: int, purpose: str = "") -> list[str]:
    """The keys in the random order of one seed, the same whatever order they come in."""
    return sorted(keys, key=lambda key: (rank(seed, key, purpose), key))
