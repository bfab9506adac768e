"""QAMPARI: a file for each step, named as the paper names it."""
