"""How a live service is asked: who asks, how often, how long it is tried."""

from __future__ import annotations

import random
import re
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.metadata import version

from stages.live.addresses import LiveError

_CONTACT = re.compile(r"[\x21-\x7e]+(?: [\x21-\x7e]+)*")


@dataclass(frozen=True)
class Manners:
    """What a user may set.

    contact: an address at which the service's operators reach whoever asks; Wikimedia wants one.
    per_minute: most requests within any 60 seconds.
    deadline: seconds after which one question is given up, with all its repetitions.
    longest_wait: the most seconds that one Retry-After or pause may last.
    connect_seconds: for a connection, TLS included; seconds: between two pieces of an answer.
    answer_seconds: for one whole answer, however steadily it drips.
    most_bytes: of one answer; redirects: of one request.
    """

    contact: str = ""
    per_minute: int = 60
    deadline: float = 600.0
    longest_wait: float = 120.0
    connect_seconds: float = 15.0
    seconds: float = 60.0
    answer_seconds: float = 240.0
    most_bytes: int = 64 << 20
    redirects: int = 3

    def __post_init__(self) -> None:
        if self.contact and not _CONTACT.fullmatch(self.contact):
            raise LiveError("--contact: printable ASCII is wanted, such as a mail address or the address of a page")
        if self.per_minute < 1 or min(self.deadline, self.longest_wait, self.seconds, self.answer_seconds) <= 0:
            raise LiveError("requests per minute, deadline and waits have to be above 0")

    @property
    def agent(self) -> str:
        """The User-Agent: program, version, contact."""
        return f"benchwright/{version('benchwright')} ({self.contact or 'no contact given'})"


@dataclass
class Clock:
    """Time, pauses and chance, in one place that a test can replace."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random


@dataclass
class Budget:
    """Keeps requests below a number per minute."""

    per_minute: int
    clock: Clock = field(default_factory=Clock)
    _times: deque[float] = field(default_factory=deque)

    def wait(self) -> None:
        """Returns when another request may go out."""
        now = self.clock.now()
        while self._times and self._times[0] <= now - 60:
            self._times.popleft()
        if len(self._times) >= self.per_minute:
            self.clock.sleep(self._times[0] + 60 - now)
            self._times.popleft()
        self._times.append(self.clock.now())


def pause(attempt: int, clock: Clock, first: float = 1.0) -> float:
    """Seconds before the next attempt: by chance between 0 and first * 2 ** attempt, so that askers do not meet."""
    return clock.chance() * first * 2.0 ** min(attempt, 10)


# Not urllib3.Retry's: it takes a 99th of May for one in 98 days, which ends a run, and repeats neither what a wiki
# refuses with status 200 nor a body that breaks off, nor tells anybody that it waits.
def retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """The seconds that a Retry-After header asks for: a number, or a date. None where it says nothing usable."""
    if value is None:
        return None
    if value.strip().isascii() and value.strip().isdigit():
        return float(value)
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - (now or datetime.now(UTC))).total_seconds())
