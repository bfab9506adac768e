"""What a reader is shown while it is trained: questions with a paragraph, and where in it the answer stands."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from stages.models.readers.interface import ReaderPassage, SolvedQuestion

# Batches' worth of pairs that are put in the order of their lengths at a time.
_SORTED = 50


class Shown(NamedTuple):
    """A question with a paragraph. answer: characters of the answer in it, None where it has none."""

    question: str
    passage: ReaderPassage
    answer: tuple[int, int] | None


def shown(examples: Sequence[SolvedQuestion], distractors: int, chance: random.Random) -> list[Shown]:
    """What is shown in one epoch, in its order. distractors: paragraphs per question that do not answer it."""
    found = []
    for example in examples:
        for place in example.support:
            span = place_of(example.context[place].text, example.answers)
            if span is not None:
                found.append(Shown(example.question, example.context[place], span))
        others = [passage for place, passage in enumerate(example.context) if place not in example.support]
        for passage in chance.sample(others, min(distractors, len(others))):
            found.append(Shown(example.question, passage, None))
    chance.shuffle(found)
    return found


def batches(epoch: Sequence[Shown], size: int, chance: random.Random) -> list[list[Shown]]:
    """The pairs of an epoch in batches of like lengths, in an order by chance.

    All of a batch is padded to its longest pair; of batches by chance, from paragraphs of 20 to 300 words, a third is
    padding.
    """
    found = []
    for start in range(0, len(epoch), size * _SORTED):
        part = sorted(epoch[start : start + size * _SORTED], key=lambda item: len(item.passage.text))
        found += [part[first : first + size] for first in range(0, len(part), size)]
    chance.shuffle(found)
    return found


def place_of(text: str, answers: Sequence[str]) -> tuple[int, int] | None:
    """Where the first of the answers that the text has stands in it: as words of their own, or else inside others."""
    for pattern in (r"(?<!\w){}(?!\w)", "{}"):
        for answer in answers:
            found = re.search(pattern.format(re.escape(answer)), text) if answer else None
            if found is not None:
                return found.span()
    return None


def frequent(examples: Sequence[SolvedQuestion], most: int) -> list[str]:
    """The answers to learn by heart: the most frequent ones, of those that answer more than one question."""
    counts = Counter(example.answers[0] for example in examples if example.answers)
    ranked = sorted(counts, key=lambda answer: (-counts[answer], answer))
    return [answer for answer in ranked[:most] if counts[answer] > 1]


def marked(encoded: Any, batch: Sequence[Shown]) -> Iterator[tuple[int, int]]:
    """The first and last token of the answer per window; the first token twice where it is not in the window."""
    for window, pair in enumerate(encoded["overflow_to_sample_mapping"].tolist()):
        answer = batch[pair].answer
        if answer is None:
            yield 0, 0
            continue
        offsets, numbers = encoded["offset_mapping"][window].tolist(), encoded.sequence_ids(window)
        inside = [place for place, number in enumerate(numbers) if number == 1]
        within = [place for place in inside if offsets[place][0] < answer[1] and offsets[place][1] > answer[0]]
        whole = within and offsets[within[0]][0] <= answer[0] and offsets[within[-1]][1] >= answer[1]
        yield (within[0], within[-1]) if whole else (0, 0)
