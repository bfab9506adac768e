"""A build as a static site: pages that open from disk, and its records with the whole way back of each."""
