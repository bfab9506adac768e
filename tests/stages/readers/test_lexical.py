"""The lexical reader, on hand-made paragraphs and on real ones."""

from __future__ import annotations

import gzip
import json
import pickle
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from stages.metrics.spans import best_f1
from stages.readers.folds import Folds, judge
from stages.readers.interface import NOTHING, Example, Passage
from stages.readers.lexical import LexicalTrainer, Weights
from tests.stages.readers.samples import ALL, BRIDGE, MINE, RIVERS, solved


def read(question: str, *context: Passage, supports: int = 1) -> tuple[str, tuple[int, ...]]:
    (found,) = LexicalTrainer().fit([Example("", ALL, (), ())]).answer([question], [context], supports)
    return found.answer, found.support


def test_the_answer_stands_where_the_words_of_the_question_stand() -> None:
    assert read("When did the Red Mine open?", *ALL) == ("1902", (3,))
    assert read("Who built the Old Bridge?", *ALL) == ("Nils Lund", (2,))
    assert read("Ada Holm >> place of birth", *ALL)[1] == (1,)
    assert read("What river reaches the North Sea?", RIVERS, BRIDGE)[1] == (0,)


def test_more_paragraphs_are_named_where_asked_for() -> None:
    answer, support = read("When did the Red Mine open?", *ALL, supports=2)
    assert answer == "1902" and support[0] == 3 and len(set(support)) == 2
    assert len(read("When did the Red Mine open?", MINE, supports=3)[1]) == 1


def test_without_paragraphs_or_words_it_answers_from_memory_or_not_at_all() -> None:
    reader = LexicalTrainer().fit([solved("Imagine >> performer", "John Lennon", MINE)])
    assert [p.answer for p in reader.answer(["Imagine >> performer", ""], [(), ()])] == ["John Lennon"] * 2
    assert LexicalTrainer().fit([]).answer(["who"], [()]) == [NOTHING]
    assert LexicalTrainer().fit([]).answer(["who"], [[Passage.of("", "...")]]) == [NOTHING]


@given(st.permutations(range(4)), st.sampled_from(["When did the Red Mine open?", "Holm >> spouse", "", "who"]))
def test_the_order_of_paragraphs_and_questions_does_not_matter(order: list[int], question: str) -> None:
    reader = LexicalTrainer().fit([Example("", ALL, (), ())])
    shuffled = [ALL[place] for place in order]
    alone, (_, within) = reader.answer([question], [ALL])[0], reader.answer(["Oslo?", question], [ALL, shuffled])
    assert within.answer == alone.answer and within.score == alone.score
    assert [order[place] for place in within.support] == list(alone.support)


def test_what_it_depends_on_is_in_its_identity() -> None:
    trainer = LexicalTrainer()
    assert trainer.identity == LexicalTrainer().identity
    assert trainer.identity != replace(trainer, weights=Weights(cue=9)).identity
    assert pickle.loads(pickle.dumps(trainer)) == trainer  # noqa: S301 (made here)


def test_real_paragraphs_are_read_better_than_memory_alone_answers(shared_data: Path) -> None:
    with gzip.open(shared_data / "singlehop" / "pool.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][::20]
    asked = [
        Example(row["question"], (Passage.of(row["title"], row["paragraph"]),), tuple(row["answers"]), (0,))
        for row in rows
    ]

    def mean(closed: bool) -> float:
        found = judge(LexicalTrainer(), asked, Folds(), closed=closed)
        scores = [best_f1(p.answer, example.answers) for (p,), example in zip(found, asked, strict=True)]
        return sum(scores) / len(scores)

    # 0.25 and 0.06 when this was written.
    assert mean(closed=False) > 0.2 > 0.1 > mean(closed=True) > 0.02
