"""Runs probes over a file of multi-hop questions with any reader."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stages.evaluation.report import string_keys
from stages.models.readers.interface import Prediction, Reader, SolvedQuestion, Trainer
from stages.musique.probes.files import ProbeError, ProbeFile
from stages.musique.probes.probes import PROBES, Probe, Scores, score

# Readings that are shown to a reader in one call: enough for its batches, few enough for the memory.
_AT_ONCE = 2000


@dataclass(frozen=True)
class ProbeResult:
    """overall: questions, and in percent exact_match (the share that a probe cheats), f1 and support_f1.

    by_supports: the same by the number of supporting paragraphs; scores: per question id; skipped: questions that
    the probe does not apply to.
    """

    probe: str
    overall: Mapping[str, float]
    by_supports: Mapping[int, Mapping[str, float]]
    skipped: int
    scores: Mapping[str, Scores]


@dataclass(frozen=True)
class ProbeReport:
    """What the probes came to. trained_on: questions that the reader learnt from; unanswerable: records left out."""

    reader: str
    trained_on: int
    unanswerable: int
    results: tuple[ProbeResult, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values, without the scores per question."""
        results = [
            {"probe": result.probe, **result.overall, "skipped": result.skipped}
            | {"by_supports": string_keys(result.by_supports)}
            for result in self.results
        ]
        counts = {"trained_on": self.trained_on, "unanswerable": self.unanswerable}
        return {"reader": self.reader, **counts, "probes": results}

    def as_text(self) -> str:
        """A table for reading: a line per probe, and one for each number of supporting paragraphs below it."""
        lines = [f"{'probe':<18}{'questions':>10}{'EM':>8}{'F1':>8}{'support F1':>12}"]
        for result in self.results:
            lines.append(_line(result.probe, result.overall))
            lines += [_line(f"  {count} paragraphs", scores) for count, scores in result.by_supports.items()]
            if result.skipped:
                lines.append(f"  {result.skipped} left out: too few or too many supporting paragraphs to part")
        learnt = f"trained on {self.trained_on} questions" if self.trained_on else "trained on no question"
        lines.append(f"reader: {self.reader}, {learnt}")
        return "\n".join(lines + [f"{self.unanswerable} unanswerable records left out"] * bool(self.unanswerable))


def run(
    asked: ProbeFile,
    trainer: Trainer,
    *,
    train: Sequence[SolvedQuestion] = (),
    names: Sequence[str] = tuple(PROBES),
    supports: int = 2,
    seed: int = 0,
) -> ProbeReport:
    """The probes of these names, in their own order.

    train: solved questions that the reader learns from; without any, one that can do without knows only how rare the
    words of the paragraphs are. supports: how many paragraphs are named, where so many are shown.

    Raises ProbeError: an unknown probe, or too few supports.
    """
    unknown = sorted(set(names) - set(PROBES))
    if unknown:
        raise ProbeError(f"no probe is called {', '.join(unknown)}; there are {', '.join(PROBES)}")
    if supports < 1:
        raise ProbeError(f"supports: expected 1 or more, got {supports}")
    examples = list(train) or [SolvedQuestion("", example.context, (), ()) for example in asked.examples]
    reader = trainer.fit(examples, seed)
    results = tuple(_result(name, PROBES[name], asked, reader, supports) for name in PROBES if name in names)
    return ProbeReport(trainer.name, len(train) if trainer.learns else 0, asked.unanswerable, results)


def _result(name: str, probe: Probe, asked: ProbeFile, reader: Reader, supports: int) -> ProbeResult:
    scores: dict[str, Scores] = {}
    groups: defaultdict[int, list[Scores]] = defaultdict(list)
    for (item, example), predictions in zip(_applied(probe, asked), _read(probe, asked, reader, supports), strict=True):
        scores[item] = score(example, probe.found(predictions))
        groups[len(example.support)].append(scores[item])
    by_supports = {count: _mean(groups[count]) for count in sorted(groups)}
    return ProbeResult(name, _mean(list(scores.values())), by_supports, len(asked.ids) - len(scores), scores)


def _applied(probe: Probe, asked: ProbeFile) -> list[tuple[str, SolvedQuestion]]:
    return [(item, example) for item, example in zip(asked.ids, asked.examples, strict=True) if probe.readings(example)]


def _read(probe: Probe, asked: ProbeFile, reader: Reader, supports: int) -> list[list[Prediction]]:
    """The predictions of each question that the probe applies to, in places of its own context."""
    shown = [
        (number, example, reading)
        for number, (_, example) in enumerate(_applied(probe, asked))
        for reading in probe.readings(example)
    ]
    found: defaultdict[int, list[Prediction]] = defaultdict(list)
    for start in range(0, len(shown), _AT_ONCE):
        part = shown[start : start + _AT_ONCE]
        contexts = [[example.context[place] for place in reading.places] for _, example, reading in part]
        predictions = reader.answer([reading.question for _, _, reading in part], contexts, -(-supports // probe.parts))
        for (number, _, reading), prediction in zip(part, predictions, strict=True):
            own = tuple(reading.places[place] for place in prediction.support)
            found[number].append(prediction._replace(support=own))
    return list(found.values())


def _mean(scores: Sequence[Scores]) -> dict[str, float]:
    shares = [sum(values) / len(scores) for values in zip(*scores, strict=True)] or [0.0] * 3
    exact, f1, support = (round(100 * share, 2) for share in shares)
    return {"questions": len(scores), "exact_match": exact, "f1": f1, "support_f1": support}


def _line(name: str, found: Mapping[str, float]) -> str:
    shares = f"{found['exact_match']:>8.1f}{found['f1']:>8.1f}{found['support_f1']:>12.1f}"
    return f"{name:<18}{found['questions']:>10}{shares}"
