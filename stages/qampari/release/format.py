"""The released record of a question with a list of answers: each with the passages that prove it.

Ids follow from each other: aid "{qid}__{i}", pid "{aid}__{j}"; every list of aliases holds the text it belongs to.
Addresses are those that the sources tell; none is made up.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Annotated, ClassVar
from urllib.parse import quote

from stages.release.format import Part, Record, ReleaseError, need
from stages.wikidata.values import is_own

QID = re.compile(r"([0-9]{1,18})__([a-z_]+)__([a-z]+)")
WIKIDATA = "https://www.wikidata.org/wiki/"
# All numbers have the same length, so that ids sort as their numbers do.
_LEAST = 10**14
# Letters and digits that an alias must have: the release's retrieval code finds shorter ones anywhere in a text.
_LEAST_ALIAS = 4


class Proof(Part, frozen=True):
    """A passage that supports an answer."""

    proof_text: Annotated[str, "the passage"]
    found_in_url: Annotated[str, "the address of the page that it stands on; empty where the source tells none"]
    pid: Annotated[str, "the `aid` and the proof's number"]


class Answer(Part, frozen=True):
    """One right answer."""

    answer_text: Annotated[str, "the answer as it is shown"]
    aid: Annotated[str, "the `qid` and the answer's number"]
    aliases: Annotated[list[str], "its names, the text first; others only from four letters or digits on"]
    answer_url: Annotated[
        str, "its page, or its Wikidata item where no page of it is known; empty for what has neither, as plain values"
    ]
    proof: Annotated[list[Proof], "the passages that support it"]


class QuestionEntity(Part, frozen=True):
    """An entity that the question names."""

    entity_url: Annotated[str, "its page, or its Wikidata item where no page of it is known; empty without either"]
    entity_text: Annotated[str, "its name"]
    aliases: Annotated[list[str], "its names, the text first; others only from four letters or digits on"]


class AnswersRecord(Record, frozen=True):
    """One question with its answers and their proofs."""

    ID: ClassVar[str] = "qid"

    entities: Annotated[list[QuestionEntity], "the entities that the question names"]
    question_text: Annotated[str, "the question, as the relation templates word it or as people have reworded it"]
    answer_list: Annotated[list[Answer], "every right answer"]
    qid: Annotated[
        str,
        "number, kind and split, joined by two underscores; the number is made from the query, so that the question "
        "has the same one in every build",
    ]

    @property
    def identity(self) -> str:
        return self.qid

    @property
    def kind(self) -> str:
        return split_qid(self.qid)[1]

    @property
    def split(self) -> str:
        return split_qid(self.qid)[2]

    def check(self) -> None:
        """Ids must follow from each other, and each text be among its aliases."""
        split_qid(self.qid)
        for index, entity in enumerate(self.entities):
            need(entity.entity_text in entity.aliases, f"entities[{index}].aliases", f"to hold {entity.entity_text!r}")
        for index, answer in enumerate(self.answer_list):
            where = f"answer_list[{index}]"
            need(answer.aid == f"{self.qid}__{index}", f"{where}.aid", f"'{self.qid}__{index}', got {answer.aid!r}")
            need(answer.answer_text in answer.aliases, f"{where}.aliases", f"to hold {answer.answer_text!r}")
            for number, proof in enumerate(answer.proof):
                expected = f"{answer.aid}__{number}"
                need(proof.pid == expected, f"{where}.proof[{number}].pid", f"{expected!r}, got {proof.pid!r}")


def split_qid(qid: str) -> tuple[int, str, str]:
    """Number, kind and split of a question's id; ReleaseError where it has another shape."""
    match = QID.fullmatch(qid)
    if match is None:
        raise ReleaseError(f"qid: expected '<number>__<kind>__<split>', got {qid!r}")
    return int(match[1]), match[2], match[3]


def make_qid(query: str, kind: str, split: str) -> str:
    """The id of a query's question, the same in every build: its number has 15 digits, drawn by a hash of the query.

    Two of a million questions share a number with a chance of less than one in a thousand; `export` refuses them.
    """
    drawn = int.from_bytes(hashlib.sha256(query.encode()).digest())
    return f"{_LEAST + drawn % (9 * _LEAST)}__{kind}__{split}"


def item_url(page: str | None, qid: str) -> str:
    """The address of an item's page, or of the item itself where it has none; "" of things of one's own without one."""
    return page or ("" if is_own(qid) else WIKIDATA + quote(qid, safe=""))


def released_names(shown: str, aliases: Iterable[str]) -> list[str]:
    """The text shown, and those aliases that hold at least four letters or digits: no codes, flags and symbols."""
    long = (alias for alias in aliases if sum(map(str.isalnum, alias)) >= _LEAST_ALIAS)
    return list(dict.fromkeys([shown, *long]))
