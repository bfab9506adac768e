"""The bound on a reader of text: so many turns of its loops for so long a text, and no more.

Steps are counted, not seconds, so that equal texts are refused alike on every machine. A text whose reading does not
end is refused as any text that cannot be used, so that it costs a build one record.
"""

from __future__ import annotations

from collections.abc import Sequence

from stages.core.texts import Refused

TOO_SLOW = "too_slow"

_SHOWN = 12


class Steps:
    """The turns that the loops over one text may take together.

    text: a string, or its tokens; each: turns per character, or per token, and for the end.
    """

    __slots__ = ("_left", "_most", "_text")

    def __init__(self, text: Sequence[str], each: int = 1) -> None:
        self._text = text
        self._most = self._left = each * (len(text) + 1)

    def on(self) -> bool:
        """Takes a step; always true, so that it stands in the condition of a loop, behind what ends it.

        Raises Refused: too_slow.
        """
        self._left -= 1
        if self._left < 0:
            start = self._text[:80] if isinstance(self._text, str) else " ".join(self._text[:_SHOWN])
            raise Refused(TOO_SLOW, f"more than {self._most} steps from: {start}")
        return True
