"""Step 1: the single hops that can be used."""
