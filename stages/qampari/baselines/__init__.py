"""What answers or searches without being built for it: the paper's baselines."""
