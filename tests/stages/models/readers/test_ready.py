"""Models that were trained elsewhere: a real one, and folders that hold none."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import pytest

from stages.models.readers.interface import NOTHING, ReaderError, ReaderPassage
from stages.models.readers.ready import MAX_TOKENS, ready
from tests.stages.models.readers.samples import ALL, MINE


def test_a_real_model_reads(shared_models: Path) -> None:
    trainer = ready(shared_models / "reader-qa")
    assert (trainer.name, trainer.learns, trainer.draws) == ("reader-qa", False, False)
    assert pickle.loads(pickle.dumps(trainer)) == trainer  # noqa: S301 (made here)
    reader = trainer.fit([])
    opened, built, unread = reader.answer(
        ["When did the Red Mine open?", "Who built the Old Bridge?", "Who built it?"], [[MINE], ALL, ()]
    )
    assert (opened.answer, opened.support) == ("1902", (0,))
    assert (built.answer, built.support) == ("Nils Lund", (2,))
    assert unread == NOTHING


def test_long_paragraphs_are_read_to_their_end(shared_models: Path) -> None:
    text = "Nothing happened there. " * MAX_TOKENS + "The Red Mine opened in 1902."
    (found,) = (
        ready(shared_models / "reader-qa")
        .fit([])
        .answer(["When did the Red Mine open?"], [[ReaderPassage.of("", text)]])
    )
    assert "1902" in found.answer


def test_a_model_that_was_changed_since_is_refused(shared_models: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(shared_models / "reader-qa", folder, copy_function=shutil.copyfile)
    folder.chmod(0o755)
    trainer = ready(folder)
    assert trainer.identity == ready(shared_models / "reader-qa").identity
    with (folder / "config.json").open("a") as file:
        file.write(" ")
    with pytest.raises(ReaderError, match="not the model that was asked for"):
        trainer.fit([])


def test_folders_without_a_model_say_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match="safetensors"):
        ready(tmp_path)
    (tmp_path / "pytorch_model.bin").write_bytes(b"x")
    with pytest.raises(ReaderError, match="only pickled weights"):
        ready(tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"x")
    with pytest.raises(ReaderError, match=r"missing config.json and tokenizer.json"):
        ready(tmp_path)
