"""Questions: rendering them from queries, and cleaning."""
