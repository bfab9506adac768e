"""Release: the records that a benchmark publishes, their files and their reader."""
