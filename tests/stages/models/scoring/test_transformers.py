"""Hugging Face models: a tiny random one, made here and read from its folder."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from stages.models.scoring.folders import ModelError
from stages.models.scoring.resolve import scorer
from stages.models.scoring.transformers import TransformersScorer

pytest.importorskip("torch")
pytest.importorskip("transformers")

SPECIAL = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep")}
WORDS = ("the", "goonies", "has", "richard", "donner", "as", "director", "film", "paris", "is", "france", ".", "a")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A three-label classifier with random weights and a vocabulary of single words."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("tiny")
    vocabulary = {word: i for i, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))  # noqa: S106
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **SPECIAL).save_pretrained(folder)
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        initializer_range=0.5,
        id2label={0: "contradiction", 1: "neutral", 2: "entailment"},
        label2id={"contradiction": 0, "neutral": 1, "entailment": 2},
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def test_scores_are_the_models_own_and_need_no_company(model: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    found = scorer(str(model))
    assert isinstance(found, TransformersScorer)
    hypotheses, premises = (
        ["the goonies has richard donner as director", "paris"],
        ["a film . the director", "france " * 400],
    )
    scores = found.load()(hypotheses, premises)
    assert scores[1:] == found.load()(hypotheses[1:], premises[1:])
    encoded = AutoTokenizer.from_pretrained(model)(premises[0], hypotheses[0], return_tensors="pt")
    with torch.inference_mode():
        logits = AutoModelForSequenceClassification.from_pretrained(model)(**encoded).logits[0]
    assert scores[0] == pytest.approx(torch.softmax(logits, 0)[2].item(), abs=1e-5)


def test_order_and_label_change_score_and_identity(model: Path) -> None:
    pair = (["the goonies has richard donner as director"], ["a film"])
    plain = scorer(str(model))
    reverse = scorer(str(model), input_order=("hypothesis", "premise"))
    neutral = scorer(str(model), entailment_label="neutral")
    assert len({plain.identity, reverse.identity, neutral.identity}) == 3
    assert len({found.load()(*pair)[0] for found in (plain, reverse, neutral)}) == 3


def test_a_hypothesis_longer_than_the_limit_is_cut(model: Path) -> None:
    (score,) = scorer(str(model), max_tokens=16).load()(["paris is the capital of france " * 50], ["a film"])
    assert 0 < score < 1


def test_pickled_weights_are_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"id2label": {"0": "entailment"}}))
    with pytest.raises(ModelError, match="no weights"):
        scorer(str(tmp_path))
    (tmp_path / "pytorch_model.bin").touch()
    with pytest.raises(ModelError, match="a pickle may run code"):
        scorer(str(tmp_path))


def test_a_missing_library_names_the_extra(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = scorer(str(model))
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ModelError, match=r"benchwright\[models\]"):
        found.load()


def test_a_hub_model_that_cannot_be_fetched_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    def fail(*_: object, **__: object) -> str:
        raise OSError("offline")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", fail)
    with pytest.raises(ModelError, match=r"'some/model' is no folder here .*offline"):
        scorer("some/model")
