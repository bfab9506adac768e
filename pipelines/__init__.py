"""WHAT: one folder a dataset, beside the runner and the command line."""
