"""Finishes a lock file that pip-compile wrote: what only some builds of torch ask for goes into a lock file of its own,
the hashes of torch's files on this machine are added, and this project is no package of its own lock.

A build of torch for CPUs is the same release and asks for no accelerator's libraries. So these are constraints: whoever
installs the other build finds their versions and hashes there, and nobody else installs them.
"""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path

ACCELERATORS = re.compile(r"(nvidia|cuda)-|(triton|setuptools)==")
HEAD = "# What the registry's torch asks for on Linux and its build for CPUs does not, to be given as --constraint.\n"
_OWN = "benchwright @"
_HASH = "    --hash=sha256:"


def entries(text: str) -> list[str]:
    """The packages of a lock file, each with its hashes and what asks for it."""
    return [entry for entry in re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE) if re.match("[a-z0-9]", entry)]


def divided(text: str) -> tuple[str, str]:
    """A lock file's text as that of two: without the libraries of accelerators, and these alone with their hashes."""
    own = [entry for entry in entries(text) if not entry.startswith(_OWN)]
    kept = [entry for entry in own if not ACCELERATORS.match(entry)]
    apart = [re.sub(r" *#.*\n", "", entry) for entry in own if ACCELERATORS.match(entry)]
    return "".join(kept), HEAD + "".join(apart)


def with_hashes(text: str, name: str, digests: set[str]) -> str:
    """A lock file's text in which a package may also be one of other files. digests: their sha256."""
    made = []
    for entry in entries(text):
        if entry.startswith(f"{name}=="):
            pin, *rest = entry.splitlines()
            known = {line.strip(" \\").partition(":")[2] for line in rest if line.startswith(_HASH)}
            told = [line for line in rest if not line.startswith(_HASH)]
            hashes = " \\\n".join(f"{_HASH}{digest}" for digest in sorted(known | digests))
            entry = "\n".join([pin, hashes, *told]) + "\n"
        made.append(entry)
    return "".join(made)


def main(lock: Path, accelerators: Path, files: Path) -> None:
    """lock: what pip-compile wrote; accelerators: the other lock file; files: a folder with torch's files."""
    kept, apart = divided(lock.read_text(encoding="utf-8"))
    digests = {hashlib.sha256(file.read_bytes()).hexdigest() for file in files.iterdir()}
    lock.write_text(with_hashes(kept, "torch", digests), encoding="utf-8")
    accelerators.write_text(apart, encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
