"""Punkt with its English parameters and our abbreviations; apart from its user, as nltk takes seconds to import.

The parameters come from a package and are built in memory: nothing is downloaded.

Punkt's abbreviations come from newspapers. Beside them stand some of our own that
encyclopedic prose needs: over 33,694 Wikipedia texts (16 million characters, 129,152
sentences) they undo 283 cuts, such as after "Sgt." in "Sgt. Pepper" and after "No." in
"No. 2 in the UK". None that should have stayed was found among those whose next word is
no number.
"""

from __future__ import annotations

import re
from functools import cache

from nltk import redos
from nltk.tokenize.punkt import PunktLanguageVars, PunktParameters, PunktSentenceTokenizer
from punkt.data import english

# Lower case, without the full stop. Left out on purpose: etc, ed, ca, which also end sentences ("Los Angeles, CA.").
_RANKS_AND_TITLES = (
    *("adm", "brig", "capt", "cdr", "cmdr", "col", "cpl", "gen", "lt", "maj", "pvt", "sgt"),
    *("fr", "gov", "hon", "insp", "mme", "mlle", "msgr", "rep", "rev", "sen", "supt"),
)
_NAME_PARTS = ("bros", "mt", "st")
_BEFORE_NUMBERS = ("no", "nos", "op", "pp", "vol", "vols")
_ABBREVIATIONS = frozenset({*_RANKS_AND_TITLES, *_NAME_PARTS, *_BEFORE_NUMBERS, "cf"})
# A word of letters alone, its sign, and what follows: the context of nearly all boundaries.
_PLAIN_END = re.compile(r"([^\W\d_]{2,})[.?!]\s+\S+")


class _Untimed(PunktLanguageVars):
    """nltk breaks off after five seconds, in which it counts all that is done with a line's boundaries: a long line
    would end a build on a slow machine, and not on a fast one. What it looks for takes linear time."""

    __slots__ = ()

    def period_context_re(self) -> redos.TimedPattern:
        return redos.compile(super().period_context_re(), timeout=None)

    def _word_tokenizer_re(self) -> redos.TimedPattern:
        return redos.compile(super()._word_tokenizer_re(), timeout=None)


class _Tokenizer(PunktSentenceTokenizer):
    """Punkt, with its answer known at once where the word before the sign is an ordinary one.

    Punkt breaks there whatever follows, but takes a dozen regular expressions to say so.
    """

    def __init__(self, parameters: PunktParameters) -> None:
        super().__init__(parameters, lang_vars=_Untimed())
        self._special = parameters.abbrev_types | {first for first, _ in parameters.collocations}

    def text_contains_sentbreak(self, text: str) -> bool:
        plain = _PLAIN_END.fullmatch(text)
        if plain is not None and plain[1].lower() not in self._special:
            return True
        return bool(super().text_contains_sentbreak(text))


@cache
def tokenizer() -> PunktSentenceTokenizer:
    """One per process."""
    return _Tokenizer(parameters())


def parameters() -> PunktParameters:
    """Punkt's English parameters with our abbreviations."""
    english_prose = PunktParameters()
    english_prose.abbrev_types = set(english.ABBREV_TYPES) | _ABBREVIATIONS
    english_prose.collocations = set(english.COLLOCATIONS)
    english_prose.sent_starters = set(english.SENT_STARTERS)
    english_prose.ortho_context.update(english.ORTHO_CONTEXT)
    return english_prose
