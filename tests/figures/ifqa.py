"""Figures of IfQA's README."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from stages.ifqa.release.records import COUNTERFACTUAL_RECORDS
from stages.ifqa.screening.screening import ScoresParams
from stages.wikipedia.pages import PAGES
from tests.bench import screening_figures as figures
from tests.bench.screening_input import LEADS, load
from tests.bench.test_screening_bench import RULES, Screened, point
from tests.figures.blocks import Cell, Figure
from tests.figures.builds import SAMPLE, Build, Work

SPLITS = ("train", "dev", "test")


def sample(work: Work) -> Build:
    return work.build("ifqa", "ifqa", *SAMPLE)


def sample_story(work: Work) -> Iterator[Figure]:
    build = sample(work)
    rows = build.table(COUNTERFACTUAL_RECORDS).to_pylist()
    passages, screened = (build.count("ifqa.screening", name) for name in ("passages", "screened"))
    pages = build.table(PAGES).num_rows
    yield f"{passages} passages of {pages} pages, of which {screened} are screened in"
    yield f"people write {build.count('ifqa.writing', 'written_questions')} usable questions about"
    checks = build.count("annotation.verdicts_verification", "annotations")
    yield f"{checks} checks leave {len(rows)} questions, of which {sum(row['confirmed'] for row in rows)} are confirmed"


def sample_splits(work: Work) -> Iterator[Figure]:
    rows = sample(work).table(COUNTERFACTUAL_RECORDS).to_pylist()
    for config in ("full", "few"):
        sizes = Counter(row[config] for row in rows)
        yield from (Cell(config, split, f"{sizes[split]:,}") for split in SPLITS)


def sample_answers(work: Work) -> Iterator[Figure]:
    rows = sample(work).table(COUNTERFACTUAL_RECORDS).to_pylist()
    kinds = Counter(kind for row in rows for kind in row["kinds"])
    yield f"Their {kinds.total()} answers have every kind: {kinds['date']} dates, {kinds['number']} numbers"
    yield f"{kinds['quantity']} quantities, {kinds['duration']} durations, {kinds['entity']} entities"
    yield f"{kinds['money']} sums of money"
    yield f"{kinds['span']} plain spans"


def release(work: Work) -> Build:
    sources = [*(work.real / "ifqa" / f"full_{part}.json" for part in ("train", "dev"))]
    given = [part for source in sources for part in ("--source", str(source))]
    return work.build("ifqa", "ifqa-release", *given, "--set", "build.bad_records=0.5")


def release_splits(work: Work) -> Iterator[Figure]:
    build = release(work)
    sizes = {
        config: " / ".join(build.count("ifqa.splits", f"{config}_{split}") for split in SPLITS)
        for config in ("full", "few")
    }
    rows, kept = build.count("ifqa.parse", "records"), build.count("ifqa.records", "records.records")
    yield f"{rows} rows give {kept} questions: full {sizes['full']}, few {sizes['few']}."


@cache
def screened(data: Path) -> tuple[Screened, Screened, int]:
    """Dev, the unseen half of the background, and how many of that are leads, which come first."""
    passages = load(data)
    return Screened.of(passages.dev), Screened.of(passages.of_half(1)), len(passages.background[LEADS, 1])


def screen(work: Work) -> Iterator[Figure]:
    wanted, background, _ = screened(work.real)
    sizes = len(wanted.scores), len(background.scores)
    word, all_three = (point(wanted.holds[:, rule], background.holds[:, rule]) for rule in (0, len(RULES) - 1))
    scores, default = (wanted.scores, background.scores), ScoresParams()
    for name, found in (
        ('contains "originally"', word),
        ("the screen, the same share taken", figures.taking(*scores, word.taken)),
        ('contains "originally", "due to" or "because"', all_three),
        ("the screen, as many found", figures.finding(*scores, all_three.found)),
        ("the screen with its defaults", point(wanted.kept(default), background.kept(default))),
    ):
        yield Cell(name, "found", f"{100 * found.found:.1f} %")
        yield Cell(name, "background taken", f"{100 * found.taken:.2f} %")
        yield Cell(name, "precision", f"{100 * found.precision(*sizes):.1f} %")


def screen_areas(work: Work) -> Iterator[Figure]:
    wanted, background, leads = screened(work.real)
    says, says_too = wanted.holds[:, 0], background.holds[:, 0]
    whole, word = (
        figures.area(wanted.scores, background.scores),
        figures.area(says.astype(float), says_too.astype(float)),
    )
    yield f'Its area under the curve is {whole:.3f}, that of "originally" {word:.3f};'
    silent, others = wanted.scores[~says], background.scores
    of_pages = figures.area(silent, others[leads:][~says_too[leads:]])
    yield f"without passages that say the word {figures.area(silent, others[~says_too]):.3f}, and {of_pages:.3f} where"


def screen_without(work: Work) -> Iterator[Figure]:
    wanted, background, _ = screened(work.real)
    says, says_too, default = wanted.holds[:, 0], background.holds[:, 0], ScoresParams()
    found, taken = wanted.kept(default)[~says], background.kept(default)
    yield f"it finds {100 * found.mean():.1f} % of the passages of dev that do not say it"
    yield f"{100 * (taken & ~says_too).sum() / taken.sum():.1f} % of what it takes of the background"
