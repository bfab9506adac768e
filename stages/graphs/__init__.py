"""Graphs: how single hops are put together into questions that need all of them."""
