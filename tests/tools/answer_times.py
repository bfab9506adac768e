"""When the made-up workers of the samples answer, and how long it takes them."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from stages.annotation.forms.kinds import TaskKind


def seconds(task: str, worker: str, kind: TaskKind) -> float:
    """Between half and one and a half of what the kind expects, as a digest of worker and task says."""
    share = hashlib.sha256(f"{task} {worker}".encode()).digest()[0] / 255
    return round(kind.settings.seconds * (0.5 + share), 1)


def submitted(start: datetime, minutes: int) -> str:
    """So many minutes after a start in UTC, as the neutral format writes it."""
    return (start + timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z")
