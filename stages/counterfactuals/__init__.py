"""Questions that suppose something else had happened: read, written, verified, and answered in normal forms."""
