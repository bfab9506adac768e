"""Stage `musique.bridge_mentions`: which questions mention which answers (MuSiQue, step 2).

Every answer is sought in every question in one pass. A mention counts where it is
whole: not inside a longer name that the text shows (see `whole`), that the corpus knows
(its titles and aliases, subjects and answers) or, of a relational hop, that is its subject.

A name that many hops answer or many questions mention is cut down before anything is
paired: of its heads and of its tails only some stay, chosen by a seeded hash.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import pyarrow as pa

from stages.core.contract import Output, Stage, Whole
from stages.core.limits import at_least
from stages.core.rejects import Rejects
from stages.musique.bridges.contexts import answer_context
from stages.musique.bridges.names import Match, NameFinder, covered
from stages.musique.bridges.requests import Place, Row, ask, mention
from stages.musique.bridges.tables import BRIDGE_ANSWERS, KNOWN_NAMES, MENTIONS, TAG_REQUESTS
from stages.musique.bridges.whole import (
    INSIDE_LONGER,
    OTHER_CASE,
    attributive,
    fault,
    longer_by,
    same_case,
    without_article,
    written_as_name,
)
from stages.musique.single_hops.forms import Words, bare, form, words_of
from stages.musique.single_hops.stated import digest
from stages.musique.single_hops.tables import SINGLE_HOPS
from stages.musique.spellings.mentions import forms, searchable
from stages.musique.spellings.mentions import mentions as mentions_of
from stages.musique.spellings.other_names import digests

HOT_HEAD, HOT_TAIL = "hot_bridge_head", "hot_bridge_tail"
LONGER_IN_PARAGRAPH, NOT_IN_PARAGRAPH = "longer_in_paragraph", "not_in_paragraph"

# A hop, and the first and last word of a mention in its question.
Tail = tuple[Row, Place]
_Hop = TypeVar("_Hop")


@dataclass(frozen=True)
class MentionParams:
    """Most heads and most tails of one bridge entity before they are paired, and the seed of their choice.

    stated: whether a tail's paragraph has to speak of the name.
    """

    max_heads: int = 40
    max_tails: int = 40
    seed: int = 0
    stated: bool = True

    def __post_init__(self) -> None:
        at_least(self, 1, "max_heads", "max_tails")


def mentions(hops: pa.Table, names: pa.Table, *, params: MentionParams) -> Output:
    """MENTIONS, BRIDGE_ANSWERS and TAG_REQUESTS from all SINGLE_HOPS and KNOWN_NAMES.

    Rejects, keyed by the entity and counted: joined_word, other_case, inside_longer_name, part_of_subject,
    repeated_mention (masking one would leave the other), hot_bridge_head, hot_bridge_tail; and of names that stand
    in the hop's own paragraph, but never as a whole: longer_in_paragraph; that it does not speak of: not_in_paragraph.
    Metrics: naive_pairs (occurrences of answers in questions, before any check), mentioned_names.
    """
    rows = sorted(hops.to_pylist(), key=lambda row: row["hop"])
    rejects, answers = Rejects(), _answers(rows)
    tails, naive = _tails(rows, answers, frozenset(_known_names(rows, names)), params.stated, rejects)
    requests: dict[str, dict[str, Any]] = {}
    mentioned, answering = [], []
    for entity in sorted(tails):
        name = entity.strip()
        heads = _heads(answers[entity], name, params, rejects)
        if not heads:
            continue
        answering += [
            {"head": row["hop"], "entity": name, "request": ask(requests, *answer_context(row))} for row in heads
        ]
        for row, place in _fewest(tails[entity], params.max_tails, params.seed, HOT_TAIL, name, rejects):
            mentioned.append(mention(row, place, name, heads[0]["answer"], requests))
    return Output(
        {
            MENTIONS.name: MENTIONS.table(mentioned),
            BRIDGE_ANSWERS.name: BRIDGE_ANSWERS.table(answering),
            TAG_REQUESTS.name: TAG_REQUESTS.table(list(requests.values())),
        },
        rejects.table(),
        {"naive_pairs": float(naive), "mentioned_names": float(len(tails))},
    )


def _tails(
    rows: list[Row], answers: Mapping[str, list[Row]], known: frozenset[str], stated: bool, rejects: Rejects
) -> tuple[dict[str, dict[str, Tail]], int]:
    """Of each answer, the tails that mention it, by hop; and the number of naive pairs."""
    search = NameFinder([*answers, *known])
    spelt = {entity: sorted({without_article(row["answer"]) for row in heads}) for entity, heads in answers.items()}
    tails: dict[str, dict[str, Tail]] = defaultdict(dict)
    naive = 0
    for row in rows:
        for entity, place, reason in _judged(row, search, spelt, known, stated):
            naive += len(answers[entity])
            if place is None:
                rejects.add(entity.strip(), str(reason))
            else:
                tails[entity][row["hop"]] = (row, place)
    return tails, naive


def _heads(rows: list[Row], name: str, params: MentionParams, rejects: Rejects) -> list[Row]:
    """The hops that answer with a name as a whole, as many as may be paired."""
    whole = {row["hop"]: row for row in rows if _whole_answer(row)}
    if len(whole) < len(rows):
        rejects.add(name, LONGER_IN_PARAGRAPH, "", len(rows) - len(whole))
    return _fewest(whole, params.max_heads, params.seed, HOT_HEAD, name, rejects)


def entity_of(answer: str) -> str:
    """The joined form under which an answer is sought; " " where it cannot be a name."""
    return bare(form(answer)) if any(map(str.isupper, answer)) else " "


def _answers(rows: list[Row]) -> dict[str, list[Row]]:
    """The hops that each sought answer answers."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if (entity := entity_of(row["answer"])) != " ":
            found[entity].append(row)
    return dict(found)


def _is_name(answer: str) -> bool:
    """Whether every word of an answer, but for an article, is written with a capital: "Great Britain"."""
    words = Words.of(without_article(answer))
    return bool(words.words) and all(without_article(answer)[start].isupper() for start, _ in words.spans)


def _known_names(rows: list[Row], names: pa.Table) -> Iterator[str]:
    """Names that may hold others: of the alias table, subjects, and answers of relations or written as names."""
    for name in names.column("name").to_pylist():
        yield f" {name} "
    for row in rows:
        if row["relational"]:
            yield bare(form(row["subject"]))
            yield bare(form(row["answer"]))
        elif _is_name(row["answer"]):
            yield bare(form(row["answer"]))


def _judged(
    row: Row, search: NameFinder, spelt: Mapping[str, Sequence[str]], known: frozenset[str], stated: bool
) -> Iterator[tuple[str, Place | None, str | None]]:
    """Of each answer that a question holds: the words where it is mentioned, or why it is not; spelt: by the heads."""
    words = Words.of(row["question"])
    found = list(search.matches(words))
    names = [match for match in found if match.form in known and written_as_name(row["question"], words, match)]
    places: dict[str, list[Match]] = defaultdict(list)
    for match in found:
        if match.form in spelt:
            places[match.form].append(match)
    reason: str | None
    for entity, matches in places.items():
        if row["relational"] and entity != bare(form(row["subject"])):
            reason = "part_of_subject"
        elif unlike := _fault_in_paragraph(row, entity, spelt[entity], stated):
            reason = unlike
        elif row["relational"]:
            # An album called "Us" is not the US.
            subject = without_article(row["subject"])
            reason = None if any(same_case(subject, name) for name in spelt[entity]) else OTHER_CASE
        elif len(matches) > 1:
            reason = "repeated_mention"
        elif covered(matches[0], names):
            reason = INSIDE_LONGER
        else:
            reason = _fault_in_question(row, words, matches[0], spelt[entity])
        yield entity, None if reason else (matches[0].first, matches[0].last), reason


def _fault_in_question(row: Row, words: Words, match: Match, spelt: Sequence[str]) -> str | None:
    question, first, last = row["question"], match.first, match.last
    if any(attributive(question, words, last, match.form, witness) for witness in _witnesses(row)):
        return LONGER_IN_PARAGRAPH
    if longer_by(question, words, first, last, f"{row['title']} . {row['text']}"):
        return INSIDE_LONGER
    faults = [fault(question, words, first, last, name) for name in spelt]
    return None if None in faults else faults[0]


def _whole_answer(row: Row) -> bool:
    """Whether an answer is a whole name where it stands in its paragraph."""
    words, start = words_of(row["text"]), row["answer_start"]
    first = bisect_left(words.spans, (start, 0))
    last = first + len(Words.of(row["answer"]).words) - 1
    first = last - len(entity_of(row["answer"]).split()) + 1
    return fault(row["text"], words, first, last, without_article(row["answer"])) is None


def _whole_in_paragraph(row: Row, entity: str) -> bool | None:
    """Whether a paragraph, or else its title, holds a name as a whole anywhere; None where neither holds it at all."""
    for text in (row["text"], row["title"]):
        words = words_of(text)
        if places := words.find(entity):
            return any(fault(text, words, *place, text[slice(*words.span(*place))]) is None for place in places)
    return None


def _fault_in_paragraph(row: Row, entity: str, names: Sequence[str], stated: bool) -> str | None:
    """Why a paragraph does not speak of a name; None where it does."""
    whole = _whole_in_paragraph(row, entity)
    if whole is None:
        return None if not stated or _otherwise_in_paragraph(row, names) else NOT_IN_PARAGRAPH
    return None if whole else LONGER_IN_PARAGRAPH


def _otherwise_in_paragraph(row: Row, names: Sequence[str]) -> bool:
    """Whether a paragraph or its title speaks of a name by another: "German" of Germany."""
    return mentions_of(searchable(f"{row['title']} . {row['text']}"), forms(names))


def _witnesses(row: Row) -> tuple[Words, Words]:
    return words_of(row["text"]), words_of(row["title"])


def _fewest(hops: Mapping[str, _Hop], limit: int, seed: int, reason: str, name: str, rejects: Rejects) -> list[_Hop]:
    """At most so many hops, by their ids; which of them, the seed decides."""
    if len(hops) <= limit:
        return list(hops.values())
    rejects.add(name, reason, f"the limit is {limit}", len(hops) - limit)
    return [hops[hop] for hop in sorted(hops, key=lambda hop: digest(str(seed), hop))[:limit]]


def stage(params: MentionParams | None = None) -> Stage:
    params = params or MentionParams()
    return Stage(
        name="musique.bridge_mentions",
        shape=Whole(),
        kernel=partial(mentions, params=params),
        inputs=(SINGLE_HOPS.name, KNOWN_NAMES.name),
        outputs=(MENTIONS, BRIDGE_ANSWERS, TAG_REQUESTS),
        templates=digests(),
        about="S2: whole mentions of answers in questions, popular ones capped.",
    )
