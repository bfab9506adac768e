"""A simulated crowd: plans of batches, and answers for a rehearsal."""
