"""The mark by which a sample's texts are told from others'."""

from __future__ import annotations

import pytest

from stages.io.sample import is_sample


@pytest.mark.parametrize(
    ("generator", "ours"),
    [("Benchwright sample", True), (" Benchwright sample\n", True), ("MediaWiki 1.44.0-wmf.9", False), ("", False)],
)
def test_only_the_samples_are_marked(generator: str, ours: bool) -> None:
    assert is_sample(generator) is ours
