"""The corpus of passages that are all equally long."""
