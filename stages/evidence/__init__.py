"""Evidence for facts: sentences that mention both ends, judged by a model (paper, steps 3 and 4).

A round runs triples -> subjects -> requests -> candidates -> score -> validate -> best.
It is instantiated once for simple facts and once more, with a suffix, for the second
hop of compositions.
"""
