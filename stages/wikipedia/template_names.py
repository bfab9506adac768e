"""Names (lower case, but for ships) of the templates that `expand` knows, by what they show."""

from __future__ import annotations


def _names(text: str) -> list[str]:
    return text.split()


# Templates that always show the same characters.
CONSTANTS = {
    **dict.fromkeys(("nbsp", "space", "thinsp", "thin space", "hair space", "hairsp", "sp", "zwsp", "spaces"), " "),
    **dict.fromkeys(("ndash", "en dash", "endash", "nsndns"), "–"),
    **dict.fromkeys(("mdash", "em dash", "emdash", "mdashb"), "—"),
    **dict.fromkeys(("spaced ndash", "snd", "spnd", "sndash", "snds", "spndash", "dash", "spaced en dash"), " – "),
    **dict.fromkeys(("spaced mdash", "spmd", "spaced em dash"), " — "),
    **dict.fromkeys(("·", "•", "middot", "dot", "bull", "bullet", "dotsep"), " · "),
    **dict.fromkeys(("ellipsis", "..."), "…"),
    **{"'": "'", "'s": "'s", "' \"": "' \"", "\" '": "\" '", "'\"": "'\"", "\"'": "\"'", "!": "|", "=": "="},
    **{
        "shy": "",
        "dagger": "†",
        "minus": "−",
        "times": "×",
        "pm": "±",
        "sharp": "♯",
        "flat": "♭",
        "number sign": "#",
        "rarr": "→",
        "larr": "←",
    },
}

# Templates that show their first argument.
FIRST = _names(
    "nobold center nastaliq grc start-date end-date gapnum unicode iast midsize "
    "nowrap nobr small smaller big larger large em strong abbr tooltip sic noitalic normal mvar var keypress "
    "mono code tt smallcaps sc underline overline sub vanchor angbr nts num noprint "
    "nocaps bdi"
)
# Those whose first argument is a country, by its name or its code.
FLAGS = _names("flag flagcountry flagu flagg country fb fb-rt")
FIRST_PHRASES = (
    "visible anchor",
    "not a typo",
    "proper name",
    "no italic",
    "no bold",
    "as written",
    "railgauge",
    "rail gauge",
    "track gauge",
    "birth-date",
    "death-date",
    "birth-date and age",
    "death-date and age",
)
SECOND = (*("resize", "script", "rtl-lang", "lang", "wikt-lang", "color", "colour", "font color", "native name"),)
SHIPS = _names("HMS USS SS RMS MS MV HMAS HMCS HMNZS USNS USCGC SMS INS RMV MSC HNLMS HNoMS HDMS HSwMS ORP TSS PS GTS")
DATES = (
    "birth date",
    "birthdate",
    "deathdate",
    "dod",
    "date",
    "birth date and age",
    "bda",
    "dob",
    "death date",
    "death date and age",
    "dda",
    "start date",
    "start date and age",
    "end date",
    "end date and age",
    "release date",
    "release date and age",
    "film date",
    "launch date",
    "birth year and age",
    "death year and age",
    "birth year",
    "dts",
    "date table sorting",
)
# Templates that show a word and then their first argument, and what closes it.
WORD_BEFORE = {
    ("née ", ""): ("née", "nee"),
    ("né ", ""): ("né",),
    ("lit. '", "'"): ("lit", "lit.", "literal", "literally", "literal translation"),
    ("'", "'"): ("gloss", "translation", "trans"),
    ("b. ", ""): ("b.",),
    ("d. ", ""): ("d.",),
    ("ISBN ", ""): ("isbn",),
    ("ISSN ", ""): ("issn",),
    ("OCLC ", ""): ("oclc",),
    ("√", ""): ("sqrt", "radic"),
}
ACCIDENTALS = {"flat": "♭", "b": "♭", "sharp": "♯", "#": "♯", "natural": "♮"}
CURRENCIES = {
    "US$": ("us$", "usd", "us dollar"),
    "£": ("gbp", "£", "pound sterling"),
    "€": ("eur", "euro", "€"),
    "₹": ("inr", "indian rupee", "₹", "rupee"),
    "¥": ("jpy", "yen", "¥", "jp¥"),
    "A$": ("a$", "aud"),
    "C$": ("c$", "cad", "ca$"),
}
