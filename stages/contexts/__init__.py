"""Contexts: the paragraphs that are shown with a question."""
