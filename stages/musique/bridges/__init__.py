"""Step 2: pairs of hops that one entity joins."""
