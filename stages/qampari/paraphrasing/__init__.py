"""Step 12: people reword questions."""
