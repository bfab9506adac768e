"""Packages of others that build on this one, as worked examples."""
