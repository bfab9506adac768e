"""What questions let know: two share a feature where comparing them spelling by spelling finds them to be alike."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.core import strict_yaml
from stages.core.contract import StageError
from stages.core.template_files import folder
from stages.musique.single_hops.forms import plain
from stages.musique.spellings.answer_forms import forms
from stages.musique.spellings.other_names import FILE
from stages.musique.splits.known import KnownSpellings, known, spelled
from stages.musique.splits.leak_check import SeparationCheckParams, separation
from stages.musique.splits.splits import GRAPH_SPLITS, SeparationParams, separated
from tests.stages.core.composed import names, pool, question, table

SPELLINGS = ["U.S.", "US", "USA", "America", "Bombay", "Mumbai", "Köln", "Koln", "Cologne", "5", "five", "the Five"]
PAGES = ["America", "Mumbai", "Cologne"]
GROUPS = strict_yaml.parse((folder() / FILE).read_text(encoding="utf-8"))["same"]
KINDS = ["title", "redirect", "alias"]


def same(one: str, other: str, listed: list[list[str]], pages: list[tuple[str, str, str]]) -> bool:
    """Whether two spellings are of one answer."""
    if set(forms(one)) & set(forms(other)):
        return True
    for hop in listed:
        if len(hop) > 1 and all(any(set(forms(entry)) & set(forms(text)) for entry in hop) for text in (one, other)):
            return True
    for group in GROUPS:
        if all(plain(text) in map(plain, group) for text in (one, other)):
            return True
    return bool(pages_of(one, pages) & pages_of(other, pages))


def pages_of(text: str, pages: list[tuple[str, str, str]]) -> set[str]:
    found = set()
    for name in (text.lower().replace("the ", "").replace("u.s.", "u s"), text.lower().replace("ö", "o")):
        ranked = [(KINDS.index(kind), target) for own, target, kind in pages if own == name]
        best = {target for place, target in ranked if place == min(ranked)[0]}
        found |= best if len(best) == 1 else set()
    return found


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_questions_overlap_as_they_do_spelling_by_spelling(seed: int) -> None:
    chance = Random(seed)
    listed = [chance.sample(SPELLINGS, chance.choice([1, 2, 3])) for _ in range(4)]
    sources = [name.lower() for name in ("US", "America", "Bombay", "Mumbai", "Köln", "Koln", "Cologne")]
    pages = sorted({(chance.choice(sources), chance.choice(PAGES)) for _ in range(5)})
    named = [(name, target, chance.choice(KINDS)) for name, target in pages]
    rows = []
    for at in range(6):
        answers = chance.sample(SPELLINGS, 2)
        row = question(f"q{at}", [f"{at}a", f"{at}b"], answers, [f"p{at}", f"r{at}"])
        row["hop_aliases"] = [chance.sample(SPELLINGS, chance.choice([0, 0, 1])) for _ in answers]
        rows.append(row)
    asked = {text for row in rows for text in spelled(row)}
    found = known(rows, KnownSpellings(pool(*listed), names(*named), asked))
    for (one, first), (other, second) in combinations(zip(rows, found, strict=True), 2):
        alike = any(same(a, b, listed, named) for a, b in product(spelled(one), spelled(other)))
        assert bool(set(first) & set(second)) == alike
    # Every pair's splits are judged by the proof as the oracle judges them.
    one, other = rows[:2]
    splits = [{"graph": "q0", "split": "train", "stratum": ""}, {"graph": "q1", "split": "dev", "stratum": ""}]
    given_tables = (table(rows), GRAPH_SPLITS.table(splits), pool(*listed), names(*named))
    if set(found[0]) & set(found[1]):
        with pytest.raises(StageError, match="are in train and in dev or test"):
            separation(*given_tables, params=SeparationCheckParams())
    else:
        separation(*given_tables, params=SeparationCheckParams())


def test_the_maker_and_the_proof_agree_where_little_is_left() -> None:
    chance = Random(3)
    rows = []
    for at in range(60):
        row = question(f"q{at:02}", [f"{at}a", f"{at}b"], [chance.choice(SPELLINGS), f"End {at}"], [f"p{at}", f"r{at}"])
        rows.append(row)
    tables = (
        pool(["America", "US"], ["Köln", "Cologne"]),
        names(("bombay", "Mumbai", "alias"), ("mumbai", "Mumbai", "title")),
    )
    output = separated(table(rows), *tables, params=SeparationParams())
    proof = separation(table(rows), output.tables[GRAPH_SPLITS.name], *tables, params=SeparationCheckParams())
    assert {output.metrics[name] > 0 for name in ("train", "dev", "test")} == {True}
    assert proof.metrics["answers_in_train_and_evaluation"] == proof.metrics["pages_in_train_and_evaluation"] == 0
    as_spelled = separated(table(rows), *tables, params=SeparationParams(spellings=False)).tables[GRAPH_SPLITS.name]
    separation(table(rows), as_spelled, *tables, params=SeparationCheckParams(spellings=False))


def test_a_form_of_a_spelling_by_hand() -> None:
    assert forms("The U.S.") == ("u s", "us")
    assert forms("Köln") == ("koln",)
    assert forms("12 May 1990") == ("12 may 1990", "=date 1990-05-12")
    assert "=number 5" in forms("five")
    assert forms("3/4/2015") == ("3 4 2015", "342015")
    assert forms(" ") == ()
