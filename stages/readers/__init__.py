"""Readers: what answers a question from some paragraphs, or from none, and says which of them it used."""
