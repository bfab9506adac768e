"""The only place that imports Beam."""
