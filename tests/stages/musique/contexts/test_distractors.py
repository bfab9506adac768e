"""Drawing contexts: promises on random collections, and the order of what is found by hand."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.core.contract import Output, StageError
from stages.models.bm25 import Index
from stages.musique.contexts.distractors import draw, stage
from stages.musique.contexts.pool import ContextParams
from stages.musique.contexts.query import query
from stages.musique.contexts.tables import DRAWN_CONTEXTS, NO_HOP
from tests.stages.musique.contexts.world import WORDS, World, random_world

Rows = dict[tuple[str, bool], dict[str, Any]]


def rows_of(output: Output) -> Rows:
    return {(row["question"], row["answerable"]): row for row in output.tables[DRAWN_CONTEXTS.name].to_pylist()}


def drawn(world: World, chance: Random | None = None, **params: Any) -> Rows:
    return rows_of(draw(*world.tables(chance), params=ContextParams(**params)))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(10, 80), st.integers(1, 8), st.booleans(), st.randoms(use_true_random=False))
def test_promises(seed: int, paragraphs: int, questions: int, retrieved: bool, chance: Random) -> None:
    world = random_world(seed, paragraphs, questions)
    rows = drawn(world, size=8, retrieved=retrieved)
    texts = {row["paragraph"]: f"{row['title']} {row['text']}".split() for row in world.hops}
    asked: dict[str, set[str]] = {}
    for hop in world.hops:
        asked.setdefault(hop["question"], set()).add(hop["paragraph"])
    supports = {
        split: {p for row in world.questions if world.splits[row["graph"]] == split for p in row["paragraphs"]}
        for split in ("train", "dev", "test")
    }
    for row in world.questions:
        whole = rows[row["graph"], True]
        numbers = dict(zip(whole["paragraphs"], whole["supports"], strict=True))
        assert len(numbers) == len(whole["paragraphs"]) <= 8
        assert {p: at for p, at in numbers.items() if at != NO_HOP} == {
            p: at for at, p in enumerate(row["paragraphs"], 1)
        }
        questions_of = [hop["question"] for hop in world.hops if hop["hop"] in row["hops"]]
        same = set().union(*(asked[question] for question in questions_of)) - set(row["paragraphs"])
        assert not same & set(numbers)
        own = world.splits[row["graph"]]
        others = set().union(*(shown for split, shown in supports.items() if split != own)) - supports[own]
        assert not others & set(numbers)
        if (row["graph"], False) in rows:
            contrast = rows[row["graph"], False]
            answer = row["hop_answers"][contrast["missing"] - 1]
            assert contrast["missing_answers"] == [answer, f"{answer} of old"]
            assert not any(answer in texts[paragraph] for paragraph in contrast["paragraphs"])
            asking = zip(row["question_steps"], row["paragraphs"], strict=True)
            left = {paragraph for step, paragraph in asking if f"#{contrast['missing']}" in step}
            assert not left & set(contrast["paragraphs"]), "a hop can be answered without the one that is missing"
            assert len(contrast["paragraphs"]) == len(whole["paragraphs"])
            kept = {p for p, at in zip(contrast["paragraphs"], contrast["supports"], strict=True) if at != NO_HOP}
            assert kept == {paragraph for paragraph in row["paragraphs"] if answer not in texts[paragraph]}
            assert not same & set(contrast["paragraphs"])
    assert drawn(world, chance, size=8, retrieved=retrieved) == rows


def test_contexts_hold_the_best_that_bm25_finds() -> None:
    world = random_world(4, 200, 1)
    world.splits["q000"] = "train"
    (row,) = world.questions
    whole = drawn(world, contrasts=False)["q000", True]
    texts = {hop["paragraph"]: f"{hop['title']} {hop['text']}" for hop in world.hops}
    mine = {hop["question"] for hop in world.hops if hop["hop"] in row["hops"]}
    same = {hop["paragraph"] for hop in world.hops if hop["question"] in mine}
    asked = query(row["question_steps"])
    (hits,) = Index.of(texts, texts.values()).search([asked], 20 - len(row["hops"]), exclude=[same])
    assert set(whole["paragraphs"]) == {*row["paragraphs"], *(hit.id for hit in hits)}
    assert whole["paragraphs"] != sorted(whole["paragraphs"])


def test_small_corpora_make_short_contexts_and_may_have_no_contrast() -> None:
    world = random_world(1, 8, 3)
    world.splits = dict.fromkeys(world.splits, "train")
    output = draw(*world.tables(), params=ContextParams())
    rows = rows_of(output)
    assert all(len(row["paragraphs"]) <= 8 for row in rows.values())
    assert output.metrics["short"] == len(rows)
    without = {name for name in world.splits if (name, False) not in rows}
    assert without == set(output.rejects["key"].to_pylist())
    assert output.rejects["detail"].to_pylist()[0].endswith("paragraphs")
    assert output.metrics["answerable"] == 3
    assert output.metrics["unanswerable"] == 3 - len(without)


def test_settings() -> None:
    world = random_world(3, 60, 5)
    assert set(drawn(world, contrasts=False)) == {(row["graph"], True) for row in world.questions}
    assert drawn(world, seed=1) != drawn(world)
    by_chance = drawn(world, retrieved=False, size=6)
    assert by_chance.keys() <= drawn(world, size=6).keys() | by_chance.keys()
    assert by_chance != drawn(world, size=6)
    missing = Counter(
        row["missing"] for row in drawn(random_world(6, 90, 60), size=5).values() if not row["answerable"]
    )
    assert len(missing) >= 3
    with pytest.raises(StageError, match="size: expected 5 or more"):
        ContextParams(size=4)
    assert stage().inputs == (*("composed_hops", "graph_splits", "single_hops", "gold_paragraphs", "known_names"),)


def test_nothing_comes_of_nothing() -> None:
    assert drawn(World([], [], {})) == {}


def test_likes_are_paragraphs_from_which_the_same_relation_is_asked() -> None:
    world = random_world(4, 200, 1)
    (row,) = world.questions
    world.splits["q000"] = "train"
    mine = row["paragraphs"][0]
    likes = {mine, *(f"p{at:03}" for at in range(0, 200, 20))}
    for hop in world.hops:
        if hop["paragraph"] in likes:
            hop["relation"] = "maker"
    shown = set(drawn(world, contrasts=False, max_reuse=100.0, max_shown=1.0)["q000", True]["paragraphs"])
    others = likes - set(row["paragraphs"])
    # Every other paragraph is one of them, until there are none left.
    assert len(shown & others) == min(len(others), (20 - len(row["paragraphs"])) // 2)


def test_a_paragraph_that_suits_many_questions_is_not_shown_with_all_of_them() -> None:
    world = random_world(5, 120, 60)
    world.splits = dict.fromkeys(world.splits, "train")
    for hop in world.hops[:3]:
        hop["text"] = " ".join([*WORDS, "Zoe"])
    output = draw(*world.tables(), params=ContextParams(size=8, max_reuse=1.25))
    supports = Counter(name for row in world.questions for name in row["paragraphs"])
    beside = Counter[str]()
    for row in rows_of(output).values():
        if row["answerable"]:
            beside.update(p for p, at in zip(row["paragraphs"], row["supports"], strict=True) if at == NO_HOP)
    share = sum(beside.values()) / sum(supports.values())
    assert output.metrics["over_reuse"] == 0
    # A stand-in more per contrast than `share` knows of.
    assert all(count <= 2 * share * (supports[name] or 0.25) + 1 for name, count in beside.items())
    assert max(beside.values()) / 60 == output.metrics["train_most_shown"]
    loose = rows_of(draw(*world.tables(), params=ContextParams(size=8, max_reuse=1000.0, max_shown=1.0)))
    often = sum("p000" in row["paragraphs"] for row in loose.values() if row["answerable"])
    assert often > 2 * beside["p000"]


def test_copies_of_supporting_paragraphs_are_not_shown() -> None:
    world = random_world(4, 60, 1)
    (row,) = world.questions
    world.splits["q000"] = "train"
    own = next(hop for hop in world.hops if hop["paragraph"] == row["paragraphs"][0])
    copy = next(hop for hop in world.hops if hop["paragraph"] not in row["paragraphs"])
    copy.update(title=own["title"], text=own["text"] + " again")
    assert copy["paragraph"] not in drawn(world, size=60)["q000", True]["paragraphs"]


@pytest.mark.parametrize(
    ("given", "problem"),
    [({"max_reuse": 0.0}, "max_reuse"), ({"max_shown": 0.0}, "max_shown"), ({"max_shown": 2.0}, "max_shown")],
)
def test_bounds_that_cannot_be(given: dict[str, float], problem: str) -> None:
    with pytest.raises(StageError, match=f"{problem}: expected"):
        ContextParams(**given)  # type: ignore[arg-type]
