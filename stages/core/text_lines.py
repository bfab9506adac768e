"""Lines of text that fit a width, for pictures: nothing measures a font here, so widths are rough and generous."""

from __future__ import annotations

# Rough widths of characters, in parts of the font's size; the widest common sans-serif decides.
_NARROW, _WIDE = frozenset("iljtfrI.,:;'|!()[] "), frozenset("mwMW@%—…")


def wrap(text: str, width: float, size: float, most: int) -> list[str]:
    """At least one and at most `most` lines that fit into `width`; what is cut off ends in an ellipsis."""
    lines, line = [], ""
    for word in text.split():
        if line and text_width(f"{line} {word}", size) > width:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
        while text_width(line, size) > width:
            fits = next(n for n in range(len(line) - 1, 0, -1) if n == 1 or text_width(line[:n], size) <= width)
            lines.append(line[:fits])
            line = line[fits:]
        if len(lines) > most:
            break
    lines.append(line)
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    while last and text_width(f"{last} …", size) > width:
        last = last[:-1]
    return [*lines[: most - 1], f"{last.rstrip()} …"]


def text_width(text: str, size: float) -> float:
    """About how wide a text is drawn, in the unit of `size`; rather too wide than too narrow."""
    return size * sum(_part(character) for character in text)


def _part(character: str) -> float:
    if character in _NARROW:
        return 0.37
    if character in _WIDE or ord(character) > 0x2E7F:
        return 1.0
    return 0.72 if character.isupper() else 0.61
