"""Released records taken apart into the tables that release stages read: a round trip for tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

import pyarrow as pa

from stages.core.contract import Output
from stages.qampari.judging.judged import RELEASED_ANSWERS, RELEASED_QUESTIONS
from stages.qampari.paraphrasing.paraphrasing import WORDED
from stages.qampari.release.format import Answer, AnswersRecord, split_qid
from stages.qampari.release.parts import (
    ENTITY_PAGES,
    PAGE_ORIGINS,
    PAGE_TITLES,
    PROOF_PASSAGES,
    PROOF_PLACES,
    origins,
    pages,
    parts,
    passages,
    titles,
)
from stages.qampari.release.records import RecordParams, records
from stages.wikipedia.dump import page_address
from stages.wikipedia.raw import ORIGIN_NAMES

WIKIPEDIA = "https://en.wikipedia.org/wiki"


def title_of(url: str) -> str:
    return unquote(url.removeprefix(f"{WIKIPEDIA}/")).replace("_", " ")


def addresses(titles: Sequence[str]) -> pa.Table:
    """Articles of the English Wikipedia, which tells nothing of them but where they stand."""
    rows = [dict.fromkeys(ORIGIN_NAMES) | {"title": title, "url": page_address(WIKIPEDIA, title)} for title in titles]
    return pa.Table.from_pylist(
        rows, schema=pa.schema([pa.field(name, pa.string()) for name in ("title", *ORIGIN_NAMES)])
    )


class World:
    """Tables in which each released answer is an item and each distinct proof a passage of its page."""

    def __init__(self, released: Sequence[AnswersRecord]) -> None:
        self._numbers: dict[str, list[str]] = {}
        self._corpus: dict[str, dict[str, Any]] = {}
        self._articles: dict[str, str] = {}
        questions, splits, answers = [], [], []
        for place, record in enumerate(released):
            query = f"P1:Q{place}"
            number, _, split = split_qid(record.qid)
            splits.append({"query": query, "split": split, "number": number, "kind": "simple", "properties": ["P1"]})
            questions.append(self._question(query, record))
            answers += [self._answer(query, index, answer) for index, answer in enumerate(record.answer_list)]
        self.splits = RELEASED_QUESTIONS.table(splits)
        self.questions = WORDED.table(questions)
        self.answers = RELEASED_ANSWERS.table(answers)

    def build(self, params: RecordParams, order: Sequence[int] | None = None) -> Output:
        """The output of the records stage, after the stages before it; order: of the answers."""
        answers = self.answers if order is None else self.answers.take(pa.array(order))
        first = parts(self.splits, self.questions, answers)
        articles = pa.table({"title": list(self._articles.values()), "qid": list(self._articles)})
        found = pages(first.tables["asked_entities"], articles).tables[ENTITY_PAGES.name]
        named = titles(found, first.tables[PROOF_PLACES.name], answers).tables[PAGE_TITLES.name]
        places = origins(named, addresses(named["title"].unique().to_pylist())).tables[PAGE_ORIGINS.name]
        corpus = pa.Table.from_pylist(list(self._corpus.values()))
        texts = passages(first.tables[PROOF_PLACES.name], corpus)
        assert texts.rejects.num_rows == 0
        proofs = texts.tables[PROOF_PASSAGES.name]
        return records(self.splits, self.questions, answers, found, proofs, places, params=params)

    def _question(self, query: str, record: AnswersRecord) -> dict[str, Any]:
        entities = [f"Q{len(self._articles) + index}000" for index, _ in enumerate(record.entities)]
        for qid, entity in zip(entities, record.entities, strict=True):
            self._articles[qid] = title_of(entity.entity_url)
        return {
            "query": query,
            "kind": "simple",
            "question": record.question_text,
            "normal": record.question_text,
            "template_question": record.question_text,
            "properties": ["P1"],
            "entities": entities,
            "entity_labels": [entity.entity_text for entity in record.entities],
            "entity_aliases": [entity.aliases for entity in record.entities],
            "classes": [None],
            "answers": len(record.answer_list),
            "answer_set": query,
        }

    def _answer(self, query: str, index: int, answer: Answer) -> dict[str, Any]:
        return {
            "query": query,
            "answer": f"Q{index}",
            "unit": "",
            "answer_kind": "item",
            "answer_text": answer.answer_text,
            "aliases": answer.aliases,
            "types": ["Q5"],
            "title": title_of(answer.answer_url),
            "proofs": [self._proof(proof.proof_text, title_of(proof.found_in_url)) for proof in answer.proof],
            "scores": [0.5] * len(answer.proof),
            "confirmed": False,
        }

    def _proof(self, passage: str, title: str) -> dict[str, Any]:
        known = self._numbers.setdefault(title, [])
        if passage not in known:
            known.append(passage)
        number = known.index(passage)
        self._corpus[f"{title}#{number}"] = {
            "passage_id": f"{title}#{number}",
            "title": title,
            "number": number,
            "text": passage,
        }
        triple = {"subject": "Q1", "property": "P1", "object": "Q2", "index": 3, "sentence": "S."}
        return triple | {"title": title, "passage": number}
