"""Answers of a wiki's API (api.php): whether they are whole, what they warn of, and the pages and leads in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from stages.live import wiki_form
from stages.live.service import Busy, Cut, Foreign

_LATER = frozenset({"maxlag", "ratelimited", "readonly", "cirrussearch-too-busy-error"})
# What is left out of an answer comes in its next part.
_HARMLESS = frozenset({"truncatedresult"})
_MOST_WARNING = 200


@dataclass(frozen=True)
class WikiPage:
    """A page at one revision. model: of its content, such as wikitext."""

    title: str
    page_id: int
    namespace: int
    revision: int
    timestamp: str
    model: str
    text: str


class WikiFault(Exception):
    """The wiki's error: its code and its words."""


def checked(body: bytes) -> dict[str, Any]:
    """An answer of the API that is no error.

    Raises:
        Cut, Foreign, Busy: as `answered`.
        Fault: the wiki refuses.
    """
    said = answered(body)
    if (fault := fault_of(said)) is not None:
        raise fault
    return said


def answered(body: bytes) -> dict[str, Any]:
    """An answer of the API, which may be an error that asking again does not mend.

    Raises:
        Cut: no whole JSON.
        Foreign: whole JSON, but no object, or one of another form than a wiki's.
        Busy: the wiki wants to be asked later, which it says with status 200.
    """
    try:
        said = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Cut(f"not a whole answer: {error}") from error
    if not isinstance(said, dict):
        raise Foreign("answers other JSON than a wiki's")
    fault = fault_of(said)
    if fault is not None and (fault.args[0] in _LATER or fault.args[0].startswith("internal_api_error")):
        raise Busy(f"the wiki says {fault.args[0]}")
    wiki_form.check(body)
    return said


def fault_of(said: Mapping[str, Any]) -> WikiFault | None:
    """The first error of an answer; wikis from before 2017 know one form of errors, and of warnings, only."""
    several = said.get("errors")
    for one in several if several and isinstance(several, list) else [said.get("error")]:
        if isinstance(one, dict):
            return WikiFault(str(one.get("code", ""))[:80], str(one.get("text") or one.get("info", ""))[:200])
    return None


def warnings_of(said: Mapping[str, Any]) -> Iterator[str]:
    """What an answer warns of, but for what its next part mends."""
    given = said.get("warnings", [])
    if isinstance(given, dict):
        given = [{"module": name, "text": one.get("warnings", "")} for name, one in given.items()]
    for one in given:
        if not ("continue" in said and one.get("code") in _HARMLESS):
            yield " ".join(f"{one.get('module', '')}: {one.get('text', '')}".split())[:_MOST_WARNING]


def leads_of(query: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Which title leads to which, where none of them leads to another wiki."""
    for one in (*query.get("normalized", []), *query.get("converted", []), *query.get("redirects", [])):
        if not one.get("tointerwiki"):
            # What was sent in another form of Unicode comes back as an address has it.
            yield unquote(one["from"]) if one.get("fromencoded") else one["from"], one["to"]


def page_of(said: dict[str, Any]) -> WikiPage | None:
    """A page with its text; None where there is none, or nobody may read it.

    Raises:
        Cut: the page is there, but not its text.
    """
    if said.get("missing") or said.get("invalid") or said.get("special") or said.get("ns", 0) < 0:
        return None
    revisions = said.get("revisions") or []
    if not revisions:
        raise Cut(f"no revision of {said['title']}")
    [revision] = revisions[:1]
    slot = revision.get("slots", {}).get("main", {})
    if slot.get("texthidden") or slot.get("textmissing"):
        return None
    if "content" not in slot:
        raise Cut(f"no text of {said['title']}")
    return WikiPage(
        title=said["title"],
        page_id=said["pageid"],
        namespace=said["ns"],
        revision=revision["revid"],
        timestamp=revision.get("timestamp", ""),
        model=slot.get("contentmodel", "wikitext"),
        text=slot["content"],
    )
