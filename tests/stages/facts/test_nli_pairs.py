from __future__ import annotations

from stages.facts.nli_pairs import pair_id


def test_a_pair_is_both_texts_and_where_one_ends() -> None:
    first = pair_id("ab", "c")
    assert len(first) == 32
    assert first == pair_id("ab", "c")
    assert len({first, pair_id("a", "bc"), pair_id("c", "ab"), pair_id("abc", "")}) == 4


def test_known_value() -> None:
    # The first half of the sha256 of "4:A isB".
    assert pair_id("A is", "B") == "61668f03e623dcd090cc9e33b3d7f016"
