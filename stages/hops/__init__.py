"""Single-hop questions: read from many formats, filtered into one table (MuSiQue, step 1)."""
