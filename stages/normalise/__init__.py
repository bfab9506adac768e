"""Answers as dates, numbers, amounts and page titles in canonical form, and never with an invented part.

>>> from stages.normalise import normalise
>>> normalise("the 1990s").value
'199X'
>>> normalise("3/4/2015").refusal
'day_or_month'
"""

from stages.normalise.answer import normalise
from stages.normalise.model import AnswerForm, AnswerPassage, Kind, Link, NormalisedAnswer
from stages.wikipedia.title_lookup import Titles, TitleTable

__all__ = ["AnswerForm", "AnswerPassage", "Kind", "Link", "NormalisedAnswer", "TitleTable", "Titles", "normalise"]
