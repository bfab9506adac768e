"""Chance that depends on a seed and on the record alone."""

from __future__ import annotations

import hashlib


def chance(seed: int, key: str, purpose: str) -> float:
    """A number from 0 to below 1 that depends on the arguments alone."""
    digest = hashlib.sha256(f"{seed}\x1f{purpose}\x1f{key}".encode()).digest()
    # 53 bits are what a float holds exactly.
    return (int.from_bytes(digest[:8], "big") >> 11) / (1 << 53)
