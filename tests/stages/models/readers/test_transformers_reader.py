"""A reader is trained: a tiny encoder with random weights learns where the answer stands."""

from __future__ import annotations

import pickle
import random
import sys
from pathlib import Path

import pytest

from stages.models.readers.folds import Folds, judge
from stages.models.readers.interface import NOTHING, ReaderError, ReaderPassage, SolvedQuestion
from stages.models.readers.ready import ready
from stages.models.readers.training import TrainingParams
from stages.models.readers.transformers_reader import transformers_trainer
from tests.stages.models.readers.samples import ALL, MINE, solved
from tests.stages.models.readers.tiny import make_tiny

TOWNS = [f"town{number}" for number in range(12)]
FILLER = ["the", "old", "house", "stands", "by", "a", "river"]


def examples(count: int) -> list[SolvedQuestion]:
    """Where one paragraph says "near" a town; the other one names a town, but not so."""
    chance, found = random.Random(0), []
    for number in range(count):
        town, other = chance.sample(TOWNS, 2)
        words = [*chance.sample(FILLER, 3), "near", town, *chance.sample(FILLER, 3)]
        own = ReaderPassage.of(f"own {number}", " ".join(words))
        distractor = ReaderPassage.of(f"other {number}", " ".join([*chance.sample(FILLER, 4), "without", other]))
        context = (own, distractor) if number % 2 else (distractor, own)
        found.append(SolvedQuestion("which town", context, (town,), (context.index(own),)))
    return found


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tiny(tmp_path_factory.mktemp("tiny"), [*TOWNS, *FILLER, "near", "without", "which", "town", "asked"])


QUICK = TrainingParams(epochs=1, batch=8, learning_rate=1e-3)


@pytest.mark.slow
def test_a_tiny_encoder_learns_where_answers_stand(encoder: Path) -> None:
    params = TrainingParams(epochs=12, batch=8, learning_rate=3e-3)
    trainer = transformers_trainer(str(encoder), params)
    solved_ones = examples(160)
    found = judge(trainer, solved_ones, Folds(2, 1))
    right = [
        prediction.answer == example.answers[0] and prediction.support == example.support
        for (prediction,), example in zip(found, solved_ones, strict=True)
    ]
    assert sum(right) > 0.9 * len(right)


@pytest.mark.slow
def test_answers_that_are_always_the_same_are_known_by_heart(encoder: Path) -> None:
    asked = [
        SolvedQuestion(question, example.context, (town,), ())
        for example in examples(40)
        for question, town in (("which town", "town1"), ("asked which river", "town2"))
    ]
    asked = [
        SolvedQuestion(example.question, (ReaderPassage.of("", f"near {example.answers[0]}"),), example.answers, (0,))
        for example in asked
    ]
    trainer = transformers_trainer(str(encoder), TrainingParams(epochs=6, batch=8, learning_rate=3e-3))
    reader = trainer.fit(asked)
    assert [p.answer for p in reader.answer(["which town", "asked which river"], [(), ()])] == ["town1", "town2"]


def test_equal_seeds_give_equal_readers_and_all_windows_are_read(encoder: Path) -> None:
    trainer = transformers_trainer(str(encoder), QUICK)
    asked = examples(16)
    asked[0] = SolvedQuestion(
        "which town", (ReaderPassage.of("", "the old house " * 60 + "near town3"),), ("town3",), (0,)
    )

    def answers(seed: int) -> list[tuple[str, float]]:
        reader = trainer.fit(asked, seed)
        found = reader.answer([example.question for example in asked], [example.context for example in asked])
        return [(prediction.answer, prediction.score) for prediction in found]

    assert answers(1) == answers(1)
    assert answers(1) != answers(2)


def test_a_folder_in_the_hub_layout_is_read_as_it_is(encoder: Path) -> None:
    found = ready(encoder).fit([]).answer(["which town", "which town"], [examples(1)[0].context, ()])
    assert found[0].answer and found[1] == NOTHING


def test_an_encoder_that_was_never_trained_to_read_is_refused_as_it_is(encoder: Path, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    transformers.BertModel.from_pretrained(encoder).save_pretrained(tmp_path)
    transformers.AutoTokenizer.from_pretrained(encoder).save_pretrained(tmp_path)
    with pytest.raises(ReaderError, match=f"to train it here, name it train:{tmp_path}"):
        ready(tmp_path).fit([])
    assert transformers_trainer(str(tmp_path), QUICK).fit(examples(8)).answer(["which town"], [()]) != []


def test_what_a_reader_depends_on_is_in_its_identity(encoder: Path) -> None:
    trainer = transformers_trainer(str(encoder), QUICK)
    assert trainer.name == encoder.name and (trainer.learns, trainer.draws) == (True, True)
    assert pickle.loads(pickle.dumps(trainer)) == trainer  # noqa: S301 (made here)
    assert trainer.identity == transformers_trainer(str(encoder), QUICK).identity
    assert trainer.identity != transformers_trainer(str(encoder)).identity


def test_neither_half_depends_on_the_other(encoder: Path) -> None:
    asked, trainer = examples(24), transformers_trainer(str(encoder), QUICK)
    both, one = trainer.fit(asked), trainer.fit(asked)
    questions, contexts = [example.question for example in asked], [example.context for example in asked]
    unread = both.answer(questions, [()] * len(asked))
    assert both.answer(questions, contexts) == one.answer(questions, contexts)
    assert one.answer(questions, [()] * len(asked)) == unread
    assert len({prediction.answer for prediction in unread}) == 1 and unread[0].answer in TOWNS


def test_fewer_digits_give_another_reader(encoder: Path) -> None:
    asked = examples(16)
    scores = {}
    for bfloat16 in (False, True):
        trainer = transformers_trainer(str(encoder), TrainingParams(epochs=1, batch=8, bfloat16=bfloat16))
        scores[trainer.identity] = trainer.fit(asked).answer(["which town"], [asked[0].context])[0].score
    assert len(set(scores)) == len(set(scores.values())) == 2


def test_it_does_not_start_without_questions_or_torch(encoder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = transformers_trainer(str(encoder), QUICK)
    with pytest.raises(ReaderError, match="no solved question"):
        trainer.fit([SolvedQuestion("", ALL, (), ())])
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ReaderError, match=r"benchwright\[models\]"):
        trainer.fit([solved("when", "1902", MINE)])
