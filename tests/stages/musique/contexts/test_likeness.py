"""What may not stand beside a supporting paragraph."""

from __future__ import annotations

from stages.musique.contexts.likeness import copies, same_questions
from stages.musique.single_hops.tables import SINGLE_HOPS
from tests.stages.musique.graphs.world import hop


def test_questions_are_the_same_however_their_subject_is_spelt() -> None:
    hops = SINGLE_HOPS.table(
        [
            hop("s:1", "U.S. >> head of state", "Ann", "p1"),
            hop("s:2", "the US >> head of state", "Bob", "p2"),
            hop("s:3", "US >> capital", "Cid", "p3"),
            hop("s:4", "Who is it?", "Dan", "p4"),
            hop("s:5", "who is it", "Dan", "p5"),
            hop("s:6", "who was it", "Dan", "p6"),
        ]
    )
    first, second = frozenset({"p1", "p2"}), frozenset({"p4", "p5"})
    assert same_questions(hops) == {"s:1": first, "s:2": first, "s:4": second, "s:5": second}


def test_copies_have_the_title_and_most_words() -> None:
    titles = {"a": "Rome", "b": "rome", "c": "Rome", "d": "Oder", "e": "Rome"}
    text = "it is an old town on seven hills by a river"
    texts = {"a": text, "b": text + " they say", "c": "it was founded by twins", "d": text, "e": "it is an old town"}
    assert copies(["a"], titles, texts) == {"a": frozenset({"b", "e"})}
    assert copies(["c", "d"], titles, texts) == {}
