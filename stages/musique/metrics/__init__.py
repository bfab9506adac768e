"""Scores of composed questions: answers, supporting paragraphs, sufficiency."""
