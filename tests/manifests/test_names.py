"""What is said of a name that is not there."""

from __future__ import annotations

from manifests.names import alternatives

MANY = [f"table_{number:02}" for number in range(60)]


def test_a_near_name_is_offered() -> None:
    assert alternatives("recrods", ["records", "sidecar"], "`show`") == "did you mean records? `show` names all 2"
    assert alternatives("table_6", MANY, "`show`").startswith("did you mean table_")


def test_few_names_are_listed_and_many_are_not() -> None:
    assert alternatives("x", ["b", "a", "b"], "`show`") == "there are b, a"
    assert alternatives("x", [], "`show`") == "there are none"
    assert alternatives("x", MANY, "`show`") == "`show` names all 60"
