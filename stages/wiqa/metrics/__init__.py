"""Accuracy by type, hops and label, and consistency."""
