"""Small solved questions for the tests of readers."""

from __future__ import annotations

from stages.models.readers.interface import ReaderPassage, SolvedQuestion

RIVERS = ReaderPassage.of(
    "Weser", "The Weser is a German river. It flows for 452 km and reaches the North Sea at Bremerhaven."
)
SINGER = ReaderPassage.of(
    "Ada Holm", "Ada Holm was born on 3 May 1931 in Bergen. In 1958 she moved to Oslo with Karl Berg."
)
BRIDGE = ReaderPassage.of("Old Bridge", "The Old Bridge was built by Nils Lund in 1887. Its two arches span the river.")
MINE = ReaderPassage.of("Red Mine", "The Red Mine opened in 1902. Copper ore was carried to Narvik by rail.")
ALL = (RIVERS, SINGER, BRIDGE, MINE)


def solved(question: str, answer: str, *context: ReaderPassage, support: int = 0) -> SolvedQuestion:
    return SolvedQuestion(question, context, (answer,), (support,))
