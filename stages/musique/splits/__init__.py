"""Step 5: splits that share no hop, answer or paragraph, and the check of it."""
