from __future__ import annotations

from stages.musique.bridges.known_names import names
from tests.stages.musique.bridges.world import ENTITIES, GOLD, PAGES, REDIRECTS


def test_names_of_titles_redirects_and_aliases() -> None:
    rows = names(GOLD, PAGES, REDIRECTS, ENTITIES).tables["known_names"].to_pylist()
    assert [(row["name"], row["target"], row["kind"], row["about"]) for row in rows] == [
        ("drina", "Queen Victoria", "alias", "A queen."),
        ("queen victoria", "Queen Victoria", "title", "A queen."),
        ("victoria", "Queen Victoria", "alias", "A queen."),
        ("victoria", "Victoria (Australia)", "title", "A state with Melbourne."),
        ("victoria", "Victoria, Texas", "title", "Victoria is a city in Texas."),
    ]
    assert names(GOLD).tables["known_names"].num_rows == 1
