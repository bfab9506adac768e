"""TRUTH: manifests, their storage, digests, verification and differences."""
