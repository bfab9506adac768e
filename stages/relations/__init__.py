"""Relation templates: how each Wikidata property is asked about and stated in English."""
