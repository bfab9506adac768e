"""The hypotheses under which a candidate sentence is read; the best one counts (paper, step 4).

A property may have several wordings, and a sentence may call an end by another name than
its label: "X is a football stadium" is read as that, not as "X is an association football
venue". A name that is broader than the entity ("writer" for a screenwriter, "Germany" for
the Weimar Republic) or the adjective of a place never stands in a hypothesis.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from stages.core.columns import number, text
from stages.core.contract import TableSpec
from stages.facts import adjectives
from stages.facts.nli_pairs import pair_id
from stages.facts.tables import TRIPLE_KEY

CANDIDATE_KEY = (*TRIPLE_KEY, "page", "index")

READINGS = TableSpec(
    name="readings",
    schema=pa.schema(
        [
            *map(text, (*TRIPLE_KEY, "page")),
            number("index"),
            *map(text, ("hypothesis", "premise", "pair")),
        ]
    ),
    key=(*CANDIDATE_KEY, "hypothesis"),
    bucket_by=("pair",),
)
"""One row per candidate and hypothesis. pair: `stages.facts.nli_pairs.pair_id`."""

State = Callable[[str, str, str], Sequence[str]]
"""The hypotheses of (property, name of the subject, name of the object)."""

_WORD = re.compile(r"[^\W_]+")
_END = re.compile(r"[.!?…。؟।][^\w\s]{0,4}$")


def read_as(row: Mapping[str, Any], state: State) -> list[str]:
    """The hypotheses of a candidate (property, side, surface, subject_label, object_label), by its labels first."""
    on_subject = row["side"] == "subject"
    label, surface = row["object_label" if on_subject else "subject_label"], row["surface"]
    found = list(state(row["property"], row["subject_label"], row["object_label"]))
    if names_entity(surface, label):
        ends = (row["subject_label"], surface) if on_subject else (surface, row["object_label"])
        found += state(row["property"], *ends)
    return list(dict.fromkeys(found))


def readings(candidate: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """READINGS of one candidate."""
    for hypothesis in candidate["hypotheses"]:
        yield {
            **{name: candidate[name] for name in (*CANDIDATE_KEY, "premise")},
            "hypothesis": hypothesis,
            "pair": pair_id(hypothesis, candidate["premise"]),
        }


def names_entity(surface: str, label: str) -> bool:
    """Whether a name may stand for a label in a hypothesis: its initials, or a phrase that shares a word with it.

    Not where it is but a part of a proper name, and no single word, adjective or place.
    """
    said, own = (_WORD.findall(name.casefold()) for name in (surface, label))
    if surface in _places():
        return False
    if len(said) == 1:
        return len(surface) > 1 and surface.isupper() and surface == _initials(label)
    part = set(said) <= set(own)
    return bool(set(said) & set(own)) and said != own and not (part and label[0].isupper())


def too_little(surface: str, label: str, sentence: str) -> bool:
    """Whether a sentence names less than a label: nothing but the name, or only the noun at the label's end.

    "Writer" is broader than "screenwriter", and an "officer" no "military officer", unless the rest of the label
    stands elsewhere in the sentence ("an officer of the military").
    """
    said, own, words = (_WORD.findall(text.casefold()) for text in (surface, label, sentence))
    if said == words:
        return True
    if len(said) != 1 or said == own or not own or not label[0].islower() or not own[-1].endswith(said[0]):
        return False
    rest = [*own[:-1], own[-1].removesuffix(said[0])]
    return not all(word in words for word in rest if word)


def is_crumb(sentence: str) -> bool:
    """Whether a line does not end as sentences do: a heading, a category, an item of a list."""
    return _END.search(sentence) is None


def same_text(sentence: str, hypothesis: str) -> bool:
    """Whether a sentence says a hypothesis word by word, whatever its case and signs."""
    return _WORD.findall(sentence.casefold()) == _WORD.findall(hypothesis.casefold())


def _initials(label: str) -> str:
    return "".join(word[0] for word in _WORD.findall(label) if word[0].isupper())


def _places() -> set[str]:
    places = adjectives.places()
    return {*places, *places.values(), *(place.removeprefix("the ") for place in places.values())}
