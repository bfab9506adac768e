"""A worked example: a dataset that is no part of Benchwright."""
