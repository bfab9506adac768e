"""Splits: dividing a benchmark into train, dev and test."""
