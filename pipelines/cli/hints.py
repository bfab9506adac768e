"""Commands that messages suggest, written so that they can be pasted into a shell."""

from __future__ import annotations

import shlex

from manifests.secrets import masked
from pipelines.published import DEFAULT_ROOT


def command(*words: str, root: str | None = None) -> str:
    """`benchwright` with its words, quoted where a shell needs it.

    root: for --root, which is left out where it is the default.
    """
    where = [] if root in (None, DEFAULT_ROOT) else ["--root", str(root)]
    return masked(f"`{shlex.join(['benchwright', *words, *where])}`")
