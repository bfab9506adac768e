"""Writes a tiny language model with random weights, over single bytes, to a folder; run by the tools' Python."""

from __future__ import annotations

import sys

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

END = "<end>"
letters = sorted(pre_tokenizers.ByteLevel.alphabet())
made = Tokenizer(models.BPE({letter: number for number, letter in enumerate([*letters, END])}, []))
made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
PreTrainedTokenizerFast(tokenizer_object=made, eos_token=END, bos_token=END, pad_token=END).save_pretrained(sys.argv[1])
torch.manual_seed(0)
end = len(letters)
shape = {"n_positions": 1024, "n_embd": 16, "n_layer": 1, "n_head": 2}
GPT2LMHeadModel(GPT2Config(vocab_size=end + 1, bos_token_id=end, eos_token_id=end, **shape)).save_pretrained(
    sys.argv[1]
)
