"""WIQA: what a change to a described process makes more, makes less, or leaves as it is."""
