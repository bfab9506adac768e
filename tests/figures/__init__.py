"""Figures that the datasets' READMEs state, computed anew: `make figures`."""
