"""Word lists of the lexical reader."""

from __future__ import annotations

_FUNCTION = """
a about above after again against all also although am among an and any are as at be because been before being below
between both but by can could did do does doing down during each either few for from further had has have having he her
here hers him his how however i if in into is it its itself just may me might more most much must my neither no nor not
now of off often on once only onto or other our out over own per same shall she should since so some such than that the
their them then there these they this those through thus to too under until up upon very was we were what when where
whether which while who whom whose why will with within without would you your
"""
_NUMBERS = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred
"""
_MONTHS = """
January February March April May June July August September October November December
Jan Feb Mar Apr Jun Jul Aug Sept Sep Oct Nov Dec
"""
_LINKS = "of the de la le du des del della di da von van der den and for in on al el bin ibn e y"

FUNCTION_WORDS = frozenset(_FUNCTION.split())
NUMBER_WORDS = frozenset(_NUMBERS.split())
MONTHS = tuple(_MONTHS.split())
LINKS = frozenset(_LINKS.split())
"""Small words that may stand inside a name."""
