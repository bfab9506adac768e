"""Is a step of a chain needed? Heads that are known without reading and tails that do without their bridge go."""
