"""Fits the weights of templates/screening/causal.yaml to real passages.

python -m tests.tools.fit_screening DATA          writes the lexicon
python -m tests.tools.fit_screening DATA --folds  also cross-validates over all passages with questions

DATA: the folder that `tests.bench.screening_input` reads. The weights are those of a logistic
regression on which cues a passage has and on its share of past tense, with none below zero:
a cue may speak for a passage, but no word against it, so that topics cannot. Fitted on the
passages of train and on half of the background, both counting as much in sum; cues below
LEAST are dropped, and the rest is fitted again.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import yaml
from scipy.optimize import minimize
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from stages.ifqa.screening.lexicon import FILE, Cue, CueLexicon
from stages.ifqa.screening.tense import past_share, spacy_tagger
from tests.bench import screening_figures as figures
from tests.bench.screening_input import Passages, load, shingles

HERE = Path(__file__).resolve().parent
TARGET = HERE.parents[1] / "templates" / FILE
LEAST = 0.05
RIDGE = 20.0
FOLDS = 5
HEAD = """\
# Words that tell of causes, changes, plans and events, each with the log-odds that it adds to a
# passage's score, under the reason why such a passage may be worth asking "what if" about.
# The words are chosen by hand. The weights are fitted to passages that people did write
# counterfactual questions on, against passages of the same length from other pages.
"""


def main(arguments: Sequence[str]) -> None:
    passages = load(Path(arguments[0]))
    reasons = yaml.safe_load((HERE / "screening_cues.yaml").read_text(encoding="utf-8"))
    cues = [Cue(words, 1.0, reason) for reason, listed in reasons.items() for words in listed]
    lexicon = CueLexicon(tuple(sorted(cues, key=lambda cue: cue.words)), 1.0)
    background = [text for (_, half), texts in sorted(passages.background.items()) if half == 0 for text in texts]
    wanted, others = features(lexicon, passages.train), features(lexicon, background)
    weights = fit_twice(wanted, others)
    TARGET.write_text(written(lexicon, weights), encoding="utf-8")
    print(f"{TARGET}: {int((weights[:-1] > 0).sum())} cues of {len(lexicon.cues)}")
    if "--folds" in arguments:
        print(folds(lexicon, passages, others))


def features(lexicon: CueLexicon, texts: Sequence[str]) -> np.ndarray:
    """One row per text: 1 for each cue in it, and its share of past tense."""
    table = np.zeros((len(texts), len(lexicon.cues) + 1))
    place = {cue: number for number, cue in enumerate(lexicon.cues)}
    for row, (text, tokens) in enumerate(zip(texts, spacy_tagger().load()(texts), strict=True)):
        table[row, [place[cue] for cue in lexicon.found(text)]] = 1
        table[row, -1] = past_share(tokens)
    return table


def fit_twice(wanted: np.ndarray, others: np.ndarray) -> np.ndarray:
    first = fit(wanted, others, np.ones(wanted.shape[1], dtype=bool))
    return np.round(fit(wanted, others, first >= LEAST), 2)


def fit(wanted: np.ndarray, others: np.ndarray, used: np.ndarray) -> np.ndarray:
    """Weights of the columns, 0 for those that are not used."""
    rows = np.concatenate([wanted, others])[:, used]
    rows = np.hstack([rows, np.ones((len(rows), 1))])
    sign = np.repeat([1.0, -1.0], [len(wanted), len(others)])
    share = np.repeat([0.5 / len(wanted), 0.5 / len(others)], [len(wanted), len(others)]) * len(rows)
    shrunk = np.append(np.full(int(used.sum()), RIDGE), 0.0)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        margin = sign * (rows @ weights)
        value = (share * np.logaddexp(0, -margin)).sum() + (shrunk * weights**2).sum() / 2
        return value, rows.T @ (-share * sign / (1 + np.exp(margin))) + shrunk * weights

    bounds = [(0, None)] * int(used.sum()) + [(None, None)]
    options = {"maxiter": 2000, "ftol": 1e-12, "gtol": 1e-8}
    found = minimize(loss, np.zeros(rows.shape[1]), jac=True, bounds=bounds, method="L-BFGS-B", options=options)
    weights = np.zeros(len(used))
    weights[used] = found.x[:-1]
    return weights


def written(lexicon: CueLexicon, weights: np.ndarray) -> str:
    lines = [f"{HEAD}version: 1", f"past: {weights[-1]:.2f}", "reasons:"]
    for reason in dict.fromkeys(cue.reason for cue in sorted(lexicon.cues, key=lambda cue: cue.reason)):
        lines.append(f"  {reason}:")
        kept = [(-weight, cue.words) for cue, weight in zip(lexicon.cues, weights[:-1], strict=True) if weight > 0]
        of_reason = {cue.words for cue in lexicon.cues if cue.reason == reason}
        lines += [f"    {words}: {-weight:.2f}" for weight, words in sorted(kept) if words in of_reason]
    return "\n".join(lines) + "\n"


def folds(lexicon: CueLexicon, passages: Passages, others: np.ndarray) -> str:
    """Train and dev together in folds that share no twelve words, against the unseen half of the background."""
    texts = [*passages.train, *passages.dev]
    table, fold = features(lexicon, texts), fold_of(texts)
    unseen = [text for (_, half), part in sorted(passages.background.items()) if half == 1 for text in part]
    background, rule = features(lexicon, unseen), [cue.words for cue in lexicon.cues].index("originally")
    rows = []
    for number in range(FOLDS):
        weights = fit_twice(table[fold != number], others)
        held = table[fold == number]
        simple = figures.Point(held[:, rule].mean(), background[:, rule].mean())
        scores = held @ weights, background @ weights
        taking, finding = figures.taking(*scores, simple.taken), figures.finding(*scores, simple.found)
        areas = figures.area(*scores), figures.area(held[:, rule], background[:, rule])
        rows.append((simple.found, simple.taken, taking.found, finding.taken, *areas))
    found, taken, ours, fewer, area, rule_area = np.mean(rows, axis=0)
    return (
        f"'originally': finds {found:.3f}, takes {taken:.4f}, area {rule_area:.3f}\n"
        f"screen: finds {ours:.3f} where it takes as much, takes {fewer:.4f} where it finds as much, area {area:.3f}"
    )


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
