"""The structural check beside the model: does the sentence give this entity another role?

A cross-encoder takes two roles in one sentence for each other ("produced by A and
directed by B"). The check finds the words that give roles, reads off to whom the
sentence gives each, and removes a candidate only where

* a role that competes with the property's is given to the entity that should have the
  property's (reason `other_role`), or the property's own is given to the other end of
  the triple (`swapped_roles`), and
* every word that could state the property is visibly given to somebody else.

In doubt it lets the candidate pass: the threshold on the score judges those.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from stages.core.texts import Refused
from stages.facts.roles.clauses import OBJECT, SUBJECT, Clause, MentionNames, clause, word_set
from stages.facts.roles.kinship import KIN, kinship
from stages.facts.roles.lexicon import RoleEntry, RoleLexicon, Use

OTHER_ROLE = "other_role"
SWAPPED_ROLES = "swapped_roles"

_PASSIVE = frozenset({"was", "were", "is", "are", "been", "be", "being", "gets", "got"})
_BESIDE_VERB = word_set(
    "who which that also then later has had have having both to would will could , ( once subsequently eventually "
    "previously originally himself herself first did began started"
)
_JOINING = frozenset({"and", "&", ",", "or"})
_BESIDE_NOUN = word_set("a an the its his her their as was were is are be been became being , ( also who")
_STOPS = word_set("by of in with for to from at on ; . that which when while")
_PLACES = ((",",), ("in",), ("at",), ("on",), ("near",), ("of",), ("and",), ("-",))
_GAP = 6
_ADJECTIVES = 5


def check(lexicon: RoleLexicon, prop: str, sentence: str, subject: MentionNames, object_: MentionNames) -> str | None:
    """`other_role` or `swapped_roles` where the sentence speaks against (subject, prop, object), else None.

    `too_slow` where reading it takes more steps than the sentence allows.
    """
    try:
        return _against(lexicon, prop, sentence, subject, object_)
    except Refused as fault:
        return fault.reason


def _against(
    lexicon: RoleLexicon, prop: str, sentence: str, subject: MentionNames, object_: MentionNames
) -> str | None:
    if prop in KIN:
        return kinship(prop, clause(sentence, subject, object_))
    entry = lexicon.properties.get(prop)
    if entry is None:
        return None
    # "He" may be the one who has a role, but is no film that somebody made.
    agent_is_object = entry.agent == OBJECT
    text = clause(
        sentence,
        replace(subject, topic=subject.topic and not agent_is_object),
        replace(object_, topic=object_.topic and agent_is_object),
    )
    return _judge(entry, list(given(lexicon, text, entry.states | entry.against)))


@dataclass(frozen=True)
class Given:
    """Roles that one phrase gives, and to whom: "subject", "object", "other"; empty where that cannot be read off."""

    roles: frozenset[str]
    holders: frozenset[str]
    weak: bool


def _judge(entry: RoleEntry, found: list[Given]) -> str | None:
    patient = SUBJECT if entry.agent == OBJECT else OBJECT
    stating = [given_ for given_ in found if given_.roles & entry.states]
    if any(not given_.holders or entry.agent in given_.holders for given_ in stating):
        return None
    against = [given_ for given_ in found if not given_.roles & entry.states and not given_.weak]
    if any(entry.agent in given_.holders for given_ in against):
        return OTHER_ROLE
    return SWAPPED_ROLES if any(given_.holders == {patient} for given_ in stating) else None


def given(lexicon: RoleLexicon, text: Clause, roles: frozenset[str]) -> Iterator[Given]:
    """Every phrase of the clause that gives one of `roles`."""
    at = 0
    while at < len(text.words) and text.steps.on():
        match = _phrase(lexicon, text, at)
        if match is None:
            at += 1
            continue
        words, uses = match
        relevant = [use for use in uses if use.role in roles]
        if relevant:
            yield _read(lexicon, text, at, at + len(words), relevant)
        at += len(words)


def _phrase(lexicon: RoleLexicon, text: Clause, at: int) -> tuple[tuple[str, ...], tuple[Use, ...]] | None:
    for words, uses in lexicon.phrases.get(text.words[at], ()):
        end = at + len(words)
        if text.words[at:end] == words and not any(text.owner[at:end]):
            return words, uses
    return None


def _read(lexicon: RoleLexicon, text: Clause, start: int, end: int, uses: list[Use]) -> Given:
    """The reading of one phrase: the first kind of use that finds a holder decides."""
    kinds = {use.kind for use in uses}
    for kind in ("before", "by", "after", "noun", "trade", "does"):
        if kind not in kinds:
            continue
        holders = _holders(lexicon, text, start, end, kind, [use.role for use in uses if use.kind == kind])
        if holders:
            return Given(frozenset(use.role for use in uses if use.kind == kind), holders, kind == "trade")
    return Given(frozenset(use.role for use in uses), frozenset(), kinds == {"trade"})


def _holders(lexicon: RoleLexicon, text: Clause, start: int, end: int, kind: str, roles: list[str]) -> frozenset[str]:
    if kind == "before":
        return text.held(text.names_right(end))
    if kind == "by":
        return _after_link(lexicon, text, end, lexicon.links[roles[0]])
    if kind == "after":
        return text.held(text.names_left(start))
    return _beside_title(lexicon, text, start, end) if kind != "does" else _before_verb(lexicon, text, start)


def _after_link(lexicon: RoleLexicon, text: Clause, end: int, links: frozenset[str]) -> frozenset[str]:
    """Who stands after "by", past coordinated participles ("written, produced and directed by NAME")."""
    joints = None if links == {"by"} else _PLACES
    at, gap = end, 0
    while at < len(text.words) and gap <= _GAP and text.steps.on():
        if text.words[at] in links:
            names = text.names_right(at + 1, joints) if joints else text.names_right(at + 1)
            return text.held(names)
        if "" in links and text.is_name(at):
            return text.held(text.names_right(at, joints or _PLACES))
        match = _phrase(lexicon, text, at)
        if match is not None and links == {"by"}:
            at += len(match[0])
        elif text.words[at] in (",", "and", "&") and links == {"by"}:
            at += 1
        elif text.words[at] in (";", ".") or match is not None or (joints and text.words[at] in (",", "and", "by")):
            return frozenset()
        else:
            at, gap = at + 1, gap + 1
    return frozenset()


def _before_verb(lexicon: RoleLexicon, text: Clause, start: int) -> frozenset[str]:
    """Who stands before an active verb ("NAME, who wrote and directed")."""
    at = start
    while at > 0 and text.steps.on():
        word = text.words[at - 1]
        if word in _PASSIVE or word == "by":
            return frozenset()
        if text.is_name(at - 1) or word in (")", '"'):
            return text.held(text.names_left(at))
        joined = word in _JOINING and not (word == "," and text.words[at : at + 1] in (("who",), ("which",)))
        size = _phrase_left(lexicon, text, at - joined)
        if not size and (joined or not (word in _BESIDE_VERB or word.endswith("ly"))):
            return frozenset()
        at -= size + joined or 1
    return frozenset()


def _phrase_left(lexicon: RoleLexicon, text: Clause, end: int) -> int:
    """Length of the phrase of the lexicon that ends at `end`; 0 for none."""
    for size in (3, 2, 1):
        if end >= size:
            match = _phrase(lexicon, text, end - size)
            if match is not None and len(match[0]) == size:
                return size
    return 0


def _beside_title(lexicon: RoleLexicon, text: Clause, start: int, end: int) -> frozenset[str]:
    """Whose title it is: "director NAME", then "NAME, the director", then "the director is NAME"."""
    right = _skip_titles(lexicon, text, end)
    plural = text.words[end - 1].endswith("s")
    if text.is_name(right):
        names = text.names_right(right)
        return text.held(names if plural else names[:1])
    left = _title_left(lexicon, text, start)
    if left:
        return left
    if right < len(text.words) and text.words[right] in ("is", "was", "are", "were", ",", ":", ")"):
        names = text.names_right(right + 1)
        return text.held(names if plural else names[:1])
    return frozenset()


def _skip_titles(lexicon: RoleLexicon, text: Clause, at: int) -> int:
    """Past coordinated titles: "director and producer NAME", "writer-director NAME"."""
    while at < len(text.words) and text.steps.on():
        joint = 1 if text.words[at] in ("and", "&", "/", "-", ",") else 0
        match = _phrase(lexicon, text, at + joint) if at + joint < len(text.words) else None
        if match is None:
            return at
        at += joint + len(match[0])
    return at


def _title_left(lexicon: RoleLexicon, text: Clause, start: int) -> frozenset[str]:
    """Who stands before a title: "NAME, the American director", "NAME is a producer and director"."""
    at, adjectives, closed = start, 0, False
    while at > 0 and adjectives <= _ADJECTIVES and text.steps.on():
        word = text.words[at - 1]
        if word == ")":
            opening = text.skip_brackets_left(at)
            if opening == at:
                # "1) The actors": what a bracket closes that never opened is no name's.
                return frozenset()
            at = opening
        elif text.is_name(at - 1) and not _is_adjective(text, at - 1):
            return text.held(text.names_left(at)[:1]) if closed else frozenset()
        elif word in _BESIDE_NOUN:
            closed, at = True, at - 1
        elif closed or word in _STOPS:
            return frozenset()
        else:
            size = _phrase_left(lexicon, text, at)
            at, adjectives = at - (size or 1), adjectives + (not size)
    return frozenset()


def _is_adjective(text: Clause, at: int) -> bool:
    """A capitalised word inside a noun phrase: "an American film director"."""
    if text.tokens[at][0].isdigit() or not 0 < at < len(text.tokens) - 1:
        return False
    before, after = text.words[at - 1], text.tokens[at + 1]
    opens = before in ("a", "an") or (text.owner[at] is None and before in ("the", "former", "young", "-"))
    return opens and (after[0].islower() or after == "-")
