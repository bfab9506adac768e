from __future__ import annotations

from pathlib import Path

import pytest
from backports import zstd

from stages.core.contract import StageError
from stages.live.addresses import LiveError
from stages.live.cache import Cache, Kept, Question

ASKED = Question("https://me:secret@host/x", {"a": "1", "b": "2"})


def the_file(folder: Path) -> Path:
    [path] = folder.glob("??/*.zst")
    return path


def test_an_answer_comes_back_as_it_was(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    assert cache.get(ASKED) is None
    cache.put(ASKED, Kept(b"body\n\x00more"))
    assert Cache(tmp_path).get(Question("https://host/x", {"b": "2", "a": "1"})) == Kept(b"body\n\x00more")
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [f"{ASKED.digest}.zst"]


def test_another_query_part_is_another_question() -> None:
    assert Question("http://h/x?graph=a").digest != Question("http://h/x?graph=b").digest
    assert Question("http://h/x", {"a": "b"}).digest != Question("http://h/x", {"a": "c"}).digest


def test_nothing_secret_is_on_disk(tmp_path: Path) -> None:
    Cache(tmp_path).put(Question("https://me:secret@host/x?token=hidden", {"a": "1"}), Kept(b""))
    text = zstd.decompress(the_file(tmp_path).read_bytes())
    assert b"secret" not in text and b"hidden" not in text and b'"https://host/x"' in text


@pytest.mark.parametrize("damage", [lambda data: data[:-5], lambda data: b"junk", lambda data: data[:20] + b"x" * 20])
def test_a_damaged_answer_is_named(tmp_path: Path, damage) -> None:  # type: ignore[no-untyped-def]
    cache = Cache(tmp_path)
    cache.put(ASKED, Kept(b"0123456789" * 100))
    the_file(tmp_path).write_bytes(damage(the_file(tmp_path).read_bytes()))
    with pytest.raises(LiveError, match="remove the file"):
        cache.get(ASKED)


def test_an_answer_to_something_else_is_not_taken(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put(ASKED, Kept(b"x"))
    other = Question("http://other", {})
    target = tmp_path / other.digest[:2] / f"{other.digest}.zst"
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(the_file(tmp_path).read_bytes())
    with pytest.raises(LiveError, match="named after"):
        cache.get(other)


def test_a_refresh_that_was_broken_off_goes_on_from_what_it_has(tmp_path: Path) -> None:
    other = Question("http://other", {})
    first = Cache(tmp_path)
    first.put(ASKED, Kept(b"old"))
    first.put(other, Kept(b"old"))
    broken_off = Cache(tmp_path, refresh=True)
    assert broken_off.get(ASKED) is None
    broken_off.put(ASKED, Kept(b"new"))
    assert Cache(tmp_path).unfinished
    again = Cache(tmp_path, refresh=True)
    assert again.get(ASKED) == Kept(b"new")
    assert again.get(other) is None
    again.put(other, Kept(b"new"))
    again.finish()
    assert not Cache(tmp_path).unfinished
    assert Cache(tmp_path).get(ASKED) == Kept(b"new")
    assert Cache(tmp_path, refresh=True).get(ASKED) is None


def test_a_damaged_mark_is_named(tmp_path: Path) -> None:
    (tmp_path / "generation.json").write_text("{")
    with pytest.raises(LiveError, match=r"generation\.json"):
        Cache(tmp_path)


def test_a_folder_that_cannot_be_written_is_named_with_its_option(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StageError, match="choose another --cache"):
        Cache(tmp_path / "file").put(ASKED, Kept(b""))
