"""Files of any kind as sources: compression, lines, JSON, byte ranges, and which file holds what."""
