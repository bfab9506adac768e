"""The command line: `benchwright COMMAND`, one module per group of commands."""

import logging

# Beam and its libraries log at import time and at every worker's start; what makes a stage fail is in the error
# that it raises.
logging.getLogger().setLevel(logging.CRITICAL)

# What is loaded here takes a second, in which Ctrl-C may come as well.
try:
    from pipelines.cli.main import main
except KeyboardInterrupt:
    from pipelines.cli.interrupt import EXIT_CODE, SAID_ELSEWHERE, say

    say(SAID_ELSEWHERE)
    raise SystemExit(EXIT_CODE) from None

__all__ = ["main"]
