"""The released records of composed questions."""
