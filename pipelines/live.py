"""Live sources of a build: asked before it begins, so that the build itself reads files like any other.

What a recipe names becomes files below the root, named by their digest:

    {root}/sources/{digest}/wikidata.json      entities, as a dump writes them
    {root}/sources/{digest}/wikipedia.xml      pages, as a wiki exports them
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from manifests.digest import sha256
from manifests.storage import Storage
from pipelines.params import Values, section
from stages.core.overlay import using
from stages.facts.relations.templates import load_relations
from stages.io.detect import MEDIAWIKI, RELATIONS, WIKIDATA, Inputs
from stages.live import export
from stages.live.addresses import LiveError, checked, shown
from stages.live.batches import Tell, some
from stages.live.cache import Cache
from stages.live.endpoint import Endpoint
from stages.live.entities import CHANGE, Terms, Walk
from stages.live.lookup import Lookup
from stages.live.manners import Manners
from stages.live.mediawiki import Wiki
from stages.live.recipe import Recipe
from stages.live.service import RequestTally, Send, Service, silent
from stages.wikidata.parse import ParseParams, parse

SPARQL, WIKI = "sparql", "mediawiki"
BRINGS = {SPARQL: WIKIDATA, WIKI: MEDIAWIKI}
"""The kind of file that comes of each kind of live source."""
SOURCES, REQUESTS = "sources", "requests"
"""Folders of a root: files that builds read, and the answers that these are made of."""
DIGEST_DIGITS = 16
_NO_TITLES = (
    "the entities have no pages of the wiki that wikidata.site names, and no recipe names titles; --recipe takes some"
)
_PREFIX = re.compile(rf"({SPARQL}|{WIKI}):(.*)", re.DOTALL | re.IGNORECASE)
_WEB = re.compile(r"https?://.*", re.DOTALL | re.IGNORECASE)
_KINDS = {SPARQL: "a SPARQL endpoint", WIKI: "a wiki's api.php"}
_SITE = re.compile(r"([a-z][a-z_]{1,20})wiki")


@dataclass(frozen=True)
class Address:
    """A live source of --source. kind: sparql or mediawiki."""

    kind: str
    address: str


@dataclass
class Live:
    """How live sources are asked.

    properties: of the dataset, where the recipe names none; names: those that it has to tell apart (see
    `pipelines.datasets.Dataset`), for which wikis are asked, too. say: hears of long pauses, a line at a time.
    """

    addresses: tuple[Address, ...]
    recipe: Recipe
    manners: Manners
    cache: Path
    offline: bool = False
    refresh: bool = False
    tell: Tell = silent
    properties: Callable[[], Sequence[str]] | None = None
    names: Callable[[Inputs, Values], Iterable[str]] | None = None
    tally: RequestTally = field(default_factory=RequestTally)
    say: Callable[[str], None] = silent

    def fetch(self, inputs: Inputs, values: Values, root: str) -> tuple[Inputs, list[str]]:
        """The inputs with what the live sources hold of the recipe, and what the manifest has to say of it.

        Raises:
            LiveError: a source cannot be used, or the recipe lacks what it needs.
        """
        # What speaks HTTP is loaded only where something is asked.
        from stages.live.transports import Http, Sparql

        cache = Cache(self.cache, self.refresh and not self.offline)
        params = section(ParseParams, values, "wikidata")
        notes = []
        if cache.unfinished and not self.refresh:
            notes.append("An earlier --refresh was broken off: answers of two times stand side by side.")
        titles = list(self.recipe.titles)
        for address in self._of(SPARQL):
            walk = self._walk(self._service(SPARQL, address, Sparql(self.manners), cache), params)
            inputs = inputs.plus(WIKIDATA, [_written(root, "wikidata.json", walk.lines())])
            titles += walk.titles()
            notes += [self._said("Entities", address), *walk.notes]
        wikis = list(self._of(WIKI))
        titles += _local_titles(inputs, params) if wikis else []
        with using(inputs.templates):
            names = list(self.names(inputs, values)) if wikis and self.names is not None else []
        for address in wikis:
            wiki = Wiki(self._service(WIKI, address, Http(self.manners), cache), self.tell)
            path, told = self._pages(wiki, list(dict.fromkeys(titles)), names, root)
            inputs = inputs.plus(MEDIAWIKI, [path])
            notes += [self._said("Pages", address), *told]
        cache.finish()
        return inputs, notes

    def _of(self, kind: str) -> Iterable[str]:
        return sorted({found.address for found in self.addresses if found.kind == kind})

    def _service(self, kind: str, address: str, send: Send, cache: Cache) -> Service:
        service = Service(address, send, cache, self.manners, offline=self.offline, tally=self.tally)
        service.kind, service.say = _KINDS[kind], self.say
        return service

    def _said(self, what: str, address: str) -> str:
        recipe = f" by the recipe {self.recipe.name} (sha256 {self.recipe.digest[:16]})" if self.recipe.name else ""
        return f"{what} were fetched from {shown(address)}{recipe}."

    def _walk(self, service: Service, params: ParseParams) -> Walk:
        if not self.recipe.names_entities:
            raise LiveError(f"{shown(service.address)}: --recipe has to name classes or seeds to ask for")
        properties = self.recipe.properties or tuple(self.properties() if self.properties is not None else ())
        if not properties:
            raise LiveError(f"{shown(service.address)}: --recipe has to name properties, as the dataset has none")
        terms = Terms(params.languages, params.site, wiki_of(params.site))
        walk = Walk(Endpoint(service, self.tell), self.recipe, properties, terms)
        walk.run()
        walk.notes += walk.lacking()
        return walk

    def _pages(self, wiki: Wiki, titles: Sequence[str], names: Sequence[str], root: str) -> tuple[str, list[str]]:
        where = shown(wiki.service.address)
        if not titles and not names:
            raise LiveError(f"{where}: no titles to ask for; {_NO_TITLES}")
        site = wiki.site()
        most = self.recipe.limits.pages
        notes = [f"The wiki states as its licence: {site.licence}."] if site.licence else []
        if len(titles) > most:
            notes.append(f"limits.pages took the first {most:,} of {len(titles):,} titles.")
        found = wiki.pages(titles[:most])
        if titles and not found.pages:
            raise LiveError(
                f"{where}: none of {len(titles[:most]):,} titles leads to a page ({some(titles)}); is this the wiki "
                f"that wikidata.site names? Otherwise {CHANGE}"
            )
        if found.missing:
            notes.append(f"{len(found.missing):,} titles lead to no page: {some(sorted(found.missing))}.")
        if found.elsewhere:
            notes.append(f"{len(found.elsewhere):,} titles name pages of other wikis: {some(sorted(found.elsewhere))}.")
        if names:
            lookup = Lookup(wiki, self.recipe.limits, found)
            lookup.run(names)
            notes += lookup.notes
        notes += [f"The wiki warns: {warning}" for warning in sorted(wiki.warnings)]
        return _written(root, "wikipedia.xml", export.lines(site, found)), notes


def split(sources: Sequence[str]) -> tuple[list[str], tuple[Address, ...]]:
    """Local sources, and live ones (sparql:ADDRESS, mediawiki:ADDRESS; the prefix in any case).

    Raises:
        LiveError: no address that may be asked, or one without a prefix.
    """
    local, live = [], []
    for source in sources:
        match = _PREFIX.fullmatch(source)
        if match is not None:
            live.append(Address(match.group(1).lower(), checked(match.group(2))))
        elif _WEB.fullmatch(source):
            raise LiveError(
                f"--source {shown(source)}: put sparql: before the address of a SPARQL endpoint and mediawiki: before "
                "that of a wiki's api.php; a dump has to be downloaded first"
            )
        else:
            local.append(source)
    return local, tuple(live)


def wiki_of(site: str) -> str:
    """The address of a Wikipedia by its name in dumps: https://en.wikipedia.org/ of enwiki."""
    match = _SITE.fullmatch(site)
    if match is None:
        raise LiveError(f"wikidata.site: {site!r}; live sources know Wikipedias, such as enwiki")
    return f"https://{match.group(1).replace('_', '-')}.wikipedia.org/"


def _local_titles(inputs: Inputs, params: ParseParams) -> list[str]:
    """The pages of all entities among the local files, by their title."""
    # What reads templates and models is loaded only where a wiki is asked.
    from pipelines.corpus import entities

    source = entities(inputs, params, load_relations(inputs.of(RELATIONS)))
    found: set[str] = set()
    for part in source.parts():
        for records in source.read(part):
            found |= set(parse(records, params=params).tables["entities"]["title"].to_pylist())
    return sorted(title for title in found if title)


def _written(root: str, name: str, lines: Iterable[bytes]) -> str:
    data = b"".join(lines)
    path = f"{SOURCES}/{sha256(data)[:DIGEST_DIGITS]}/{name}"
    # Even where it lies there already: `clean` takes files for unused that are old and that no build names yet.
    Storage.at(root).write_bytes(path, data)
    return f"{root.rstrip('/')}/{path}"
