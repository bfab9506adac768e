"""Composition: one question out of the single hops of a graph, by rules and by people."""
