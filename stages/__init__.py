"""HOW: one folder a concept, one stage a file; no dataset is named inside."""
