"""Which templates show nothing that a sentence needs: notes, citations, maintenance, navigation, icons, layout.

Every other template that is not rendered leaves a hole where it stands in running text.
"""

from __future__ import annotations

import re


def _names(text: str) -> frozenset[str]:
    return frozenset(name.strip() for name in text.replace("\n", ",").split(",") if name.strip())


_NAMES = _names("""
    #tag:ref, *, -, 0, according to whom, ambiguous, anchor, anchors, attribution needed, authority control
    awkward, better source, better source example, bots, br, break, by whom, cbignore, check, chronology
    citation, clarification needed, clarify, clear, clear left, clear right, clearleft, clearright, cn
    col break, colbegin, colend, color box, contradict, contradict-inline, copyedit-inline, cref, cref2
    crossreference, dablink, date missing, dead link, dead youtube links, deadlink, decrease, decreasepositive
    definition, designation list, details, disambiguation needed, discuss, disputed inline, disputed-inline
    distinguish, dn, dubious, elucidate, example needed, examples, expand acronym, explain, external media, fact
    fact or opinion, fbicon, fcn, featured article, flag icon, flagdeco, flagicon, flagicon image, for, further
    fv, globalize-inline, gloss needed, good article, hatnote, how, how many, how often, in lang, inc
    incomplete short citation, inconsistent, increase, increase negative, increasenegative, inflation-fn
    inflation-year, inflation/fn, irrelevant citation, italic title, jargon-inline, lead too short, legend
    like whom, link note, listen, loa, lrm, main, main article, maplink, medcn, medical citation needed, merge
    more precise, multiple image, nb, nbd, neologism inline, nfa, no footnotes, nobots, noflag, nofootnotes
    non-primary source needed, not in citation, not in source, not verified in body, nota bene, notelist
    nowrap begin, nowrap end
    notetag, obsolete source, on whose authority, or, original research, original research inline, other uses
    outdated inline, page missing, page needed, page number needed, page numbers needed, page range too broad
    peacock inline, peacock term, pn, portal, pov inline, pov statement, pov-statement, pp, primary inline
    primary source inline, promotion inline, quantify, r, ran, ras, redirect, ref, ref label
    ref supports2, refbegin, refend, refimprove, reflist, refn, relevance inline, relevance-inline
    reliable source needed, rf, rlm, rp, rs, rtl, run-on, scn, section link needed, see, see also, see below
    seeabove, seebelow, self-published inline, self-published source, short description, shortcut, shy, sic?
    small div, source-attribution, sources exist, specify, speculation inline, steady, sticky header, stub
    style-inline, subscription, subscription required, syn, synthesis inline, table alignment
    tertiary source inline, third-party inline, time needed, title needed, titles needed, to whom, toclimit
    tone inline, toomuchinformation, tooshort, unbalanced opinion, under discussion inline, undue inline
    unreferenced, unreliable, unreliable fringe source, unreliable medical source, unreliable source
    unreliable source?, update, update after, update inline, user-generated inline, vague, vagueness inline, vc
    verification failed, verify credibility, verify source, very long, vn, volume needed, wayback, weasel inline
    weasel words inline, webarchive, what, when, where, which, which lang, which?, who, who?, whom, whose, why
    wide image, year needed, years or months needed, zwj, zwnj
""")
_PATTERNS = re.compile(
    r"(?:cit(?:e|ation)s?|vcite|cita|sfn|sfnp|sfnm|harv|efn|ref|reflist|note|notelist|footnote|infobox|navbox|navboxes"
    r"|taxobox|speciesbox|sidebar|portal|commons|wikt|wiktionary|wikisource|wikiquote|wikibooks|wikispecies|wikimedia"
    r"|sister|sisterlinks|use|engvar|defaultsort|displaytitle|toc|col|div col|columns?|automatic taxobox|main"
    r"|about|redirect|hatnote|distinguish|other|further|portal bar|expand|unreferenced|more|cleanup|multiple issues"
    r"|subscription|registration|paywall|location map|graph|chart|clade|historical populations|bar box|start|end)"
    r"(?:[ /-].*|:.*|[0-9]*)?"
    r"|(?:pp|s)-.+"
    r"|.*(?:[ -]stub|sidebar| topics| footer| navbox| series| inline|-inline| needed| icon| missing|weather ?box"
    r"|stub| succession|-fn)",
)
# Begin like one of the patterns and show a date or a word.
_SAYS = re.compile(r"(?:start|end)(?: |-)?(?:date|dates).*|use mention|other|more|use|start|end|main list")


def is_silent(name: str) -> bool:
    """Whether a template or parser function of a lower-case name shows nothing that a sentence needs."""
    return name in _NAMES or (_PATTERNS.fullmatch(name) is not None and _SAYS.fullmatch(name) is None)
