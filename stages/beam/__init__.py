"""The only folder that imports Beam: it moves references to tables, kernels do the work.

A job is described once, as a plan of plain steps; what small input is worth is run in this
process, everything else by Beam. Beam is imported only where one of its runners is needed.
"""
