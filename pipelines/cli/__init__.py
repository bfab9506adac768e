"""The command line: `benchwright COMMAND`, one module per group of commands."""

from pipelines.cli.main import main

__all__ = ["main"]
