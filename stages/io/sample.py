"""How a built-in sample says of itself that its texts are this project's own.

The mark stands in the files, as an export names the program that wrote it. So it goes
with a copy of the file, and nobody's real dump has it.
"""

from __future__ import annotations

GENERATOR = "Benchwright sample"
SOURCE = "sample text of this project"
LICENCE = "CC0-1.0"


def is_sample(generator: str) -> bool:
    """Whether a file's generator, in the words of its head, is that of the samples."""
    return generator.strip() == GENERATOR
