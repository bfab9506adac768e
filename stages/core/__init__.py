"""What every room may use: the contract of a stage, rejects, shards, spills, SQL, seeds, columns, words."""
