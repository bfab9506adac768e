"""The paper's baselines, run on our release."""
