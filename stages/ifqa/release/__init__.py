"""The released records of counterfactual questions, and the check that no split leaks."""
