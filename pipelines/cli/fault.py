"""A fault of the project itself: a report in a file, one line on standard error, and an exit code of its own.

The report holds the stack, the versions and which options were given. Their values are left out: sources and
roots may name what is not for others, and the line asks to send the report on.
"""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Sequence
from importlib import metadata

from manifests.secrets import masked

EXIT_CODE = 70
"""What systems call an internal fault of a program."""


def tell(error: Exception, command: Sequence[str]) -> None:
    """Writes the report, and says on standard error where it is and how to send it.

    command: the command's words, without its own name. Where no file can be written, the report is printed.
    """
    kind = masked(f"{type(error).__name__}: {error}".partition("\n")[0])
    said = masked(report(error, command))
    try:
        descriptor, path = tempfile.mkstemp(prefix="benchwright-report-", suffix=".txt")
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(said)
    except OSError as full:
        sys.stderr.write(f"{said}benchwright: a fault of this program ({kind}); no report was written ({full}): ")
        sys.stderr.write("please open an issue with the lines above\n")
    else:
        sys.stderr.write(
            f"benchwright: a fault of this program ({kind}); the report is in {path}: read it through and "
            "please open an issue with it\n"
        )
    sys.stderr.flush()


def report(error: Exception, command: Sequence[str]) -> str:
    """What helps to find a fault."""
    lines = [
        f"benchwright {metadata.version('benchwright')}, Python {platform.python_version()}, {platform.platform()}",
        f"command: benchwright {' '.join(_without_values(command))}",
        "",
        *(line.rstrip("\n") for line in traceback.format_exception(error)),
    ]
    return "\n".join(lines) + "\n"


def _without_values(command: Sequence[str]) -> list[str]:
    """The command itself and the names of its options."""
    return [word.partition("=")[0] for at, word in enumerate(command) if at == 0 or word.startswith("-")]
