"""The released records of questions with lists of answers."""
