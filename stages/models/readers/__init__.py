"""Readers: fitted to solved questions, they answer others from paragraphs."""
