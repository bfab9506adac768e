from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stages.facts.roles.clauses import Clause, MentionNames, clause, tokenise


def names(text: Clause, spans: list[range]) -> list[str]:
    return [" ".join(text.tokens[at] for at in span) for span in spans]


def read(sentence: str, subject: str = "S", object_: str = "O") -> Clause:
    return clause(sentence, MentionNames((subject,)), MentionNames((object_,)))


def test_tokens() -> None:
    assert tokenise("Spielberg’s co-directed “film”.") == (
        "Spielberg",
        "'s",
        "co",
        "-",
        "directed",
        '"',
        "film",
        '"',
        ".",
    )


def test_lists_of_names_to_the_right() -> None:
    text = read("directed by J. K. Rowling, Guillermo del Toro (b. 1964), the brothers and Mira Jansen in Rome")
    assert names(text, text.names_right(2)) == ["J . K . Rowling", "Guillermo del Toro"]
    text = read("by Ada Lindqvist as well as Tomas Vell and his brother Ruth with music")
    assert names(text, text.names_right(1)) == ["Ada Lindqvist", "Tomas Vell", "Ruth"]


def test_lists_of_names_to_the_left() -> None:
    text = read("In the end Ada Lindqvist and Tomas Vell (1930) directed it")
    assert names(text, text.names_left(text.words.index("directed"))) == ["Tomas Vell", "Ada Lindqvist"]


def test_the_longer_name_wins_and_a_possessor_is_not_held() -> None:
    text = read("BBC One belongs to the BBC's board", "BBC", "BBC One")
    assert [owner for owner in text.owner if owner] == ["object", "object", "subject"]
    assert text.held([range(0, 2)]) == {"object"}
    assert text.held([range(5, 6)]) == frozenset()
    assert text.held([range(3, 4)]) == {"other"}


def test_last_words_stand_for_longer_names_unless_shared() -> None:
    assert read("Spielberg won", "E.T.", "Steven Spielberg").owner[0] == "object"
    assert read("Mumba won", "Omero Mumba", "Peter Mumba").owner[0] is None
    assert clause("She won", MentionNames(("X",)), MentionNames(("Ada Lindqvist",), topic=True)).owner[0] == "object"


@given(st.text(max_size=60), st.text(max_size=8), st.text(max_size=8))
def test_any_text_can_be_read(sentence: str, subject: str, object_: str) -> None:
    text = read(sentence, subject, object_)
    assert len(text.tokens) == len(text.words) == len(text.owner)
    for at in range(len(text.tokens) + 1):
        assert all(span.start >= at and len(span) for span in text.names_right(at))
        assert all(span.stop <= at and len(span) for span in text.names_left(at))
