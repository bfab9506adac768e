"""Who is what to whom: kinship words between two mentions, for the structural check."""

from __future__ import annotations

from collections.abc import Iterator

from stages.facts.roles.clauses import OBJECT, POSSESSIVE, SUBJECT, Clause, word_set

# What a kinship word says of the one it names: "A's son B" and "B, son of A" make B a child of A.
_BY_KIN = {
    "child": "son sons daughter daughters child children stepson stepdaughter",
    "father": "father",
    "mother": "mother",
    "parent": "parent parents",
    "sibling": "brother brothers sister sisters sibling siblings twin twins",
    "spouse": "wife wives husband spouse widow widower consort fiancée fiancé",
    "relative": "uncle aunt nephew nephews niece nieces cousin cousins "
    "grandson granddaughter grandfather grandmother grandchild",
}
_WORDS = {word: kin for kin, words in _BY_KIN.items() for word in words.split()}
_MARRIED = frozenset({"married", "marries", "wed", "marry"})

# Per property: what the object is to the subject, and what the subject then is to the object.
KIN = {
    "P22": (frozenset({"father", "parent"}), frozenset({"child"})),
    "P25": (frozenset({"mother", "parent"}), frozenset({"child"})),
    "P40": (frozenset({"child"}), frozenset({"father", "mother", "parent"})),
    "P26": (frozenset({"spouse", "other parent"}), frozenset({"spouse", "other parent"})),
    "P3373": (frozenset({"sibling"}), frozenset({"sibling"})),
}
_OWNERS = frozenset({"his", "her", "their"})
_BETWEEN = word_set(
    "a an the his her their , ( elder older eldest younger youngest only first second third fourth twin half "
    "step adopted illegitimate late future former was is were are - born mortal beautiful infant young as surviving "
    "also became being who favourite favorite eponymous namesake three two four five"
)
_TO_OWNER = _BETWEEN - _OWNERS - {",", "was", "is", "who"}


def kinship(prop: str, text: Clause) -> str | None:
    """`other_role` where the clause makes the two of another kin, `swapped_roles` where of the reverse, else None."""
    of_object, of_subject = KIN[prop]
    said = set(_said(text))
    if not said:
        return None
    if any(kin in (of_object if who == OBJECT else of_subject) for who, kin in said):
        return None
    reverse = any(kin in (of_subject if who == OBJECT else of_object) for who, kin in said)
    return "swapped_roles" if reverse else "other_role"


def _said(text: Clause) -> Iterator[tuple[str, str]]:
    """(who, kin): that end of the triple is the other's kin."""
    for at, word in enumerate(text.words):
        if text.owner[at] is not None:
            continue
        if word in _MARRIED:
            yield from _pairs(
                text.held(text.names_left(_back(text, at))), text.held(text.names_right(at + 1)), "spouse"
            )
        elif word in _WORDS:
            yield from _kin(text, at, _WORDS[word])


def _kin(text: Clause, at: int, kin: str) -> Iterator[tuple[str, str]]:
    named, owners = _named(text, at), _owners(text, at)
    yield from _pairs(named, owners, kin)
    both = frozenset({SUBJECT, OBJECT})
    if kin == "child" and both <= owners:
        yield from ((who, "other parent") for who in sorted(both))
    if kin in ("child", "sibling") and both <= named:
        yield from ((who, "sibling") for who in sorted(both))


def _pairs(named: frozenset[str], owners: frozenset[str], kin: str) -> Iterator[tuple[str, str]]:
    for who, other in ((OBJECT, SUBJECT), (SUBJECT, OBJECT)):
        if who in named and other in owners:
            yield who, kin


def _named(text: Clause, at: int) -> frozenset[str]:
    """Whom the kinship word names: "son NAME", "son, NAME", or "NAME, the son of"."""
    plural = text.words[at].endswith(("s", "children"))
    after = at + 1
    of = after < len(text.words) and text.words[after] in ("of", "to")
    if not of:
        if after < len(text.words) and text.words[after] in (",", ":", "("):
            after += 1
        if text.is_name(after):
            names = text.names_right(after)
            return text.held(names if plural else names[:1])
    end = _back(text, at)
    names = text.names_left(end)
    return text.held(names if plural else names[:1]) if end < at or of else frozenset()


def _back(text: Clause, at: int) -> int:
    while at > 0 and text.words[at - 1] in _BETWEEN and text.owner[at - 1] is None and text.steps.on():
        at -= 1
    return at


def _owners(text: Clause, at: int) -> frozenset[str]:
    """Whose kin it is: "NAME's younger son", "his son", "son of NAME and NAME"."""
    after = at + 1
    if after < len(text.words) and text.words[after] in ("of", "to"):
        return text.held(text.names_right(after + 1))
    start = at
    while start > 0 and text.words[start - 1] in _TO_OWNER and text.steps.on():
        start -= 1
    if start > 0 and text.words[start - 1] in (POSSESSIVE, "'"):
        return text.held(text.names_left(start - 1)[:1], possessors=True)
    if start > 0 and text.words[start - 1] in _OWNERS:
        return _antecedent(text, start - 1)
    return frozenset()


def _antecedent(text: Clause, at: int) -> frozenset[str]:
    """Whom "his" or "her" means: the first of the two ends that was mentioned before it."""
    for owner in text.owner[:at]:
        if owner is not None:
            return frozenset({owner})
    return frozenset()
