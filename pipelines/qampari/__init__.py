"""QAMPARI: questions with many answers, spread over many pages, each answer proved by a sentence."""
