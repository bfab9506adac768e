"""From statements to query answer sets: simple, intersection and composition (the paper's steps 1, 2 and 5 to 7)."""
