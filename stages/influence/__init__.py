"""Influence graphs over a paragraph's process, and the multiple-choice questions that follow from their paths."""
