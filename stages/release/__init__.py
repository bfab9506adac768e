"""Writing a release, as far as several datasets share it."""
