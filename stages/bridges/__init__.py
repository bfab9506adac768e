"""Pairs of single-hop questions that a bridge entity joins (MuSiQue, step 2)."""
