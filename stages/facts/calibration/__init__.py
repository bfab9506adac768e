"""Thresholds for an NLI model, chosen from labelled alignments."""
