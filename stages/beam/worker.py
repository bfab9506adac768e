"""A local worker process: Beam's own worker, with its log kept off the user's terminal.

Beam starts workers with its logging switched on and no option that reaches it early
enough; what makes a stage fail comes back to the builder as an error, not as a log line.

    python -m stages.beam.worker BUILDER SECONDS FOLDER

BUILDER is the process that started it. Beam's worker waits for a builder that was killed as
for one that is slow, so it is ended here. SECONDS without a sign of life (0: none) end it too;
in FOLDER it leaves what it works on, and where it stood.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from pathlib import Path

from stages.beam.stall import answer_to

_SECONDS = 1.0


def end_with(builder: int) -> None:
    """Ends this process soon after its parent is no longer `builder`."""
    while os.getppid() == builder:
        time.sleep(_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    # Ctrl-C reaches every process on the terminal, and the builder speaks for its workers.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    program, builder, seconds, folder = sys.argv
    threading.Thread(target=end_with, args=(int(builder),), daemon=True).start()
    answer_to(float(seconds), Path(folder))
    # Beam warns of missing extras while it is imported.
    from apache_beam.runners.worker import sdk_worker_main

    sdk_worker_main.main([program])
