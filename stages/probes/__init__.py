"""Probes: how much of a multi-hop benchmark is answered by readers that cannot have taken all its steps."""
