"""People in the loop: tasks for them, their answers, how far each is trusted, and what they agree on."""
