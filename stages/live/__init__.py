"""Entities and pages from live services: what is fetched becomes files that the readers of dumps read."""
