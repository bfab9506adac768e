"""Marks of what is missing, as a reader of a test can see them."""

from __future__ import annotations

from stages.wikipedia.holes import NOTHING


def seen(text: str) -> str:
    """The text with ‹name› for what leaves a hole, and without marks of what shows nothing."""
    return text.replace(NOTHING, "").replace("\ufff9", "‹").replace("\ufffb", "›").replace("\ufffa", "^")
