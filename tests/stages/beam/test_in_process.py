"""A plan in this process: every step sees every group once, and nothing is taken before all of it is there."""

from __future__ import annotations

from stages.beam.in_process import run
from stages.beam.plan import Plan


class Count:
    """Passes on how many values each group had."""

    def __init__(self, take: str, send: str) -> None:
        self.takes, self.send = (take,), send
        self.seen: list[tuple] = []

    def process(self, key, values):
        values = list(values)
        self.seen.append((key, values))
        yield (self.send, 0), len(values)


def test_groups_are_whole_before_a_step_takes_them() -> None:
    first, second, third = Count("a", "b"), Count("b", "c"), Count("c", "d")
    run(Plan("s", (("a", 0), ("b", 0), ("a", 1), ("c", 5)), (first, second, third)))
    assert first.seen == [(("a", 0), [None]), (("a", 1), [None])]
    # The element that the job started with waited for those that the step before sent.
    assert second.seen == [(("b", 0), [1, None, 1])]
    assert third.seen == [(("c", 0), [3]), (("c", 5), [None])]
