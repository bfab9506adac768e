"""People in the loop: tasks, replies, votes, verdicts, texts."""
