"""Stage `qampari.answer_drafts`: tasks that have people judge answers.

The QAMPARI paper (the paper's step 11) asks of each answer whether its page alone shows it to be right. Tasks
of questions that wait to replace others are made with the rest, but drafted only when their turn comes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pyarrow as pa

from manifests.digest import canonical_json
from stages.annotation.forms.kinds import TaskKind
from stages.annotation.tables import DRAFTS
from stages.core.columns import text
from stages.core.contract import Join, Output, Stage, StageError
from stages.core.limits import at_least
from stages.core.splits import DEV, TEST
from stages.qampari.cleaning import QUESTIONS
from stages.qampari.judging.shown_pages import SHOWN_PAGES
from stages.qampari.questions import leaked_answer
from stages.qampari.splits import CANDIDATES

ANSWER_DRAFTS = replace(DRAFTS, name="answer_drafts")
WAITING_DRAFTS = replace(
    DRAFTS, name="waiting_drafts", schema=DRAFTS.schema.append(text("query")), bucket_by=("query",)
)
"""Drafts of questions that wait. query: the question."""
REPLACEMENT_DRAFTS = replace(DRAFTS, name="replacement_drafts")
"""Those of them whose turn has come (`qampari.replacement`)."""

VARIABLES = ("answer", "page", "question", "title")
_SPLITS = (DEV, TEST)


@dataclass(frozen=True)
class AnswerDraftParams:
    """splits: whose answers are judged, of dev and test; redundancy: workers per task, 0 for the kind's own number."""

    splits: tuple[str, ...] = _SPLITS
    redundancy: int = 0

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.splits) - set(_SPLITS)):
            raise StageError(f"splits: expected some of {', '.join(_SPLITS)}, got {', '.join(unknown)}")
        at_least(self, 0, "redundancy")


def answer_drafts(
    pages: pa.Table, candidates: pa.Table, questions: pa.Table, *, kind: TaskKind, params: AnswerDraftParams
) -> Output:
    """ANSWER_DRAFTS and WAITING_DRAFTS from one bucket of SHOWN_PAGES, CANDIDATES and QUESTIONS by query.

    A wrong answer is not used where a page shown with it names an entity of the question: it might be right after
    all, unknown to the sources. Metrics: drafts, waiting, with_wrong, wrong_on_page.
    """
    places = {row["query"]: row["place"] for row in candidates.to_pylist() if row["split"] in params.splits}
    asked = {row["query"]: row for row in questions.to_pylist() if row["query"] in places}
    counts: Counter[str] = Counter(drafts=0, waiting=0, with_wrong=0, wrong_on_page=0)
    now, later = [], []
    for (query, origin), shown in sorted(_by_task(pages).items()):
        right = _payload(shown[False], asked[query]) if query in asked else None
        if right is None:
            continue
        wrong = _wrong(shown[True], asked[query], counts)
        row = _draft(origin, kind, right, wrong, params)
        counts.update(
            drafts=int(not places[query]), waiting=int(bool(places[query])), with_wrong=int(wrong is not None)
        )
        if places[query]:
            later.append(row | {"query": query})
        else:
            now.append(row)
    return Output(
        {ANSWER_DRAFTS.name: ANSWER_DRAFTS.table(now), WAITING_DRAFTS.name: WAITING_DRAFTS.table(later)},
        metrics={name: float(count) for name, count in counts.items()},
    )


_Shown = defaultdict[bool, list[dict[str, Any]]]


def _by_task(pages: pa.Table) -> dict[tuple[str, str], _Shown]:
    found: defaultdict[tuple[str, str], _Shown] = defaultdict(lambda: defaultdict(list))
    for row in pages.to_pylist():
        found[row["query"], row["origin"]][row["wrong"]].append(row)
    return found


def _payload(pages: Sequence[Mapping[str, Any]], question: Mapping[str, Any]) -> dict[str, str] | None:
    """What a worker sees; None where a page is missing."""
    if not pages or len(pages) < pages[0]["pages"]:
        return None
    ordered = sorted(pages, key=lambda row: row["page"])
    texts = [row["text"] if len(ordered) == 1 else f"{row['title']}\n\n{row['text']}" for row in ordered]
    return {
        "question": question["question"],
        "answer": ordered[0]["answer_text"],
        "title": " | ".join(row["title"] for row in ordered),
        "page": "\n\n\n".join(texts),
    }


def _wrong(
    pages: Sequence[Mapping[str, Any]], question: Mapping[str, Any], counts: Counter[str]
) -> dict[str, str] | None:
    payload = _payload(pages, question)
    if payload is None:
        return None
    if names_any(f"{payload['title']}\n{payload['page']}", entity_names(question)):
        counts["wrong_on_page"] += 1
        return None
    return payload


def entity_names(question: Mapping[str, Any]) -> list[str]:
    """All names of the entities that a question names."""
    labels, aliases = question["entity_labels"], question["entity_aliases"]
    return [name for label, others in zip(labels, aliases, strict=True) for name in (label, *others)]


def names_any(shown: str, names: Iterable[str]) -> bool:
    """Whether a text holds one of some names as whole words; names of at most 3 characters say nothing."""
    return leaked_answer(shown.casefold(), (name.casefold() for name in names)) is not None


def _draft(
    origin: str, kind: TaskKind, right: Mapping[str, str], wrong: Mapping[str, str] | None, params: AnswerDraftParams
) -> dict[str, Any]:
    return {
        "origin": origin,
        "kind": kind.name,
        "payload": canonical_json(right),
        "wrong_payload": None if wrong is None else canonical_json(wrong),
        "wrong_gold": None if wrong is None else canonical_json(_refusal(kind)),
        "gold": None,
        "redundancy": params.redundancy,
    }


def _refusal(kind: TaskKind) -> dict[str, list[str]]:
    """What a careful worker says to a wrong answer."""
    if kind.verdict is None or not kind.verdict.refuse:
        raise StageError(f"task kind {kind.name}: expected a verdict that can refuse an answer")
    return {kind.verdict.control: list(kind.verdict.refuse[:1])}


def stage(kind: TaskKind, params: AnswerDraftParams | None = None) -> Stage:
    """kind: a form with the variables VARIABLES and a verdict that can refuse.

    Raises StageError: it has others.
    """
    if kind.variables != VARIABLES:
        raise StageError(f"task kind {kind.name}: shows {', '.join(kind.variables)}; expected {', '.join(VARIABLES)}")
    _refusal(kind)
    params = params or AnswerDraftParams()
    return Stage(
        name="qampari.answer_drafts",
        shape=Join(on=(("query",),) * 3),
        kernel=partial(answer_drafts, kind=kind, params=params),
        inputs=(SHOWN_PAGES.name, CANDIDATES.name, QUESTIONS.name),
        outputs=(ANSWER_DRAFTS, WAITING_DRAFTS),
        templates=kind.digests,
        about="Step 11: each answer with its page, for people to judge.",
    )
