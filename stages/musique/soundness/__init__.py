"""Step 1: which single hops are sound: true, clear and of one answer."""
