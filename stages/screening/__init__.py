"""Finds passages that tell of events, their causes and what was once planned, for people to write about."""
