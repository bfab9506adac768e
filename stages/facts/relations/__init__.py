"""Relation templates: read strictly from their files, and put into words."""
