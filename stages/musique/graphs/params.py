"""What limits the graphs: caps, lengths, and how many of each shape are wanted."""

from __future__ import annotations

from dataclasses import dataclass

from stages.core.contract import StageError
from stages.musique.graphs.shapes import SHAPES


@dataclass(frozen=True)
class ReasoningGraphParams:
    """The released benchmark's caps and sizes by default.

    seed: of every choice.
    max_per_entity: questions that one bridge entity may be in; max_per_hop: those that one single hop may be in.
    max_share: of the questions of one shape, the largest share that may have one last hop, template, bridge entity,
        page or final answer; share_floor: how many may however few there are.
    hop_tokens: most words of a single hop; short_tokens, long_tokens: of all hops of a question with two or three
        hops, and with four. Null for no limit. The metrics count what is over `report_*` whether or not it is kept.
    hop2, hop3_1, ..., hop4_3: the most questions of each shape.
    oversample: candidates that are drawn per question wanted, and per place of a bridge entity.
    fan: ways in which one graph is extended by the next hop, of all that there are.
    partials: the most graphs of one shape that are extended.
    """

    seed: int = 0
    max_per_entity: int = 25
    max_per_hop: int = 100
    max_share: float = 0.05
    share_floor: int = 3
    hop_tokens: int | None = None
    short_tokens: int | None = None
    long_tokens: int | None = None
    report_hop_tokens: int = 10
    report_short_tokens: int = 15
    report_long_tokens: int = 20
    hop2: int = 16_899
    hop3_1: int = 4_417
    hop3_2: int = 1_493
    hop4_1: int = 1_218
    hop4_2: int = 317
    hop4_3: int = 470
    oversample: int = 8
    fan: int = 4
    partials: int = 300_000

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            if name == "max_share":
                if not 0 <= value <= 1:
                    raise StageError(f"max_share: expected a share from 0 to 1, got {value!r}")
                continue
            if value is not None and not isinstance(value, int):
                raise StageError(f"{name}: expected a whole number, got {value!r}")
            least = 0 if name == "seed" or name.startswith("hop") else 1
            if value is not None and name != "seed" and value < least:
                raise StageError(f"{name}: expected {least} or more, got {value}")

    @property
    def targets(self) -> dict[str, int]:
        """Questions wanted per shape."""
        wanted = (self.hop2, self.hop3_1, self.hop3_2, self.hop4_1, self.hop4_2, self.hop4_3)
        return dict(zip((shape.name for shape in SHAPES), wanted, strict=True))

    def most_tokens(self, level: int) -> int | None:
        """The limit for a question with so many hops."""
        return self.long_tokens if level > 3 else self.short_tokens

    def report_tokens(self, level: int) -> int:
        return self.report_long_tokens if level > 3 else self.report_short_tokens
