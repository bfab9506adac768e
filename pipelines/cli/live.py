"""Options and progress of live sources, for the commands that read sources."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial, wraps
from pathlib import Path
from typing import Any, TextIO

import click
from tqdm import tqdm

from manifests.storage import Storage
from pipelines.cli.interrupt import SAID_ASKING, say
from pipelines.cli.options import Finite
from pipelines.datasets import Dataset
from pipelines.live import BRINGS, REQUESTS, SPARQL, Address, Live, split
from pipelines.params import Values
from stages.io.detect import ENTITIES, Inputs
from stages.live.addresses import LiveError, shown
from stages.live.manners import Manners
from stages.live.recipe import Recipe, load, names
from stages.live.service import RequestTally

_LINE_SECONDS = 10.0
_MANNERS = Manners()
_OPTIONS = (
    click.option(
        "--recipe", metavar="NAME|FILE", help=f"What live sources are asked for: {', '.join(names())}, or a file."
    ),
    click.option("--contact", default="", metavar="TEXT", help="Who asks: a mail or web address, for the User-Agent."),
    click.option("--cache", metavar="FOLDER", help="Where answers of live sources are kept; default: ROOT/requests."),
    click.option("--refresh", is_flag=True, help="Ask live sources again for what is in the cache."),
    click.option("--offline", is_flag=True, help="Ask no live source; the cache has to hold all answers."),
    click.option(
        "--per-minute",
        default=_MANNERS.per_minute,
        show_default=True,
        type=click.IntRange(min=1),
        metavar="N",
        help="Most requests to one live source within a minute.",
    ),
    click.option(
        "--deadline",
        default=_MANNERS.deadline,
        show_default=True,
        type=Finite(min=0, min_open=True),
        metavar="SECONDS",
        help="How long one question to a live source is tried.",
    ),
    click.option(
        "--longest-wait",
        default=_MANNERS.longest_wait,
        show_default=True,
        type=Finite(min=0, min_open=True),
        metavar="SECONDS",
        help="The longest pause that a live source may ask for.",
    ),
)


@dataclass(frozen=True)
class LiveOptions:
    """What a user said of live sources."""

    recipe: str | None
    contact: str
    cache: str | None
    refresh: bool
    offline: bool
    per_minute: int
    deadline: float
    longest_wait: float

    def check(self, sources: Sequence[str]) -> None:
        """Whether the options make sense, before anything heavy is loaded.

        Raises:
            LiveError: they do not, or the recipe cannot be followed.
        """
        _, addresses = split(sources)
        if not addresses and self.recipe is not None:
            raise LiveError("--recipe says what to ask a live source for; name one with --source sparql:URL")
        if addresses and self.offline and self.refresh:
            raise LiveError("--refresh asks again, and --offline never asks: leave one of them out")
        self.read_recipe()

    def read_recipe(self) -> Recipe:
        """The recipe; without one there are limits only."""
        return load(self.recipe) if self.recipe is not None else Recipe()

    def only_cached(self) -> LiveOptions:
        return replace(self, offline=True, refresh=False)

    def fetch(
        self, described: Dataset, values: Values, inputs: Inputs, sources: Sequence[str], root: str, quiet: bool
    ) -> tuple[Inputs, list[str]]:
        """The inputs with what live sources among `sources` hold, and notes for the manifest.

        Raises:
            NotAsked: nothing may be asked, and the cache lacks an answer.
            LiveError: a source cannot be used.
            SourceError: with all that they bring, something is missing that a build needs.
        """
        _, addresses = split(sources)
        if not addresses:
            return inputs, []
        unread = {found.kind for found in addresses if described.reads and BRINGS[found.kind] not in described.reads}
        if unread:
            raise LiveError(f"--source {min(unread)}: {described.name} reads nothing of that kind")
        watch = Watch(mode="quiet" if quiet else None)
        live = Live(
            addresses,
            self.read_recipe(),
            Manners(self.contact, self.per_minute, self.deadline, self.longest_wait),
            self._cache(root),
            offline=self.offline,
            refresh=self.refresh,
            tell=watch.tell,
            properties=partial(described.properties, inputs) if described.properties else None,
            names=described.names,
            tally=watch.tally,
            say=watch.say,
        )
        # Before a service is asked for hours.
        described.need(values, _expected(inputs, addresses))
        try:
            return live.fetch(inputs, values, root)
        except KeyboardInterrupt:
            watch.close()
            say(SAID_ASKING.format(folder=live.cache))
            raise
        finally:
            watch.close()

    def would_ask(self, described: Dataset, inputs: Inputs, sources: Sequence[str]) -> list[tuple[str, str]]:
        """(live source, what `build` would ask it for)."""
        _, addresses = split(sources)
        recipe = self.read_recipe()
        entities = bool(inputs.of(*ENTITIES)) or any(one.kind == SPARQL for one in addresses)
        return [
            (
                f"{one.kind}:{shown(one.address)}",
                _of_entities(recipe) if one.kind == SPARQL else _of_pages(recipe, described, entities),
            )
            for one in addresses
        ]

    def _cache(self, root: str) -> Path:
        if self.cache is not None:
            return Path(self.cache)
        storage = Storage.at(root)
        if not storage.is_local:
            raise LiveError("--cache: name a folder on this machine for the answers of live sources")
        return Path(storage.base) / REQUESTS


def live_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options, handed to the command as one `live`."""

    @wraps(function)
    def command(*arguments: Any, **options: Any) -> Any:
        taken = {field.name: options.pop(field.name) for field in fields(LiveOptions)}
        live = LiveOptions(**taken)
        live.check(options["sources"])
        return function(*arguments, live=live, **options)

    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def _expected(inputs: Inputs, addresses: Sequence[Address]) -> Inputs:
    """The inputs with a place for what each live source will bring."""
    for one in addresses:
        inputs = inputs.plus(BRINGS[one.kind], [f"{one.kind}:"])
    return inputs


def _of_entities(recipe: Recipe) -> str:
    most = f"{recipe.limits.entities:,} at the most"
    return f"{recipe.entities}, {most}, and what they lead to (hops: {recipe.hops})"


def _of_pages(recipe: Recipe, described: Dataset, entities: bool) -> str:
    """What a wiki is asked for. entities: whether there are any that may have pages."""
    limits, parts = recipe.limits, []
    of = [*(["the entities"] if entities else []), *(["titles"] if recipe.titles else [])]
    if of:
        parts.append(f"{limits.pages:,} pages at the most, of {' and '.join(of)}")
    if described.names is not None:
        parts.append(f"pages of {limits.names:,} names at the most, {limits.searches:,} of them by search")
    return "; ".join(parts) or "no pages"


class Watch:
    """Shows how far the asking is: a bar on a terminal, lines in a pipe. mode: "bar", "lines" or "quiet"."""

    def __init__(self, stream: TextIO | None = None, mode: str | None = None) -> None:
        self.stream = stream or sys.stderr
        self.mode = mode or ("bar" if self.stream.isatty() else "lines")
        self.tally = RequestTally()
        self._bar: tqdm | None = None
        self._phase = ("", 0)
        self._began = self._said = 0.0

    def tell(self, phase: str, done: int, total: int) -> None:
        """See `stages.live.batches.Tell`."""
        if self.mode == "quiet":
            return
        if (phase, total) != self._phase:
            self._begin(phase, total)
        if self._bar is not None:
            self._bar.update(done - self._bar.n)
            self._bar.set_postfix_str(self._requests())
        elif done == total or time.monotonic() - self._said >= _LINE_SECONDS:
            self._said = time.monotonic()
            rate = done / max(self._said - self._began, 0.001)
            left = f", {(total - done) / rate:.0f} s left" if done < total else ""
            print(
                f"{phase:<28} {done:,}/{total:,} ({rate:,.0f} a second{left}; {self._requests()})",
                file=self.stream,
                flush=True,
            )

    def say(self, line: str) -> None:
        """One line, above the bar where there is one."""
        if self.mode != "quiet":
            tqdm.write(line, file=self.stream)
            self.stream.flush()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def _begin(self, phase: str, total: int) -> None:
        self.close()
        self._phase = (phase, total)
        self._began = self._said = time.monotonic()
        if self.mode == "bar":
            self._bar = tqdm(total=total, desc=phase, unit="", file=self.stream, leave=False)

    def _requests(self) -> str:
        again = f", {self.tally.again:,} again" if self.tally.again else ""
        return f"asked {self.tally.sent:,}, cached {self.tally.cached:,}{again}"
