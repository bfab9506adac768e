"""Step 11: people judge answers, wrong ones planted among them, until each split has its questions."""
