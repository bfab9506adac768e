"""Steps 6 and 8: the paragraphs a question is shown with, and contrasts without an answer."""
