"""Simple answerers to hold a benchmark against: without learning, with boosted stumps, with a fine-tuned encoder."""
