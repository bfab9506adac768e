"""Fits the weights of templates/screening/causal.yaml to real passages.

python -m tests.tools.fit_screening DATA          writes the lexicon
python -m tests.tools.fit_screening DATA --folds  also cross-validates over all passages with questions

DATA: the folder that `tests.bench.screening_input` reads. The weights are those of a logistic
regression on which cues and terms a passage has and on its share of past tense. Cues and past
tense have none below zero; terms may speak against a passage. Fitted on the passages of train
and on half of the background, both counting as much in sum; weights below the LEAST are
dropped, and the rest is fitted again. There the HARD tenth of the background, which scored
highest, counts several times: what matters is who comes first, not the order of the others.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml
from scipy.optimize import minimize
from scipy.sparse import coo_matrix, csr_matrix, hstack, vstack
from scipy.sparse.csgraph import connected_components

from stages.ifqa.screening.lexicon import FILE, VERSION, Cue, CueLexicon
from tests.bench import screening_figures as figures
from tests.bench.screening_input import Passages, load, shingles
from tests.tools.screening_features import Read, table, terms

HERE = Path(__file__).resolve().parent
TARGET = HERE.parents[1] / "templates" / FILE
# The word that most of the passages have is hardly shrunk: there is enough to tell its weight by.
MARK = "originally"
LEAST_CUE, LEAST_TERM = 0.05, 0.03
RIDGE_CUE, RIDGE_MARK, RIDGE_TERM = 20.0, 2.0, 100.0
HARD, HARD_WEIGHT = 0.1, 4.0
FOLDS = 5
HEAD = """\
# Words that tell of causes, changes, plans and events, each with the log-odds that it adds to a
# passage's score, under the reason why such a passage may be worth asking "what if" about.
# These words are chosen by hand; the terms below are those that the passages themselves showed.
# The weights are fitted to passages that people did write counterfactual questions on, against
# passages of the same length from other pages.
"""


@dataclass(frozen=True)
class Columns:
    """What the columns of a table stand for: cues, then terms, then the share of past tense."""

    lexicon: CueLexicon
    terms: Sequence[str]

    @property
    def free(self) -> np.ndarray:
        """Whether a column's weight may be below zero."""
        return np.array([False] * len(self.lexicon.cues) + [True] * len(self.terms) + [False])

    @property
    def ridge(self) -> np.ndarray:
        of_cues = [RIDGE_MARK if cue.words == MARK else RIDGE_CUE for cue in self.lexicon.cues]
        return np.array([*of_cues, *[RIDGE_TERM] * len(self.terms), RIDGE_CUE])

    @property
    def mark(self) -> int:
        return [cue.words for cue in self.lexicon.cues].index(MARK)


def main(arguments: Sequence[str]) -> None:
    passages, hand = load(Path(arguments[0])), by_hand()
    train, fitted = Read.of(passages.train), Read.of(passages.of_half(0))
    columns = Columns(hand, terms(train + fitted, hand))
    wanted, others = (table(read, hand, columns.terms) for read in (train, fitted))
    weights = fit_twice(wanted, others, columns)
    TARGET.write_text(written(columns, weights), encoding="utf-8")
    cues = len(hand.cues)
    print(f"{TARGET}: {np.count_nonzero(weights[:cues])} cues of {cues}, {np.count_nonzero(weights[cues:-1])} terms")
    if "--folds" in arguments:
        print(folds(columns, passages, others))


def by_hand() -> CueLexicon:
    reasons = yaml.safe_load((HERE / "screening_cues.yaml").read_text(encoding="utf-8"))
    cues = [Cue(words, 1.0, reason) for reason, listed in reasons.items() for words in listed]
    return CueLexicon(tuple(sorted(cues, key=lambda cue: cue.words)), 1.0)


def fit_twice(wanted: csr_matrix, others: csr_matrix, columns: Columns) -> np.ndarray:
    everything = np.ones(wanted.shape[1], dtype=bool)
    first = fit(wanted, others, columns, everything, np.ones(others.shape[0]))
    used = np.abs(first) >= np.where(columns.free, LEAST_TERM, LEAST_CUE)
    scores = others @ first
    counts = np.where(scores >= np.quantile(scores, 1 - HARD), HARD_WEIGHT, 1.0)
    return np.round(fit(wanted, others, columns, used, counts), 2)


def fit(wanted: csr_matrix, others: csr_matrix, columns: Columns, used: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Weights of the columns, 0 for those that are not used; counts: of each row of the others."""
    rows = vstack([wanted, others])[:, used]
    rows = hstack([rows, np.ones((rows.shape[0], 1))]).tocsr()
    across = rows.T.tocsr()
    sign = np.repeat([1.0, -1.0], [wanted.shape[0], others.shape[0]])
    share = np.concatenate([np.full(wanted.shape[0], 0.5 / wanted.shape[0]), 0.5 * counts / counts.sum()]) * len(sign)
    shrunk = np.append(columns.ridge[used], 0.0)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        margin = sign * (rows @ weights)
        value = (share * np.logaddexp(0, -margin)).sum() + (shrunk * weights**2).sum() / 2
        return value, across @ (-share * sign / (1 + np.exp(margin))) + shrunk * weights

    bounds = [(None, None) if free else (0, None) for free in columns.free[used]] + [(None, None)]
    options = {"maxiter": 2000, "ftol": 1e-12, "gtol": 1e-8}
    found = minimize(loss, np.zeros(rows.shape[1]), jac=True, bounds=bounds, method="L-BFGS-B", options=options)
    weights = np.zeros(len(used))
    weights[used] = found.x[:-1]
    return weights


def written(columns: Columns, weights: np.ndarray) -> str:
    cues = columns.lexicon.cues
    lines = [f"{HEAD}version: {VERSION}", f"past: {weights[-1]:.2f}", "reasons:"]
    of_cues = list(zip(cues, weights[: len(cues)], strict=True))
    for reason in sorted({cue.reason for cue in cues}):
        lines.append(f"  {reason}:")
        lines += _entries([(cue.words, weight) for cue, weight in of_cues if cue.reason == reason], "    ")
    lines.append("terms:")
    lines += _entries(zip(columns.terms, weights[len(cues) : -1], strict=True), "  ")
    return "\n".join(lines) + "\n"


def _entries(weights: Iterable[tuple[str, float]], indent: str) -> Iterator[str]:
    """Quoted, as "on" and "no" are no words to YAML."""
    for weight, words in sorted((-weight, words) for words, weight in weights if weight):
        yield f'{indent}"{words}": {-weight:.2f}'


def folds(columns: Columns, passages: Passages, others: csr_matrix) -> str:
    """Train and dev together in folds that share no twelve words, against the unseen half of the background."""
    texts = [*passages.train, *passages.dev]
    rows, fold = table(Read.of(texts), columns.lexicon, columns.terms), fold_of(texts)
    background = table(Read.of(passages.of_half(1)), columns.lexicon, columns.terms)
    weights = [fit_twice(rows[fold != number], others, columns) for number in range(FOLDS)]
    found = [_of_fold(rows[fold == number], background, weights[number], columns.mark) for number in range(FOLDS)]
    return "\n".join(f"{name}: {np.mean([each[name] for each in found]):.4f}" for name in found[0])


def _of_fold(held: csr_matrix, background: csr_matrix, weights: np.ndarray, mark: int) -> dict[str, float]:
    says, says_too = (rows[:, [mark]].toarray()[:, 0] > 0 for rows in (held, background))
    scores = held @ weights, background @ weights
    taken = says_too.mean()
    return {
        f"'{MARK}' finds": says.mean(),
        f"'{MARK}' takes": taken,
        f"area of '{MARK}'": figures.area(says.astype(float), says_too.astype(float)),
        "screen finds where it takes as much": figures.taking(*scores, taken).found,
        "screen takes where it finds as much": figures.finding(*scores, says.mean()).taken,
        "area": figures.area(*scores),
        f"area without passages that say '{MARK}'": figures.area(scores[0][~says], scores[1][~says_too]),
    }


def fold_of(texts: Sequence[str]) -> np.ndarray:
    """A fold per text; texts that share words, directly or through others, are in one."""
    first: dict[tuple[str, ...], int] = {}
    links = [(place, first.setdefault(part, place)) for place, text in enumerate(texts) for part in shingles([text])]
    rows, columns = np.array(links).T
    graph = coo_matrix((np.ones(len(links)), (rows, columns)), shape=(len(texts), len(texts)))
    _, group = connected_components(graph, directed=False)
    leader = dict(zip(group[::-1], texts[::-1], strict=True))
    return np.array([hashlib.sha256(leader[number].encode()).digest()[0] % FOLDS for number in group])


if __name__ == "__main__":
    main(sys.argv[1:])
