"""Scorers of sentence pairs: by ONNX Runtime, or by any Hugging Face classifier."""
