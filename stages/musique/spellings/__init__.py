"""When two texts mean one answer: words, names, values."""
