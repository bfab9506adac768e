from __future__ import annotations

from stages.wiqa.path_questions import questions
from stages.wiqa.sizes import sizes, text_digest
from tests.stages.wiqa.world import graph_row, table


def test_a_paragraph_counts_its_questions_even_if_it_has_none() -> None:
    graphs = table([graph_row("1"), graph_row("1", "2"), graph_row("2", topic="snow")])
    strata = questions(graphs.slice(0, 2)).tables["path_strata"]
    found = sizes(graphs, strata).tables["topic_sizes"].sort_by("para_id").to_pylist()
    assert [(row["para_id"], row["topic"], row["size"]) for row in found] == [("1", "rain", 82), ("2", "snow", 0)]


def test_texts_that_differ_in_case_and_spaces_are_one() -> None:
    assert text_digest(["It  rains.", "A lot."]) == text_digest(["it rains. a lot"])
    assert text_digest(["It rains."]) != text_digest(["It snows."])
