"""Metrics: scoring predictions and retrieved passages against a release."""
