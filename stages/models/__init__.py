"""Models behind small interfaces: scorers of pairs, readers, BM25, spaCy's."""
