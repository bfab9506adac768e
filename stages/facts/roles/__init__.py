"""The structural check beside the NLI model: who is what to whom in a sentence."""
