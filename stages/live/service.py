"""One live service: asks politely, again where that helps, and keeps whole answers only.

    cached? -> budget -> transport -> status -> kind of content -> check -> cache

What a pause may help (429, 503, a dropped connection) is asked again until the deadline. An
answer that is cut is asked for once more and then handed back as `Cut`, since only the caller
can ask for less at a time. Whoever waits hears of long pauses by `say`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from stages.live.addresses import LiveError, redacted, shown
from stages.live.cache import Cache, Kept, Question
from stages.live.manners import Budget, Clock, Manners, pause, retry_after

Value = TypeVar("Value")
Check = Callable[[bytes], Value]
_AGAIN = frozenset({408, 425, 429, 502, 503, 504})
_OVERTAXED = frozenset({413, 500, 504})
_MOST_CUTS = 2
_DIGITS = 12
# A service that never answered, or never in the right form, is probably not the one that was meant.
_FIRST_ATTEMPTS = 4
# A shorter pause is no news to whoever waits.
_TOLD_SECONDS = 5
EITHER = "a SPARQL endpoint, or of a wiki's api.php"


class Cut(Exception):
    """An answer that is not whole, or a question that was too much for the service: ask for less at a time."""


class ConnectionDropped(Exception):
    """No answer came through: refused, reset, timed out. The text says what happened, without secrets.

    hint: what to look at where the service has never answered.
    """

    def __init__(self, said: str, hint: str = "") -> None:
        super().__init__(said)
        self.hint = hint


class Foreign(Exception):
    """A whole answer, but of something else than the service that is meant: asking for less does not help."""


class Busy(Exception):
    """The service says, by a status or inside a whole answer, that it wants to be asked later."""


class NotAsked(LiveError):
    """Nothing may be asked, and the cache lacks the answer."""


@dataclass(frozen=True)
class ServiceReply:
    """What came back. headers: by their names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


Send = Callable[[Question], ServiceReply]
"""Sends one question, once, and gives the reply, whatever its status. Raises ConnectionDropped; Cut, where an answer
came in part or more came than one may have; LiveError, where the service leads somewhere that may not be followed."""


def silent(*_: object) -> None:
    """Tells nobody."""


@dataclass
class RequestTally:
    """What a run asked: requests sent, answers taken from the cache, repetitions, seconds of pauses."""

    sent: int = 0
    cached: int = 0
    again: int = 0
    waited: float = 0.0


@dataclass
class Service:
    """A service and its answers.

    offline: nothing is asked that the cache does not hold. kind: of service, for "is this the address of ...?".
    say: hears one line about the first long pause, and about each that is longer than any before.
    """

    address: str
    send: Send
    cache: Cache
    manners: Manners = field(default_factory=Manners)
    clock: Clock = field(default_factory=Clock)
    offline: bool = False
    tally: RequestTally = field(default_factory=RequestTally)
    kind: str = EITHER
    say: Callable[[str], None] = silent
    _budget: Budget = field(init=False)
    _heard: bool = field(init=False, default=False)
    _began: float = field(init=False, default=0.0)
    _longest: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self._budget = Budget(self.manners.per_minute, self.clock)

    def ask(self, values: Mapping[str, str], check: Check[Value], least: bool = False, about: str = "") -> Value:
        """What `check` makes of the answer's body.

        check: raises Cut where the body is not a whole answer, Foreign where asking for less does not help either, and
        Busy where it asks for a pause.
        least: there is no smaller question, so that a cut answer is not remembered: it may come whole another day.
        about: what is asked for, in words.

        Raises:
            Cut: the answer was cut twice, or the service is overtaxed by the question.
            NotAsked: offline, and never asked before.
            LiveError: the service refuses, or the deadline is over.
        """
        question = Question(self.address, values)
        kept = self.cache.get(question)
        if kept is not None:
            self.tally.cached += 1
            if kept.cut:
                raise Cut(kept.cut)
            try:
                return check(kept.body)
            except (Foreign, Cut, Busy) as fault:
                # Kept by who knew less of the form; to ask again mends it.
                if self.offline:
                    raise LiveError(
                        f"{self.cache.path(question)}: {redacted(str(fault), self.address)}; `build` without "
                        "--offline asks again"
                    ) from fault
                self.tally.cached -= 1
        if self.offline:
            lacks = "lacks" if self.cache.any() else "is empty and lacks"
            raise NotAsked(
                f"{shown(self.address)}: {self.cache.folder} {lacks} {about or 'an answer'} (question "
                f"{question.digest[:_DIGITS]}); `build` without --offline asks for it"
            )
        try:
            body, value = self._whole(question, check)
        except Cut as cut:
            if not least:
                self.cache.put(question, Kept(b"", str(cut) or "cut"))
            elif not self._heard:
                raise Cut(f"{cut}; nothing whole has come from {shown(self.address)} yet; {self._is_this()}") from cut
            raise
        self.cache.put(question, Kept(body))
        return value

    def _whole(self, question: Question, check: Check[Value]) -> tuple[bytes, Value]:
        end = self.clock.now() + self.manners.deadline
        attempt, cuts, dropped, hint = 0, 0, 0, ""
        while True:
            wait: float | None = None
            try:
                reply = self._send(question)
                wait = retry_after(reply.headers.get("retry-after"))
                self._sound(reply)
                value = check(reply.body)
                self._heard = True
                return reply.body, value
            except Busy as fault:
                said = str(fault)
            except ConnectionDropped as fault:
                said, hint, dropped = str(fault), fault.hint, dropped + 1
            except Foreign as fault:
                text = redacted(str(fault), self.address)
                raise LiveError(f"{shown(self.address)}: {text}; {self._is_this()}") from fault
            except Cut as fault:
                said, cuts = str(fault), cuts + 1
                if cuts >= _MOST_CUTS:
                    raise
            attempt += 1
            if not self._heard and dropped >= _FIRST_ATTEMPTS:
                raise self._unheard(f"in {dropped} attempts", said, hint)
            self._rest(attempt, wait, end, said, hint)

    def _send(self, question: Question) -> ServiceReply:
        self._budget.wait()
        self.tally.sent += 1
        self._began = self.clock.now()
        return self.send(question)

    def _sound(self, reply: ServiceReply) -> None:
        """Raises what a reply without a usable body stands for."""
        kind = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
        if reply.status == 200 and "json" in kind:
            return
        if reply.status == 200:
            raise ConnectionDropped(f"an answer of the kind {kind[:60] or 'unknown'!r} instead of JSON")
        said = f"status {reply.status}"
        if reply.status in _OVERTAXED:
            raise Cut(said)
        if reply.status in _AGAIN:
            raise Busy(said)
        text = " ".join(reply.body[:300].decode("utf-8", errors="replace").split())
        text = redacted(text, self.address) or "without a word"
        raise LiveError(f"{shown(self.address)}: refused with {said}: {text}")

    def _rest(self, attempt: int, wait: float | None, end: float, said: str, hint: str) -> None:
        """The pause before the next attempt: what the service asks for, else longer each time."""
        if wait is not None and wait > self.manners.longest_wait:
            raise LiveError(
                f"{shown(self.address)}: {said}, and asks for a pause of {wait:.0f} s (--longest-wait allows "
                f"{self.manners.longest_wait:.0f}); the same command goes on later from what was answered"
            )
        seconds = min(pause(attempt, self.clock) if wait is None else wait, self.manners.longest_wait)
        if self.clock.now() + seconds > end:
            if not self._heard:
                more = " If it is, the same command asks again, and --deadline gives it longer"
                raise self._unheard(f"within {self.manners.deadline:.0f} s", said, hint, more)
            raise LiveError(
                f"{shown(self.address)}: no whole answer within {self.manners.deadline:.0f} s, the last time: {said}; "
                "the same command goes on from what was answered, --deadline gives it longer"
            )
        self.tally.again += 1
        self.tally.waited += seconds
        self._tell(said, seconds)
        self.clock.sleep(seconds)

    def _tell(self, said: str, seconds: float) -> None:
        """Says that a pause follows, where nothing is heard for longer than ever: the failed attempt counts, too."""
        lost = round(self.clock.now() - self._began + seconds)
        if lost >= _TOLD_SECONDS and lost > self._longest:
            self._longest = lost
            waiting = f"waiting {seconds:.0f} s" if seconds >= 1 else "asking again"
            self.say(f"{shown(self.address)}: {said}, {waiting}")

    def _unheard(self, tried: str, said: str, hint: str, more: str = "") -> LiveError:
        parts = filter(None, (f"no whole answer {tried}, the last time: {said}", hint, self._is_this()))
        return LiveError(f"{shown(self.address)}: {'; '.join(parts)}{more}")

    def _is_this(self) -> str:
        return f"is this the address of {self.kind}?"
