"""Template files of one's own: what is kept, for whom, and where it holds."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor

from stages.core.overlay import Overlay, OwnFile, current, remembered, using

MINE = Overlay((OwnFile("sorts.yaml", b"a"), OwnFile("sorts.yaml", b"b", 2, "there/sorts.yaml")))


def test_files_are_told_by_folder_and_content_and_not_by_place() -> None:
    assert [file.label for file in MINE.of("sorts.yaml")] == ["own/sorts.yaml", "own2/sorts.yaml"]
    assert list(MINE.digests(["sorts.yaml", "roles.yaml"])) == ["own/sorts.yaml", "own2/sorts.yaml"]
    assert MINE.digests(["roles.yaml"]) == {}
    elsewhere = Overlay((OwnFile("sorts.yaml", b"a"), OwnFile("sorts.yaml", b"b", 2, "here")))
    assert elsewhere.digest == MINE.digest != Overlay(MINE.files[::-1]).digest
    assert copy.deepcopy(MINE) == MINE


def test_they_hold_within_and_in_this_thread_only() -> None:
    with using(MINE):
        assert current() is MINE
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(current).result() == Overlay()
        with using(Overlay()):
            assert current().files == ()
        assert current() is MINE
    assert current() == Overlay()


def test_what_is_made_of_them_is_kept_for_each_apart() -> None:
    made = []

    @remembered()
    def count(name: str, more: str = "") -> int:
        made.append((name, more))
        return len(current().of(name))

    with using(MINE):
        assert (count("sorts.yaml"), count("sorts.yaml")) == (2, 2)
    assert (count("sorts.yaml"), count("sorts.yaml"), count("sorts.yaml", more="x")) == (0, 0, 0)
    with using(Overlay(MINE.files)):
        assert count("sorts.yaml") == 2
    assert made == [("sorts.yaml", ""), ("sorts.yaml", ""), ("sorts.yaml", "x")]
