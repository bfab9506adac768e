"""The pages of a live wiki that names may stand for, as a dump would hold them: namesakes, redirects, search results.

    names in some spellings, and what disambiguates them       50 titles a request
      -> namesakes that these pages link to                    50 titles a request
      -> for some names the wiki's search and its own lists    one request a name

Titles are guessed where that is cheap: a wiki tells only one name at a time which titles differ from it in case.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from stages.live.addresses import shown
from stages.live.mediawiki import Pages, Wiki, WikiRefused
from stages.live.recipe import Limits
from stages.wikipedia.title_lookup import base, fold
from stages.wikipedia.titles import normalise_title, title_fault

_ARTICLE = re.compile(r"(?:the|an?) (?=\S)", re.IGNORECASE)
_LINK = re.compile(r"\[\[\s*:?([^\[\]|#<>{}\n]{1,255})")
# What a search engine would take for a command.
_OPERATORS = re.compile(r"""[":/~*|!<>\[\]{}()\\]|^-|(?<=\s)-""")
_NEAR = 50
_LISTS: Mapping[str, str] = {
    **{"list": "search|prefixsearch|allpages", "srlimit": "1", "srprop": "", "srinfo": "", "srnamespace": "0"},
    **{"pslimit": str(_NEAR), "psnamespace": "0", "aplimit": str(_NEAR), "apnamespace": "0"},
}


@dataclass
class Lookup:
    """Asks one wiki.

    found: pages that are known, to which those of the names come; notes: what a reader of the manifest must know.
    """

    wiki: Wiki
    limits: Limits
    found: Pages = field(default_factory=Pages)
    notes: list[str] = field(default_factory=list)

    def run(self, names: Iterable[str]) -> None:
        """Fills `found`. names: those that matter most come first, since limits take the first."""
        sound = [name for name in dict.fromkeys(map(normalise_title, names)) if not title_fault(name)]
        wanted = sound[: self.limits.names]
        if len(wanted) < len(sound):
            self.notes.append(f"limits.names took the first {len(wanted):,} of {len(sound):,} names.")
        titles = [title for name in wanted for title in (*spellings(name), *_unclear(name))]
        self._fetch(titles, "names", len(titles))
        forms = frozenset(fold(form) for name in wanted for form in (name, _without_article(name)))
        self._fetch(list(self._namesakes(forms)), "namesakes", self.limits.pages)
        lost = [name for name in wanted if all(self.found.end(title) is None for title in spellings(name))]
        self._search(list(dict.fromkeys((*lost, *wanted))))
        where = shown(self.wiki.service.address)
        titled = f"{len(wanted) - len(lost):,} of {len(wanted):,}"
        self.notes.append(f"Of the names that the dataset has to tell apart, {titled} are titles of {where}.")

    def _namesakes(self, forms: frozenset[str]) -> Iterator[str]:
        """Links of the pages found that are one of the names with a qualifier."""
        for page in self.found.pages.values():
            for link in _LINK.findall(page.text):
                title = normalise_title(link)
                plain = base(title)
                if not title_fault(title) and title != plain.partition(", ")[0] and _is_one(plain, forms):
                    yield title

    def _search(self, names: Sequence[str]) -> None:
        asked = names[: self.limits.searches]
        if len(asked) < len(names):
            self.notes.append(
                f"limits.searches let {len(asked):,} of {len(names):,} names be searched for; the others are told "
                "apart by titles, redirects and links alone."
            )
        titles: list[str] = []
        refused: dict[str, list[str]] = defaultdict(list)
        for done, name in enumerate(asked, 1):
            try:
                titles += self._near(name)
            except WikiRefused as fault:
                refused[fault.code].append(name)
            self.wiki.tell("searches", done, len(asked))
        for code, lost in sorted(refused.items()):
            self.notes.append(f"The wiki does not search for {len(lost):,} of the names ({code}), such as {lost[0]!r}.")
        self._fetch(titles, "search results", self.limits.pages)

    def _near(self, name: str) -> list[str]:
        """The first search result for a name, and titles that are the name in other case or with a qualifier."""
        words = " ".join(_OPERATORS.sub(" ", name).split())
        if not words:
            return []
        lists = self.wiki.lists({**_LISTS, "srsearch": words, "pssearch": name, "apprefix": f"{name} ("})
        first, near, qualified = ([one["title"] for one in lists[key]] for key in _LISTS["list"].split("|"))
        same = fold(name)
        return [*first[:1], *(title for title in near if same in (fold(title), fold(base(title)))), *qualified]

    def _fetch(self, titles: Sequence[str], phase: str, most: int) -> None:
        asked = map(normalise_title, titles)
        new = [
            title for title in dict.fromkeys(asked) if self.found.end(title) is None and title not in self.found.missing
        ]
        if len(new) > most:
            self.notes.append(f"limits.pages took the first {most:,} of {len(new):,} titles of {phase}.")
        self.found.add(self.wiki.pages(new[:most], phase))


def spellings(name: str) -> list[str]:
    """Titles that a page about a name may have: as it is, without an article, in capitals, without accents."""
    bare = _without_article(name)
    words = (bare.lower() if bare.isupper() else bare).split()
    capitals = " ".join(word[:1].upper() + word[1:] for word in words)
    return list(dict.fromkeys((name, bare, capitals, _unaccented(bare))))


def _unclear(name: str) -> dict[str, None]:
    """Titles of pages that tell what a name may stand for."""
    return dict.fromkeys(f"{form} (disambiguation)" for form in (name, _without_article(name)))


def _without_article(name: str) -> str:
    return normalise_title(_ARTICLE.sub("", name, count=1)) if _ARTICLE.match(name) else name


def _unaccented(name: str) -> str:
    marks = unicodedata.normalize("NFD", name)
    return normalise_title("".join(mark for mark in marks if not unicodedata.combining(mark)))


def _is_one(title: str, forms: frozenset[str]) -> bool:
    """Whether a title is a name, or a name and a comma and where it is."""
    return not forms.isdisjoint((fold(title), fold(title.partition(", ")[0])))
