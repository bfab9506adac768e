"""Scorers: models that say how surely a premise states a hypothesis.

Every scorer here is called with (hypotheses, premises), two equally long lists, and
puts them in the order that its own model reads. A pair is always scored alone and
unpadded, so that a score depends on the pair and nothing else: scores are cached
across builds under (scorer identity, pair), and a cached score must equal a fresh one.
"""
