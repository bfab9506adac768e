"""What BM25 is asked for."""

from __future__ import annotations

from stages.musique.contexts.query import query


def test_a_query_asks_about_no_answer() -> None:
    assert query(["who wrote Rain", "where is #1 from", "#12 >> place of birth in #2"]).split() == (
        ["wrote", "Rain", "place", "birth"]
    )


def test_names_in_capitals_are_no_small_words() -> None:
    assert query(["Which states of the US did IT firms leave?"]).split() == ["states", "US", "IT", "firms", "leave"]
    assert query(["what is #1"]) == ""
