"""The screen beside simple rules on real passages that it was not fitted to, and its pace.

The background is what pages say about anything; some of its passages would do for a question
just as well, so the precision is a lower bound. Most of it are leads, which people did not
choose from alone: figures against whole pages are the fairer ones, and both are shown.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from stages.ifqa.passages import WORD_PASSAGES
from stages.ifqa.screening.lexicon import CueLexicon, load_lexicon, plain
from stages.ifqa.screening.screening import SCREENED, ScoresParams, scores
from stages.ifqa.screening.tense import spacy_tagger
from tests.bench import screening_figures as figures
from tests.bench.screening_figures import Point
from tests.bench.screening_input import LEADS, WHOLE, load

RULES = (("originally",), ("originally", "due to"), ("originally", "due to", "because"))
NOTHING = -999.0
EVERYTHING = ScoresParams(min_score=NOTHING, min_past=0.0)


@dataclass(frozen=True)
class Screened:
    """Scores and past shares of some texts, NOTHING and 0 for those without a cue.

    holds: per rule, whether it keeps a text.
    """

    scores: np.ndarray
    past: np.ndarray
    holds: np.ndarray

    @classmethod
    def of(cls, texts: Sequence[str]) -> Screened:
        rows = [
            {"passage": f"{place:06}", "title": "", "number": place, "wrapped": False, "text": text}
            for place, text in enumerate(texts)
        ]
        table = WORD_PASSAGES.table(rows)
        output = scores(table, lexicon=load_lexicon(), tagger=spacy_tagger(), params=EVERYTHING)
        score, past = np.full(len(texts), NOTHING), np.zeros(len(texts))
        for row in output.tables[SCREENED.name].to_pylist():
            score[row["number"]], past[row["number"]] = row["score"], row["past"]
        holds = [[any(f" {word} " in words for word in rule) for rule in RULES] for words in map(plain, texts)]
        return cls(score, past, np.array(holds))

    def kept(self, params: ScoresParams) -> np.ndarray:
        return (self.scores >= params.min_score) & (self.past >= params.min_past)


@pytest.mark.bench
def test_beside_rules(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    passages = load(shared_data)
    wanted = Screened.of(passages.dev)
    seen = Screened.of(passages.train)
    unseen = {kind: passages.background[kind, 1] for kind in (LEADS, WHOLE)}
    unseen["both"] = [*unseen[LEADS], *unseen[WHOLE]]
    tables = []
    for kind, texts in unseen.items():
        background = Screened.of(texts)
        title = f"dev ({len(passages.dev)}) against {kind} ({len(texts):,})"
        tables.append(f"{title}\n{table(wanted, background)}\n{rest(wanted, seen, background)}")
        assert figures.area(wanted.scores, background.scores) > 0.88
        for rule in range(1, len(RULES)):
            simple = point(wanted.holds[:, rule], background.holds[:, rule])
            assert figures.taking(wanted.scores, background.scores, simple.taken).found > simple.found
    with capsys.disabled():
        print("\n" + "\n\n".join(tables))


def point(wanted: np.ndarray, background: np.ndarray) -> Point:
    return Point(float(wanted.mean()), float(background.mean()))


def rest(wanted: Screened, seen: Screened, background: Screened) -> str:
    """The area under the curve of the screen, without passages that the first rule keeps, and where it was fitted."""
    simple = figures.area(wanted.holds[:, 0].astype(float), background.holds[:, 0].astype(float))
    area = figures.area(wanted.scores, background.scores)
    fitted = figures.area(seen.scores, background.scores)
    without = figures.area(wanted.scores[~wanted.holds[:, 0]], background.scores[~background.holds[:, 0]])
    return (
        f"area under the curve: {area:.3f}; of the first rule {simple:.3f}; without passages that it keeps"
        f" {without:.3f}; of train, where it was fitted, {fitted:.3f}"
    )


def table(wanted: Screened, background: Screened) -> str:
    """One rule a line, and the screen where it takes as much, where it finds as much, and where it stands."""
    sizes = len(wanted.scores), len(background.scores)
    rows = []
    for number, rule in enumerate(RULES):
        simple = point(wanted.holds[:, number], background.holds[:, number])
        rows.append((" or ".join(rule), simple))
        rows.append(("  screen that takes as much", figures.taking(wanted.scores, background.scores, simple.taken)))
        rows.append(("  screen that finds as much", figures.finding(wanted.scores, background.scores, simple.found)))
    default = ScoresParams()
    rows.append(("screen as it stands", point(wanted.kept(default), background.kept(default))))
    rows += [
        (f"screen at {share:.0%}", figures.taking(wanted.scores, background.scores, share))
        for share in (0.05, 0.1, 0.2)
    ]
    lines = [
        "| rule | found | taken of the background | precision | where both are equally many |",
        "|---|--:|--:|--:|--:|",
    ]
    lines += [
        f"| {name} | {row.found:.1%} | {row.taken:.2%} | {row.precision(*sizes):.1%} | {row.precision(1, 1):.1%} |"
        for name, row in rows
    ]
    return "\n".join(lines)


@pytest.mark.bench
def test_pace(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    passages = load(shared_data)
    # The whole pages come nearest to a corpus.
    texts = passages.background[WHOLE, 1]
    lexicon, tag = load_lexicon(), spacy_tagger().load()
    list(tag(texts[:50]))
    rows = [
        {"passage": str(place), "title": "", "number": place, "wrapped": False, "text": text}
        for place, text in enumerate(texts)
    ]
    whole = WORD_PASSAGES.table(rows)
    start = time.process_time()
    output = scores(whole, lexicon=lexicon, tagger=spacy_tagger(), params=ScoresParams())
    gated = len(texts) / (time.process_time() - start)
    part = texts[:500]
    alone, cues = pace(lambda: list(tag(part)), len(part)), pace(lambda: found(lexicon, texts), len(texts))
    with capsys.disabled():
        print(
            f"\n{len(texts):,} passages per CPU second: {cues:,.0f} for the cues alone, {alone:,.0f} for tagging each,"
            f" {gated:,.0f} for the screen, which tags {output.metrics['tagged'] / len(texts):.1%}"
            f" and keeps {output.metrics['screened'] / len(texts):.1%}"
        )
    assert output.metrics["tagged"] < len(texts) / 4


def found(lexicon: CueLexicon, texts: Sequence[str]) -> int:
    return sum(bool(lexicon.found(text)) for text in texts)


def pace(work, count: int) -> float:
    start = time.process_time()
    work()
    return count / (time.process_time() - start)
