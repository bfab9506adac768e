"""The readers of text and of files that meet what strangers wrote, each with the pieces that mean something to it."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.parsers.expat import ExpatError

import pyarrow as pa

from pipelines.build_file import read_build_file
from pipelines.inputs import mapped_columns
from stages.annotation.reading import normal
from stages.core.contract import StageError
from stages.core.strict_yaml import parse as parse_yaml
from stages.core.texts import Refused, find_active, form, has_markup, tidy
from stages.facts.calibration.labelled import read_labelled
from stages.facts.matching import plain_surface
from stages.facts.sorts import load_sorts
from stages.ifqa.texts import leftovers
from stages.io.detect import SourceError, kind_of
from stages.live import wiki_answers
from stages.live.answers import plain
from stages.live.service import Busy, Cut, Foreign
from stages.models.readers.spans import see
from stages.musique.composition.grammar import load_grammar
from stages.musique.composition.names import recased, subject_name
from stages.musique.spellings.mentions import searchable
from stages.normalise import normalise
from stages.release.format import ReleaseError, read_entries
from stages.wikidata.entity import BrokenRecord, RecordDecoder
from stages.wikidata.simple import SimpleStatements
from stages.wikipedia.page_xml import DoctypeError, elements
from stages.wikipedia.pages import PagesParams, clean_pages
from stages.wikipedia.prepared import PreparedPages
from stages.wikipedia.raw import RAW_SCHEMA
from stages.wikipedia.sentences import split_sentences
from stages.wikipedia.titles import normalise_title, title_fault
from stages.wiqa.polarity import load_lexicon

ENDLESS = 1 << 30
PAGES = PagesParams()
GRAMMAR = load_grammar()
ENTITIES = RecordDecoder(("en",), "enwiki")


@dataclass(frozen=True)
class Reader:
    """read: never raises but what it says it does; pieces: what it takes apart."""

    read: Callable[[str], object]
    pieces: tuple[str, ...]


def page(text: str, markup: bool = True) -> None:
    """A page through the kernel: every row ends as a page or a reject."""
    row = {"title": "A", "text": text, "markup": markup}
    output = clean_pages(pa.Table.from_pylist([row], schema=RAW_SCHEMA), params=PAGES)
    made = (output.tables[name].num_rows for name in ("pages", "redirects"))
    assert sum(made) + output.rejects.num_rows == 1


def from_file(read: Callable[[str], object], head: str = "") -> Callable[[str], object]:
    """A reader of files, of one that begins with `head`; its bytes need not be text."""

    def reading(text: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "file"
            path.write_bytes((head + text).encode("utf-8", errors="surrogatepass"))
            read(str(path))

    return reading


def pages_of(path: str) -> None:
    """Prepared pages through the kernel: every row ends as a page, a redirect or a reject."""
    kind_of(path)
    source = PreparedPages([path])
    for part in source.parts():
        for raw in source.read(part):
            output = clean_pages(raw, params=PAGES)
            made = (output.tables[name].num_rows for name in ("pages", "redirects"))
            assert sum(made) + sum(output.rejects["count"].to_pylist()) == raw.num_rows
    source.licences()


def statements_of(source: SimpleStatements) -> None:
    """Simple statements: whatever comes of them is an entity as a dump has it, or says what is wrong."""
    for path in source.paths:
        kind_of(path)
    for part in source.parts():
        for raw in source.read(part):
            for row in raw.to_pylist():
                assert ENTITIES.decode(row["data"]) if row["error"] is None else row["data"] is None


def refused(read: Callable[[str], object], *raised: type[Exception]) -> Callable[[str], object]:
    """A reader that may refuse what it reads."""

    def reading(text: str) -> None:
        try:
            read(text)
        except raised:
            return

    return reading


def wording(text: str) -> None:
    subject_name(recased(text[:400], (text,), GRAMMAR), (text,), GRAMMAR)


def _split(text: str) -> tuple[str, ...]:
    signs = {"_": " ", r"\n": "\n", r"\t": "\t", r"\r": "\r"}
    return tuple(re.sub(r"_|\\[ntr]", lambda found: signs[found[0]], piece) for piece in text.split())


_WIKI = _split(
    r"""{{ }} {{{ }}} [[ ]] '' ''' <ref> </ref> <ref_name=a> <!-- --> {| |} | = \n : * # ; ( ) " “ ” , . / _ a A 1 é
    __TOC__ http://a [//a_ <nowiki> <math> <sup>2</sup> &amp; {{IPA|x}} {{convert|5|ft|m}} #REDIRECT [[A|b]] or_
    {{disambiguation may_refer_to: == (pronounced_ - – ' ’ \t ― {{ipa|a}}_"""
)
_WORDS = _split(
    r"""_ a A 1 . , ! ? : ; ( ) [ ] " ' “ ” ’ - – … Mr._ a.b. U.S._ .) ." \n é #1 # ≥ 's n't_ ¼ no._ _( %20"""
)
_TAGS = _split(
    r"""< > <a <a_ <a_b= </ / = " ' & &# &#x &amp; ; : a _ <!-- <svg javascript: on <a_onx= <a_"on \n - 1 ."""
)
_AMOUNTS = _split(
    r"""1 1, ,000 0 . , - – ( ) / + × ^ 10^ May_ 1990_ BC_ half_ two_ hundred_ and_ to_ or_ million_ $ € % ft_ in_ '
    the_ about_ st th s q1_ Monday_ week_ of_ _ ½ ° : 12:30_ point_ minus_ XIV_ no._"""
)
_YAML = _split(r"""a: - _ \n [ ] { } , " ' # & * ! | > ? : 1 ~ --- ... %  \t _- &a_ *a_ <<: !!a_ é""")
_JSON = _split(r"""{ } [ ] , : " \ \u00 \ud800 "a": "a" 1 - 1e . true null _ \n é {"id":"Q1"} "labels": "claims":""")
_XML = _split(
    r"""< > </ <page> </page> <title> </title> <a_b=" " & &amp; &#x41;
    ]]> <![CDATA[ <!-- --> <? ?> <!DOCTYPE a _ /> ="""
)
_TITLES = _split(r"""_ a A : ; # % %41 / . .. ~ ~~~ _( ) [ ] { } | < > é ﷺ İ ß \n & &amp; Talk: Template:""")

_CELLS = _split(
    r"""a , ; \t " "" \n \r _ 1 Q1 P31 title text subject property object http://a.b é = +1990 1990-01-02 ","
    https://a.b/c label alias description page instance_of"""
)
_ROWS = _split(
    r"""{ } [ ] , : " \ \ud800 {"title": "text": "a" {"title":"A","text":"b"}\n {"from":"a","to":"b"}\n "qid":"Q1"
    "url": 1 1e9 null true \n é {"label":"A","claims":{"P31":["B"]}}\n "claims": "P31": {"a":["b"]} "stated":
    {"id":"a","predictions":["b"]}\n {"subject":"a","object":"b","property":"P1","premise":"c","stated":1}\n"""
)
_BUILD = _split(
    r"""dataset:_ qampari sources:_ map:_ params:_ root:_ export:_ templates:_ name:_ authors:_ citation:_ [ ] { } , "
    ' \n _ - a build:_ a:_ 1 ~ & * ! | > # é s3://a .. /"""
)
_MAP = _split(r"""title text subject = == , _ a é title=text a=title b=title""")
_SORTS = load_sorts()
_POLAND = ("Poland", "Polish")

READERS: Mapping[str, Reader] = {
    "wikitext": Reader(page, _WIKI),
    "prepared page": Reader(lambda text: page(text, markup=False), _WIKI),
    "sentences": Reader(split_sentences, _WORDS),
    "a person's text": Reader(refused(lambda text: tidy(text, ENDLESS), Refused), _TAGS),
    "markup": Reader(lambda text: (has_markup(text), find_active(text)), _TAGS),
    "leftovers": Reader(leftovers, _WIKI),
    "answers": Reader(normalise, _AMOUNTS),
    "passage": Reader(lambda text: normalise("5 June", passage=text), _AMOUNTS),
    "spans": Reader(lambda text: see(text, text), (*_WORDS, "Dr. ", "A. ", "1990 ", "May ")),
    "wording": Reader(wording, _WORDS),
    "direction": Reader(load_lexicon().polarity, (*_WORDS, "more ", "no ", "less ")),
    "sorts": Reader(
        lambda text: [_SORTS.says(name, text, _POLAND) for name in ("P1412", "P172", "P27")],
        (*_WORDS, "Polish ", "spoke ", "Italian-born ", "from "),
    ),
    "forms": Reader(lambda text: (form(text), normal(text), searchable(text), plain_surface(text)), _WORDS),
    "title": Reader(lambda text: title_fault(normalise_title(text)), _TITLES),
    "settings": Reader(refused(parse_yaml, StageError, ValueError), _YAML),
    "entity": Reader(refused(lambda text: ENTITIES.decode(encoded(text)), BrokenRecord), _JSON),
    "page XML": Reader(refused(lambda text: elements(encoded(text), whole=False), ExpatError, DoctypeError), _XML),
    "endpoint": Reader(refused(lambda text: plain(encoded(text)), Cut, Foreign), _JSON),
    "pages in cells": Reader(from_file(pages_of, "title,text,licence\n"), _CELLS),
    "pages in records": Reader(from_file(pages_of), _ROWS),
    "statements in cells": Reader(
        from_file(lambda path: statements_of(SimpleStatements((path,))), "subject,property,object\n"), _CELLS
    ),
    "statements in records": Reader(from_file(lambda path: statements_of(SimpleStatements((), (path,)))), _ROWS),
    "build file": Reader(from_file(refused(read_build_file, StageError)), _BUILD),
    "map": Reader(refused(lambda text: mapped_columns(text.split(",")), SourceError), _MAP),
    "predictions": Reader(
        from_file(refused(lambda path: list(read_entries(Path(path))), ReleaseError, StageError)), _ROWS
    ),
    "labelled rows": Reader(from_file(refused(read_labelled, StageError)), _ROWS),
    "wiki": Reader(refused(lambda text: wiki_answers.answered(encoded(text)), Cut, Foreign, Busy), _JSON),
}


def encoded(text: str) -> bytes:
    return text.encode("utf-8", errors="replace")
