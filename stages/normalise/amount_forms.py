"""The forms of an amount: canonical, in words, with and without its unit, as the passage writes it.

Canonical forms: number "4200000000", range "2–4", quantity "27.6 mi" and "5 ft 11 in", money
"$5000000" or "USD 5000000", share "10%", span of time "PT4H" (ISO 8601). A sign in front keeps a
hedge: ~ about, > more than, < less than, ≥ at least, ≤ at most.
"""

from __future__ import annotations

from fractions import Fraction

from stages.core.overlay import remembered
from stages.normalise import evidence
from stages.normalise.lexicon import Currency, Unit, lexicon
from stages.normalise.model import AnswerForm, AnswerPassage, Kind, Read
from stages.normalise.spelling import decimal, grouped, words
from stages.normalise.terms import PERCENT, AmountTerm


@remembered()
def number_vocabulary() -> frozenset[str]:
    """All words that numbers consist of."""
    numbers = lexicon().numbers
    spelt = [*numbers["ones"], *filter(None, numbers["tens"]), *numbers["misspelt"], *numbers["scales"]]
    return frozenset([*spelt, *numbers["more_scales"], "hundred", "and", "a"])


def kind_of(term: AmountTerm) -> Kind:
    if term.currency is not None:
        return Kind.MONEY
    if term.unit == PERCENT:
        return Kind.PERCENT
    if isinstance(term.unit, Unit):
        return Kind.DURATION if term.unit.iso else Kind.QUANTITY
    return Kind.NUMBER


def single(
    term: AmountTerm, sign: str, passage: AnswerPassage | None, rule: str = "", also: AmountTerm | None = None
) -> Read:
    """An amount of one unit; also: the same in another unit, as the text gives it."""
    kind = kind_of(term)
    if kind is Kind.NUMBER:
        return number(term, sign, passage, rule or term.number.rule)
    forms = [AnswerForm(sign + _canonical(term), rule or str(kind))]
    forms += _with_unit(term, sign, passage)
    if also is not None:
        forms.append(AnswerForm(sign + _canonical(also), "conversion_as_written"))
    # The article of "a decade" says how many decades there are, and no number that could stand alone.
    if term.number.rule != "article":
        forms.append(AnswerForm(sign + decimal(term.value), "without_unit"))
    return Read(kind, _unique(forms + _unhedged(forms, sign)))


def number(term: AmountTerm, sign: str, passage: AnswerPassage | None, rule: str) -> Read:
    value = term.value
    forms = [AnswerForm(sign + decimal(value), rule)]
    if not sign:
        forms += _written(value)
        forms += _with_passage_unit(value, passage)
    return Read(Kind.NUMBER, _unique(forms + _unhedged(forms, sign)))


def _unhedged(forms: list[AnswerForm], sign: str) -> list[AnswerForm]:
    """Who says "about 50%" accepts 50%; who says "more than 50%" does not."""
    return [AnswerForm(form.text.removeprefix(sign), "without_hedge") for form in forms] if sign == "~" else []


def _written(value: Fraction) -> list[AnswerForm]:
    pairs = ((grouped(value), "grouped_digits"), (words(value), "words"))
    return [AnswerForm(text, rule) for text, rule in pairs if text is not None]


def _with_passage_unit(value: Fraction, passage: AnswerPassage | None) -> list[AnswerForm]:
    """The number with its unit, where the passage has the number with one unit only."""
    if passage is None:
        return []
    spellings = [text for text in (decimal(value), grouped(value), words(value)) if text]
    following = {word for text in spellings for word in evidence.words_after(passage, text)}
    names = lexicon().names
    # "seven states" says nothing about the seven stars that a question asks for; a measure is rarely by chance.
    units = {names[word].key: word for word in following if word in names and not names[word].counted}
    if len(units) != 1:
        return []
    [word] = units.values()
    unit = names[word]
    if (word == unit.one) != (value == 1) or not _asked(passage.question, unit):
        return []
    return [AnswerForm(f"{decimal(value)} {word}", "unit_of_passage")]


def _asked(question: str, unit: Unit) -> bool:
    lower = question.lower()
    return not question or unit.one in lower or unit.many in lower


def compound(terms: list[AmountTerm], sign: str, passage: AnswerPassage | None) -> Read:
    """ "5 ft 11 in": as it stands, and in the smallest unit."""
    kind = kind_of(terms[0])
    if kind is Kind.DURATION:
        forms = [AnswerForm(sign + _iso(terms), "compound_duration")]
        return Read(kind, _unique(forms + _unhedged(forms, sign)))
    forms = [AnswerForm(sign + " ".join(_canonical(term) for term in terms), "compound")]
    smallest = terms[-1].unit
    total = sum((term.value * _factor(term) for term in terms), Fraction(0))
    if isinstance(smallest, Unit):
        forms.append(AnswerForm(f"{sign}{decimal(total / _factor(terms[-1]))} {smallest.key}", "compound_total"))
    return Read(kind, _unique(forms + _unhedged(forms, sign)))


def interval(low: AmountTerm, high: AmountTerm, sign: str, passage: AnswerPassage | None) -> Read:
    kind = kind_of(low)
    if kind is Kind.NUMBER or (low.unit == high.unit and kind in (Kind.QUANTITY, Kind.PERCENT)):
        ends = f"{decimal(low.value)}–{decimal(high.value)}"
        text = ends + _suffix(low)
    else:
        right = high if high.currency or high.unit else AmountTerm(high.number, high.end, low.currency)
        text = f"{_canonical(low)}–{_canonical(right)}"
    forms = [AnswerForm(sign + text, "range")]
    return Read(kind, _unique(forms + _unhedged(forms, sign)))


def _suffix(term: AmountTerm) -> str:
    if term.unit == PERCENT:
        return "%"
    return f" {term.unit.key}" if isinstance(term.unit, Unit) else ""


def _canonical(term: AmountTerm) -> str:
    if term.currency is not None:
        return _money(term.value, term.currency)
    if isinstance(term.unit, Unit) and term.unit.iso:
        return _iso([term])
    return decimal(term.value) + _suffix(term)


def _money(value: Fraction, currency: Currency) -> str:
    if not currency.leads:
        return f"{decimal(value)} {currency.written}"
    gap = " " if currency.written[-1].isalpha() else ""
    return f"{currency.written}{gap}{decimal(value)}"


def _iso(terms: list[AmountTerm]) -> str:
    """ISO 8601 duration: "T1H" in the lexicon is one hour, "10Y" ten years."""
    days, clock = "", ""
    for term in terms:
        assert isinstance(term.unit, Unit)  # noqa: S101 (kind_of has looked)
        designator = term.unit.iso or ""
        times = int(designator.strip("T")[:-1])
        part = f"{decimal(term.value * times)}{designator[-1]}"
        if designator.startswith("T"):
            clock += part
        else:
            days += part
    return f"P{days}{'T' if clock else ''}{clock}"


def _factor(term: AmountTerm) -> Fraction:
    factor = term.unit.factor if isinstance(term.unit, Unit) else None
    return factor if factor is not None else Fraction(1)


def _with_unit(term: AmountTerm, sign: str, passage: AnswerPassage | None) -> list[AnswerForm]:
    """With the unit's name, in words, and with the name that the passage has for it."""
    plural = abs(term.value) != 1
    name = _unit_name(term, plural)
    if name is None:
        return []
    forms = [AnswerForm(f"{sign}{decimal(term.value)} {name}", "unit_name")]
    if not sign and (spelt := words(term.value)):
        forms.append(AnswerForm(f"{spelt} {name}", "words"))
    if isinstance(term.unit, Unit) and (own := _name_in(passage, term.unit, term.value)):
        forms.append(AnswerForm(f"{sign}{decimal(term.value)} {own}", "unit_of_passage"))
    return forms


def _unit_name(term: AmountTerm, plural: bool) -> str | None:
    if term.unit == PERCENT:
        return "percent"
    if isinstance(term.unit, Unit):
        return term.unit.many if plural else term.unit.one
    return None


def _name_in(passage: AnswerPassage | None, unit: Unit, value: Fraction) -> str | None:
    """How the passage names the unit behind this very number."""
    if passage is None:
        return None
    for text in (decimal(value), grouped(value), words(value)):
        for word in evidence.words_after(passage, text or ""):
            found = lexicon().names.get(word) or lexicon().symbols.get(word)
            if found == unit:
                return word
    return None


def _unique(forms: list[AnswerForm]) -> tuple[AnswerForm, ...]:
    seen: dict[str, AnswerForm] = {}
    for form in forms:
        seen.setdefault(form.text, form)
    return tuple(seen.values())
