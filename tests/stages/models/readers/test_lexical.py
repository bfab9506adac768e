"""The lexical reader, on hand-made paragraphs and on real ones."""

from __future__ import annotations

import gzip
import json
import pickle
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from stages.evaluation.squad import best_f1
from stages.models.readers.folds import Folds, judge
from stages.models.readers.interface import NOTHING, ReaderPassage, SolvedQuestion
from stages.models.readers.lexical import LEARNT, LexicalTrainer
from stages.models.readers.points import Points
from tests.stages.models.readers.samples import ALL, BRIDGE, MINE, RIVERS, solved


def read(question: str, *context: ReaderPassage, supports: int = 1) -> tuple[str, tuple[int, ...]]:
    (found,) = LexicalTrainer().fit([SolvedQuestion("", ALL, (), ())]).answer([question], [context], supports)
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
    assert LexicalTrainer().fit([]).answer(["who"], [[ReaderPassage.of("", "...")]]) == [NOTHING]


@given(st.permutations(range(4)), st.sampled_from(["When did the Red Mine open?", "Holm >> spouse", "", "who"]))
def test_the_order_of_paragraphs_and_questions_does_not_matter(order: list[int], question: str) -> None:
    reader = LexicalTrainer().fit([SolvedQuestion("", ALL, (), ())])
    shuffled = [ALL[place] for place in order]
    alone, (_, within) = reader.answer([question], [ALL])[0], reader.answer(["Oslo?", question], [ALL, shuffled])
    assert within.answer == alone.answer and within.score == alone.score
    assert [order[place] for place in within.support] == list(alone.support)


def among(number: int) -> SolvedQuestion:
    """A relation of which the other paragraphs speak, and the one that answers does not."""
    town = ("Berlin", "Oslo", "Paris", "Rome")[number % 4]
    others = [
        ReaderPassage.of(f"Law {number} {n}", f"The country of Law{n} changed its country code.") for n in range(4)
    ]
    own = ReaderPassage.of(f"Street {number}", f"Street{number} lies in {town} by the river.")
    context = (*others[: number % 5], own, *others[number % 5 :])
    return SolvedQuestion("[MASK] >> country", context, (town,), (number % 5,))


def test_it_learns_that_the_paragraph_with_the_fewest_of_the_words_answers() -> None:
    taught, asked = LEARNT.fit([among(number) for number in range(40)]), among(41)
    untaught = LexicalTrainer().fit([SolvedQuestion("", asked.context, (), ())])
    (found,) = taught.answer([asked.question], [asked.context])
    assert (found.answer, found.support) == ("Oslo", asked.support)
    assert untaught.answer([asked.question], [asked.context])[0].support != asked.support
    assert untaught.points == Points()
    assert taught.points.paragraph < Points().paragraph


@settings(max_examples=5, deadline=None)
@given(st.permutations(range(12)))
def test_the_order_of_what_it_learns_from_does_not_matter(order: list[int]) -> None:
    asked = [among(number) for number in range(12)]
    assert LEARNT.fit([asked[place] for place in order]).points == LEARNT.fit(asked).points


def test_what_it_depends_on_is_in_its_identity() -> None:
    trainer = LexicalTrainer()
    assert trainer.identity == LexicalTrainer().identity != LEARNT.identity
    for other in (
        replace(trainer, points=Points(cue=9)),
        replace(trainer, learnt_from=9),
        replace(trainer, paragraphs=9),
    ):
        assert trainer.identity != other.identity
    assert pickle.loads(pickle.dumps(trainer)) == trainer  # noqa: S301 (made here)


def test_real_paragraphs_are_read_better_than_memory_alone_answers(shared_data: Path) -> None:
    with gzip.open(shared_data / "singlehop" / "pool.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][::20]
    asked = [
        SolvedQuestion(
            row["question"], (ReaderPassage.of(row["title"], row["paragraph"]),), tuple(row["answers"]), (0,)
        )
        for row in rows
    ]

    def mean(closed: bool) -> float:
        found = judge(LEARNT, asked, Folds(), closed=closed)
        scores = [best_f1(p.answer, example.answers) for (p,), example in zip(found, asked, strict=True)]
        return sum(scores) / len(scores)

    # 0.31 and 0.06 when this was written.
    assert mean(closed=False) > 0.2 > 0.1 > mean(closed=True) > 0.02
