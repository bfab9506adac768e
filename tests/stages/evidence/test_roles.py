"""The structural check: expectations set by hand, before the code was run."""

from __future__ import annotations

import pytest

from stages.evidence.clauses import Names
from stages.evidence.lexicon import load_lexicon
from stages.evidence.roles import check
from tests.stages.evidence.film_pairs import PAIRS

LEXICON = load_lexicon()


def verdict(prop: str, subject: str, object_: str, sentence: str) -> str | None:
    return check(LEXICON, prop, sentence, Names((subject,)), Names((object_,)))


@pytest.mark.parametrize(("prop", "subject", "object_", "sentence", "expected"), PAIRS)
def test_roles_in_one_film_sentence(prop: str, subject: str, object_: str, sentence: str, expected: str | None) -> None:
    assert verdict(prop, subject, object_, sentence) == expected
