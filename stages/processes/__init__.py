"""Descriptions of processes: paragraphs of a few sentences, each with its topic, and graphs made for them."""
