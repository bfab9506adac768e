"""Word lists of the lexical reader."""

from __future__ import annotations

from stages.core import english

# Of a question's words these say nothing about where its answer stands.
_FUNCTION = """
above again against am below doing down few further having here hers him however itself just neither nor now often
onto own per same shall such thus too very
"""
_NUMBERS = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred
"""
_LINKS = "of the de la le du des del della di da von van der den and for in on al el bin ibn e y"

FUNCTION_WORDS = english.FUNCTION_WORDS | frozenset(_FUNCTION.split())
NUMBER_WORDS = frozenset(_NUMBERS.split())
MONTHS = (*english.MONTHS, "Sept", *english.SHORT_MONTHS)
LINKS = frozenset(_LINKS.split())
"""Small words that may stand inside a name."""
