"""A local worker process: Beam's own worker, with its log kept off the user's terminal.

Beam starts workers with its logging switched on and no option that reaches it early
enough; what makes a stage fail comes back to the builder as an error, not as a log line.
"""

from __future__ import annotations

import logging
import signal
import sys

if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    # Ctrl-C reaches every process on the terminal, and the builder speaks for its workers.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Beam warns of missing extras while it is imported.
    from apache_beam.runners.worker import sdk_worker_main

    sdk_worker_main.main(sys.argv)
