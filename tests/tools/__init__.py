"""Tools that only the tests and the developers run."""
