"""HOW, in rooms: core, readers of sources, shared steps, and a room for every dataset; one step a file."""
