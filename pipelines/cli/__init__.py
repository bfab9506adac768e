"""The command line: `benchwright COMMAND`, one module per group of commands."""

import logging

# Beam and its libraries log at import time and at every worker's start; what makes a stage fail is in the error
# that it raises.
logging.getLogger().setLevel(logging.CRITICAL)

from pipelines.cli.main import main  # noqa: E402

__all__ = ["main"]
