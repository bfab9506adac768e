"""Scoring of predictions, as far as several datasets share it."""
