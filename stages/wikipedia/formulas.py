"""Short formulas of <math> as plain text: x^2 + y^2 = r^2, α ≤ 1/2.

Whatever is not understood makes the formula unreadable (None), which leaves a hole in its sentence: a formula that has
lost a part reads as another one.
"""

from __future__ import annotations

import re

_LONGEST = 80


def _pairs(text: str) -> dict[str, str]:
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


_SYMBOLS = _pairs("""
    alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ sigma σ
    tau τ phi φ chi χ psi ψ omega ω varepsilon ε varphi φ Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Phi Φ
    Psi Ψ Omega Ω hbar ħ ell ℓ infty ∞ partial ∂ nabla ∇ times × cdot · pm ± mp ∓ div ÷ circ ° prime ′ ldots … dots …
    le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ approx ≈ sim ~ equiv ≡ to → rightarrow → in ∈ subset ⊂ cup ∪ cap ∩ emptyset ∅
    sin sin cos cos tan tan log log ln ln exp exp min min max max
""")
_SPACES = re.compile(r"\\(?:[,;:! ]|quad\b|qquad\b)|~")
_SHOWN = re.compile(r"\\(?:text|mathrm|mathbf|mathit|mathbb|mathcal|operatorname|rm|bf)\s?\{([\w .,-]{1,40})\}")
_COMMAND = re.compile(r"\\([A-Za-z]+)\s?")
_FRACTION = re.compile(r"\\[dt]?frac\s?\{([\w.°]{1,12})\}\s?\{([\w.°]{1,12})\}")
_ROOT = re.compile(r"\\sqrt\s?\{([\w.]{1,12})\}")
_SCRIPT = re.compile(r"([\^_])\s?\{\s?([\w+−°′-]{1,12})\s?\}")
_PLAIN = re.compile(r"[^\\{}&$#%\n\ufff9-\ufffc]+")
# "1/2x" and "2^n/m" would say something else than the fraction beside a letter or a power.
_LOOSE_FRACTION = re.compile(r"(?:[\w^)]\s?\\[dt]?frac)|\\[dt]?frac\s?\{[^{}]*\}\s?\{[^{}]*\}\s?[\w^_(\\]")


def plain_formula(content: str) -> str | None:
    """The formula in one line, powers after "^" and indices after "_"; None where it cannot be said so."""
    text = " ".join(content.split())
    if not text or len(text) > _LONGEST or _LOOSE_FRACTION.search(text):
        return None
    text = _SHOWN.sub(lambda found: found[1], _SPACES.sub(" ", text))
    text = _COMMAND.sub(_symbol, _ROOT.sub(r"√\1", _FRACTION.sub(r"\1/\2", text)))
    text = " ".join(_SCRIPT.sub(r"\1\2", text).split())
    return text if _PLAIN.fullmatch(text) else None


def _symbol(found: re.Match[str]) -> str:
    name = found[1]
    said = _SYMBOLS.get(name)
    if said is None:
        return found[0]
    return f"{said} " if said == name or not said.isalpha() else said
