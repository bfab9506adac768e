"""Plots of profiles as SVG, the same bytes for the same numbers.

matplotlib comes with the extra `plots`.
"""

from __future__ import annotations

import importlib
import io
from collections import Counter
from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from stages.core.contract import StageError

if TYPE_CHECKING:
    from stages.ifqa.profile import Profile

# Colours that are told apart by people who see few, and in grey.
COLOURS = ("#0b6e99", "#e08e0b", "#5b8c2a", "#a23b72", "#6b7280")
_INK, _PALE = "#1f2933", "#d5dae1"
_SETTINGS = {
    # Texts stay texts: shapes of letters would depend on the fonts of the machine.
    "svg.fonttype": "none",
    "svg.hashsalt": "benchwright",
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.edgecolor": _PALE,
    "axes.labelcolor": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
}
_TAIL = 0.995
_LARGEST = 12


def draw(profiles: Mapping[str, Profile]) -> dict[str, bytes]:
    """File name to SVG document: kinds, asked, question-words, answer-words, answers.

    profiles: by the name of the part; "all" is left out beside others.

    Raises StageError: matplotlib is not installed.
    """
    pyplot = _pyplot()
    parts = {name: part for name, part in profiles.items() if name != "all" or len(profiles) == 1}
    with pyplot.rc_context(_SETTINGS):
        return {
            "kinds.svg": _bars(pyplot, parts, "kinds", "Kinds of first answers", "share of questions, %"),
            "asked.svg": _bars(pyplot, parts, "asked", "Words that ask", "share of questions, %"),
            "question-words.svg": _histogram(pyplot, parts, "question_words.counts", "Length of questions", "words"),
            "answer-words.svg": _histogram(pyplot, parts, "answer_words.counts", "Length of answers", "words"),
            "answers.svg": _histogram(pyplot, parts, "answer_counts", "Answers per question", "answers"),
        }


def _pyplot() -> Any:
    try:
        matplotlib = importlib.import_module("matplotlib")
        # Without a display, and whatever the user's settings say.
        matplotlib.use("svg")
        return importlib.import_module("matplotlib.pyplot")
    except ImportError as error:
        raise StageError(
            f"matplotlib is not installed ({error}); plots need: pip install 'benchwright[plots]'"
        ) from error


def _bars(pyplot: Any, parts: Mapping[str, Profile], field: str, title: str, unit: str) -> bytes:
    """Horizontal bars, one per name and part, the commonest name on top."""
    total: Counter[str] = Counter()
    for profile in parts.values():
        total.update(getattr(profile, field))
    names = [name for name, _ in sorted(total.items(), key=lambda item: (-item[1], item[0]))][:_LARGEST]
    thick = 0.8 / len(parts)
    figure, axes = pyplot.subplots(figsize=(6.4, 0.9 + len(names) * max(0.32, 0.2 * len(parts))))
    for number, (name, profile) in enumerate(parts.items()):
        counts = getattr(profile, field)
        shares = [100 * counts.get(key, 0) / profile.questions for key in names]
        places = [place + (number - (len(parts) - 1) / 2) * thick for place in range(len(names))]
        drawn = axes.barh(places, shares, thick * 0.92, label=name, color=COLOURS[number % len(COLOURS)])
        axes.bar_label(drawn, [f"{share:.1f}" for share in shares], padding=3, fontsize=8)
    axes.set_yticks(range(len(names)), [name.replace("_", " ") for name in names])
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    axes.margins(x=0.12)
    axes.set_xlabel(unit)
    return _finish(pyplot, figure, axes, title, len(parts))


def _histogram(pyplot: Any, parts: Mapping[str, Profile], field: str, title: str, unit: str) -> bytes:
    """Shares by number as bars side by side; the longest half percent share the last bar."""
    counts_of = attrgetter(field)
    end = max(_cut(counts_of(profile)) for profile in parts.values())
    start = min(min(counts_of(profile), default=0) for profile in parts.values())
    places = range(start, end + 1)
    thick = 0.84 / len(parts)
    figure, axes = pyplot.subplots(figsize=(6.4, 3.2))
    for number, (name, profile) in enumerate(parts.items()):
        shares = _shares(counts_of(profile), places)
        middles = [place + (number - (len(parts) - 1) / 2) * thick for place in places]
        axes.bar(middles, shares, thick, label=name, color=COLOURS[number % len(COLOURS)])
    last = any(place > end for profile in parts.values() for place in counts_of(profile))
    step = max(1, -(-len(places) // 12))
    ticks = [*range(start, end + 1 - (step if last else 0), step), *([end] if last else [])]
    axes.set_xticks(ticks, [f"{tick}+" if last and tick == end else str(tick) for tick in ticks])
    axes.set_xlabel(unit)
    axes.set_ylabel("share, %")
    return _finish(pyplot, figure, axes, title, len(parts))


def _cut(counts: Mapping[int, int]) -> int:
    """The length that all but the longest half percent keep within."""
    left = _TAIL * sum(counts.values())
    for place, count in sorted(counts.items()):
        left -= count
        if left <= 0:
            return place
    return 0


def _shares(counts: Mapping[int, int], places: Iterable[int]) -> list[float]:
    """Percent at each place, with what is beyond the last one added to it."""
    listed, total = list(places), max(sum(counts.values()), 1)
    found = [counts.get(place, 0) for place in listed]
    found[-1] += sum(count for place, count in counts.items() if place > listed[-1])
    return [100 * count / total for count in found]


def _finish(pyplot: Any, figure: Any, axes: Any, title: str, parts: int) -> bytes:
    axes.set_title(title, loc="left", fontsize=12, fontweight="bold", pad=10)
    if parts > 1:
        axes.legend(frameon=False, fontsize=9)
    figure.tight_layout()
    written = io.BytesIO()
    figure.savefig(written, format="svg", metadata={"Date": None, "Creator": "benchwright"})
    pyplot.close(figure)
    return written.getvalue()
