"""Step 7: composed questions in words, by rules and by people."""
