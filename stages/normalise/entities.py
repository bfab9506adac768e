"""Whole texts that name a Wikipedia page, as its title; page and links of the passage decide between pages."""

from __future__ import annotations

import re
from collections.abc import Iterable

from stages.normalise import evidence
from stages.normalise.model import AnswerForm, AnswerPassage, Kind, Link, Read, Reading, Undecidable
from stages.wikipedia.title_lookup import FoundTitle, Titles, base, fold
from stages.wikipedia.titles import normalise_title, title_fault

_ARTICLE = re.compile(r"(?:the|a|an) (?=\S)", re.IGNORECASE)
_BRACKETS = re.compile(r"(?P<name>[^()]+) \((?P<other>[^()]+)\)")
_QUOTES = "\"“”„'‘’«»"


def read_entity(text: str, titles: Titles, passage: AnswerPassage | None) -> Reading:
    """The page that a text names; Refused where it names several; None where it names none."""
    title, mark, section = text.partition("#")
    canonical = normalise_title(title)
    if title_fault(canonical):
        return None
    if chosen := _by_passage(canonical, titles, passage):
        return chosen
    refusal: Undecidable | None = None
    for spelling, rule in _spellings(canonical):
        found = titles.find(spelling)
        if found is None:
            continue
        if found.fault is None and rule == "title_without_article" and _named_with_article(title, passage):
            refusal = refusal or Undecidable(Kind.ENTITY, "article_in_name")
        elif found.fault is None:
            return _entity(found, rule, section if mark else "")
        else:
            refusal = refusal or Undecidable(Kind.ENTITY, found.fault)
    if refusal is not None:
        return refusal
    return _alike(canonical, titles, passage) or _brackets(canonical, titles) or _qualified(canonical, titles)


def _spellings(title: str) -> Iterable[tuple[str, str]]:
    """The title itself first, then without what answers add to names."""
    yield title, "title"
    bare = title.strip(_QUOTES).rstrip(".,;").strip()
    if bare != title and bare:
        yield normalise_title(bare), "title_without_marks"
    if found := _ARTICLE.match(title):
        yield normalise_title(title[found.end() :]), "title_without_article"


def _named_with_article(text: str, passage: AnswerPassage | None) -> bool:
    """Whether the passage writes the article with a capital within a sentence: "in The Wedding", a work."""
    if passage is None or not text[:1].isupper():
        return False
    return re.search(rf"(?<=[\w,;:]) [{_QUOTES}(]?{re.escape(text)}(?!\w)", passage.text) is not None


def _by_passage(title: str, titles: Titles, passage: AnswerPassage | None) -> Reading:
    """The page of the passage, or a page it links to, whose name or anchor is the text."""
    if passage is None or not (passage.page or passage.links):
        return None
    wanted = fold(title)
    if passage.page and fold(base(passage.page)) == wanted and (found := _whole(passage.page, titles)):
        return _entity(found, "page_of_passage", "")
    linked = {
        found.title: found for link in passage.links if _names(link, wanted) and (found := _whole(link.target, titles))
    }
    if len(linked) == 1:
        [only] = linked.values()
        return _entity(only, "link_of_passage", "")
    return Undecidable(Kind.ENTITY, "ambiguous_title") if linked else None


def _names(link: Link, wanted: str) -> bool:
    if link.anchor is not None and fold(normalise_title(link.anchor)) == wanted:
        return True
    return fold(base(normalise_title(link.target))) == wanted


def _whole(title: str, titles: Titles) -> FoundTitle | None:
    page, _, section = title.partition("#")
    found = titles.find(normalise_title(page))
    return None if found is None or found.fault else found._replace(section=section or found.section)


def _alike(title: str, titles: Titles, passage: AnswerPassage | None) -> Reading:
    pages = {found.title: (found, name) for name in titles.alike(title) if (found := _whole(name, titles))}
    if not pages:
        faults = [found.fault for name in titles.alike(title) if (found := titles.find(name)) and found.fault]
        return Undecidable(Kind.ENTITY, faults[0]) if faults else None
    if len(pages) > 1:
        return Undecidable(Kind.ENTITY, "ambiguous_title")
    [(only, name)] = pages.values()
    if passage is not None and _against(title, name, passage):
        return Undecidable(Kind.ENTITY, "capitals_lost" if _capitals(name) < _capitals(title) else "capitals_gained")
    return _entity(only, "case_or_diacritics", "")


def _capitals(text: str) -> int:
    return sum(map(str.isupper, text))


def _against(text: str, title: str, passage: AnswerPassage) -> bool:
    """Whether the passage has the words, and with other capitals than the title.

    "PIE" is no pie, "the Civil War" not just any civil war, and "tubular bells" are not the album, even beside it.
    """
    if text.lower() != title.lower():
        return False
    written = {passage.text[at : at + len(text)] for at in evidence.places(passage, text.lower())}
    lower = text[0].lower() + text[1:]
    if _capitals(title[1:]) > _capitals(text[1:]) and lower in written:
        return True
    return bool(written) and not written & {title, title[0].lower() + title[1:]}


def _brackets(title: str, titles: Titles) -> Reading:
    """ "carbon dioxide (CO2)": both names lead to one page."""
    found = _BRACKETS.fullmatch(title)
    if found is None:
        return None
    pages = [_whole(found[name], titles) for name in ("name", "other")]
    if pages[0] is None or pages[1] is None or pages[0].title != pages[1].title:
        return None
    return _entity(pages[0], "names_in_brackets", "")


def _qualified(title: str, titles: Titles) -> Reading:
    """Pages of that name exist with a qualifier only, and the passage has settled on none."""
    return Undecidable(Kind.ENTITY, "qualifier_needed") if titles.qualified(title) else None


def _entity(found: FoundTitle, rule: str, section: str) -> Read:
    part = found.section or section.strip()
    made = "redirect" if found.redirected and rule == "title" else rule
    if not part:
        return Read(Kind.ENTITY, (AnswerForm(found.title, made),))
    whole = AnswerForm(f"{found.title}#{part}", "section" if made in ("redirect", "title") else made)
    return Read(Kind.ENTITY, (whole, AnswerForm(found.title, "page_of_section")))
