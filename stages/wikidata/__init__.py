"""Wikidata: reading of its dumps, truthy statements, the class graph."""
