"""Services, endpoints and wikis for the tests of live sources, with a clock that does not wait."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from stages.live.cache import Cache
from stages.live.endpoint import Endpoint
from stages.live.manners import Clock, Manners
from stages.live.mediawiki import Wiki
from stages.live.service import Service
from stages.live.transports import Http, Sparql

MANNERS = Manners(contact="tests@example.org", per_minute=100_000, seconds=20.0)


@dataclass
class StoppedClock(Clock):
    """Time that passes by pauses only; `pauses` keeps them. Chance always takes the longest."""

    pauses: list[float] = field(default_factory=list)
    _time: float = 0.0

    def __post_init__(self) -> None:
        self.now = lambda: self._time
        self.chance = lambda: 1.0
        self.sleep = self._pause

    def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self._time += seconds


def sparql_service(
    address: str, folder: Path, *, manners: Manners = MANNERS, offline: bool = False, refresh: bool = False
) -> Service:
    return Service(address, Sparql(manners), Cache(folder, refresh), manners, StoppedClock(), offline=offline)


def endpoint(address: str, folder: Path, *, manners: Manners = MANNERS, offline: bool = False) -> Endpoint:
    return Endpoint(sparql_service(address, folder, manners=manners, offline=offline))


def wiki(address: str, folder: Path, *, manners: Manners = MANNERS, offline: bool = False) -> Wiki:
    service = Service(address, Http(manners), Cache(folder), manners, StoppedClock(), offline=offline)
    return Wiki(service)
