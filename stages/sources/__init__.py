"""Which input file holds what: told by content, never by name."""
