"""Section 3.1: passages that tell of causes and events in the past tense."""
