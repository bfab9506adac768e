"""What people's work on a dataset looks like."""
