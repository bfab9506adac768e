"""The identity of a (hypothesis, premise) pair."""

from __future__ import annotations

import hashlib


def pair_id(hypothesis: str, premise: str) -> str:
    """First 32 hex digits of the sha256 over both texts; equal pairs are scored once, whatever facts they serve."""
    content = f"{len(hypothesis)}:{hypothesis}{premise}"
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:32]
