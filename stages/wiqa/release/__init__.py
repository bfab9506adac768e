"""The released records of multiple-choice questions, and the check that no split leaks."""
