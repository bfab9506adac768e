"""Scores of lists of answers, and of the passages that hold them."""
