"""Probes with a reader that cheats in known ways, and on real records."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from stages.models.readers.interface import NOTHING, Prediction, ReaderPassage, SolvedQuestion
from stages.models.readers.lexical import LexicalTrainer
from stages.musique.probes.files import ProbeError, ProbeFile, read_file
from stages.musique.probes.probes import PROBES
from stages.musique.probes.run import run

A, B, C, D = (ReaderPassage.of(name, name) for name in "ABCD")


class Needs:
    """Answers "right" where it is shown all the paragraphs that a question names ("AB"), else "wrong", less surely."""

    name = identity = "needs"
    learns = draws = False

    def fit(self, examples: Sequence[SolvedQuestion], seed: int = 0) -> Needs:
        self.fitted = list(examples)
        return self

    def answer(
        self, questions: Sequence[str], contexts: Sequence[Sequence[ReaderPassage]], supports: int = 1
    ) -> list[Prediction]:
        return [self._one(question, context, supports) for question, context in zip(questions, contexts, strict=True)]

    def _one(self, question: str, context: Sequence[ReaderPassage], supports: int) -> Prediction:
        if not context:
            return NOTHING
        named = [place for place, passage in enumerate(context) if passage.title in question]
        known = len(named) == len(question) and question != ""
        return Prediction("right" if known else "wrong", tuple(named[:supports]), float(known))


ASKED = ProbeFile(
    ("one", "two", "three", "single"),
    (
        SolvedQuestion("C", (A, D, B, C), ("right",), (2, 3)),  # its last paragraph is enough
        SolvedQuestion("BC", (A, B, C, D), ("right",), (1, 2)),  # needs both
        SolvedQuestion("BC", (A, B, C, D), ("right",), (0, 1, 2)),  # needs two of its three: parts of two and one do
        SolvedQuestion("D", (A, D), ("right",), (1,)),
    ),
)


def test_each_probe_finds_what_it_is_for() -> None:
    report = run(ASKED, Needs())
    cheated = {result.probe: [name for name in result.scores if result.scores[name].exact] for result in report.results}
    assert cheated == {
        "whole": ["one", "two", "three", "single"],
        "question_only": [],
        "context_only": [],
        "one_paragraph": ["one", "single"],
        "dire": ["one", "three"],
    }
    dire = report.results[-1]
    assert (dire.overall["questions"], dire.skipped, dire.overall["exact_match"]) == (3, 1, 66.67)
    assert {count: scores["exact_match"] for count, scores in dire.by_supports.items()} == {2: 50.0, 3: 100.0}


def test_the_paragraphs_named_are_those_of_the_question_itself() -> None:
    (result,) = run(ASKED, Needs(), names=["dire"]).results
    # "two": without B only C is named, without C only B: together both.
    assert result.scores["two"] == (0.0, 0.0, 1.0)
    (whole,) = run(ASKED, Needs(), names=["whole"], supports=1).results
    assert whole.scores["two"].support_f1 == pytest.approx(2 / 3)


def test_a_reader_learns_from_what_it_is_given_or_from_the_words_alone() -> None:
    reader = Needs()
    run(ASKED, reader)
    assert all(example.answers == () and example.question == "" for example in reader.fitted)
    run(ASKED, reader, train=ASKED.examples[:1])
    assert reader.fitted == [ASKED.examples[0]]
    report = run(ASKED, LexicalTrainer(), train=ASKED.examples[:1], names=["question_only"])
    assert report.trained_on == 1 and "trained on 1 questions" in report.as_text()


def test_reports_are_tables_and_json() -> None:
    report = run(ProbeFile(ASKED.ids, ASKED.examples, 5), Needs(), names=["dire", "whole"])
    text = report.as_text()
    assert [line.split()[0] for line in text.splitlines()][:2] == ["probe", "whole"]
    assert "1 left out" in text and "5 unanswerable" in text and "trained on no question" in text
    found = json.loads(json.dumps(report.as_dict()))
    assert [probe["probe"] for probe in found["probes"]] == ["whole", "dire"]
    assert found["probes"][1]["by_supports"]["3"]["f1"] == 100.0


def test_refusals() -> None:
    with pytest.raises(ProbeError, match=r"no probe is called half; there are whole"):
        run(ASKED, Needs(), names=["half"])
    with pytest.raises(ProbeError, match="supports"):
        run(ASKED, Needs(), supports=0)


NOTHING_SCORED = {"questions": 0, "exact_match": 0.0, "f1": 0.0, "support_f1": 0.0}


def test_a_file_without_anything_to_part_has_empty_scores() -> None:
    (result,) = run(ProbeFile(("a",), ASKED.examples[3:]), Needs(), names=["dire"]).results
    assert (result.overall, result.skipped) == (NOTHING_SCORED, 1)


def test_real_records(shared_data: Path) -> None:
    asked = read_file(shared_data / "musique" / "train_sample_60.json")
    report = run(asked, LexicalTrainer())
    assert [result.probe for result in report.results] == list(PROBES)
    for result in report.results:
        # The records' ids tell 37 questions of two hops, 20 of three, three of four.
        assert {count: scores["questions"] for count, scores in result.by_supports.items()} == {2: 37, 3: 20, 4: 3}
    found = {result.probe: result.overall for result in report.results}
    assert found["whole"]["support_f1"] > 30 > found["context_only"]["support_f1"]
    assert found["question_only"]["f1"] == 0
