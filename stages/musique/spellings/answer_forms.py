"""When two spellings are one answer: the forms under which they are compared.

A spelling has several forms, as there are several ways to read marks: "U.S." is "us" and
"u s", "Spider-Man" meets "Spiderman" and "Spider Man". Dates, numbers and amounts have
one more, their value, so that "12 May 1990" meets "May 12, 1990" and "five" meets "5".
"""

from __future__ import annotations

from stages.core.overlay import remembered
from stages.core.short_answers import normalise
from stages.musique.single_hops.forms import bare, form
from stages.musique.single_hops.forms import plain as joined
from stages.musique.spellings.other_names import digests, load_names
from stages.normalise import Kind
from stages.normalise import normalise as read
from stages.wikipedia.title_lookup import fold

__all__ = ["digests", "forms", "names", "things"]

# No other form holds this sign together with words.
_VALUE = "="


# The same few answers are met over and over.
@remembered(1 << 16)
def forms(spelling: str) -> tuple[str, ...]:
    """All normal forms of a spelling, sorted; two spellings that share one are one answer.

    Case, accents, articles and punctuation are left out. A value that the spelling alone does not settle
    ("3/4/2015") is none.
    """
    plain = fold(spelling)
    found = {normalise(plain), bare(form(plain)).strip()}
    value = read(spelling)
    if value.kind is not Kind.SPAN and value.value is not None:
        found.add(f"{_VALUE}{value.kind} {value.value}")
    return tuple(sorted(found - {""}))


def names(spelling: str) -> tuple[str, ...]:
    """The forms under which KNOWN_NAMES may hold a spelling, sorted: with its accents, and without."""
    return tuple(sorted({bare(form(spelling)).strip(), bare(form(fold(spelling))).strip()} - {""}))


def things(spelling: str) -> tuple[str, ...]:
    """What the installed list of other names says it may be, sorted: "World War I" of "First World War"."""
    return tuple(sorted(load_names().things.get(joined(spelling), ())))
