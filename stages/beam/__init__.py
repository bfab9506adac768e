"""The only folder that imports Beam: it moves references to tables, kernels do the work."""
