"""MuSiQue: a folder for each step, named as the paper names it."""
