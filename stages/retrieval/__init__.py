"""Retrieval: which texts of a collection have most to do with a query."""
