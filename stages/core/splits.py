"""The names of the splits."""

from __future__ import annotations

TRAIN, DEV, TEST = "train", "dev", "test"


SPLITS = (TRAIN, DEV, TEST)
