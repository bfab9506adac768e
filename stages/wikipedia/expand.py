"""What a template says in running text, for those that stand inside sentences.

Some say nothing that a sentence needs (`silent_templates`); every other one leaves the mark of a hole, and so does an
argument that changes what is said and is not understood. Names are compared in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from stages.wikipedia.country_codes import COUNTRY_NAMES
from stages.wikipedia.expand_values import (
    age,
    as_of,
    convert,
    currency,
    date,
    exponent,
    fraction,
    grouped,
    number_with_unit,
    ordinal,
    power,
    season,
)
from stages.wikipedia.formulas import plain_formula
from stages.wikipedia.holes import NOTHING, hole, raised
from stages.wikipedia.language_names import LANGUAGE_NAMES
from stages.wikipedia.silent_templates import is_silent
from stages.wikipedia.template_names import (
    ACCIDENTALS,
    CONSTANTS,
    CURRENCIES,
    DATES,
    FIRST,
    FIRST_PHRASES,
    FLAGS,
    SECOND,
    SHIPS,
    WORD_BEFORE,
)

Named = dict[str, str]
# None: an argument that changes what is said is not understood.
Handler = Callable[[list[str], Named], str | None]

_KEY = re.compile(r"[\w .-]{1,40}")
_MOST_NAME = 60


def expand(content: str) -> str:
    """The text of a template; content is what stands between its braces, inner brackets resolved."""
    head, *arguments = content.split("|")
    written = " ".join(head.replace("_", " ").split())
    name = written.lower().removeprefix("template:")
    said = _function(written) if ":" in name else _template(name, written, arguments)
    return said if said is not None else NOTHING if is_silent(name[:_MOST_NAME]) else hole(name)


def _template(name: str, written: str, arguments: list[str]) -> str | None:
    if handler := _HANDLERS.get(name) or _by_prefix(name):
        return handler(*_arguments(arguments))
    return CONSTANTS.get(name, COUNTRY_NAMES.get(written))


def _arguments(arguments: list[str]) -> tuple[list[str], Named]:
    """Positional arguments in order, and named ones."""
    positional: dict[int, str] = {}
    named: Named = {}
    count = 0
    for argument in arguments:
        if (pair := _key_and_value(argument)) is not None:
            key, value = pair
            if key.isdecimal() and 0 < int(key) < 50:
                positional[int(key)] = value
            else:
                named[key.lower()] = value
        else:
            count += 1
            positional[count] = argument.strip()
    return [positional.get(index, "") for index in range(1, max(positional, default=0) + 1)], named


def _key_and_value(argument: str) -> tuple[str, str] | None:
    """Both sides of a named argument; None for a positional one, which may hold "=" after what is no key."""
    head, equals, value = argument.partition("=")
    key = head.strip()
    named = bool(equals) and (_KEY.fullmatch(key) is not None if key else " " in head)
    return (key, value.strip()) if named else None


def _function(head: str) -> str | None:
    name, _, argument = head.partition(":")
    match name.strip().lower():
        case "lc" | "lcfirst":
            return argument.lower()
        case "uc":
            return argument.upper()
        case "ucfirst":
            return argument[:1].upper() + argument[1:]
        case "formatnum":
            return grouped(argument.strip())
        case "defaultsort" | "displaytitle" | "#tag":
            return NOTHING
    return None


def _at(index: int) -> Handler:
    """The argument of a place, by its number or by the name that some pages give it."""
    return lambda args, named: args[index] if index < len(args) else named.get("text", "")


def _country(args: list[str], named: Named) -> str:
    return COUNTRY_NAMES.get(said := _at(0)(args, named) or "", said)


def _last(args: list[str], _: Named) -> str:
    return args[-1] if args else ""


def _before(symbol: str) -> Handler:
    return lambda args, _: f"{symbol}{grouped(args[0])}" if args and args[0] else symbol


def _list(args: list[str], _: Named) -> str:
    return ", ".join(arg for arg in args if arg)


def _quote(args: list[str], named: Named) -> str:
    text = named.get("text") or named.get("quote") or (args[0] if args else "")
    return f"\n\n{text}\n\n"


def _block(args: list[str], named: Named) -> str:
    longest = max([*args, named.get("content", "")], key=len, default="")
    return f"\n{longest}\n"


def _circa(word: str) -> Handler:
    """Before each of two years, or alone before one that follows the template."""
    return lambda args, _: " – ".join(f"{word} {arg}" for arg in args[:2] if arg) or word


def _reign(args: list[str], _: Named) -> str:
    return f"r. {' – '.join(arg for arg in args[:2] if arg)}".strip()


def _word_before(word: str, close: str = "") -> Handler:
    return lambda args, named: f"{word}{said}{close}" if (said := args[0] if args else named.get("text", "")) else None


def _other_language(args: list[str], named: Named) -> str:
    return named.get("lt") or (args[0] if args else "")


def _link_of(args: list[str], _: Named) -> str:
    return args[1] if len(args) > 1 and args[1] else args[0] if args else ""


def _formula(args: list[str], _: Named) -> str:
    return "".join(raised(arg) if re.fullmatch(r"\d?[+-]", arg) else arg for arg in args)


def _music(args: list[str], _: Named) -> str | None:
    return ACCIDENTALS.get(args[0].lower()) if len(args) == 1 else None


def _nuclide(args: list[str], _: Named) -> str | None:
    return f"{args[0]}-{args[1]}" if len(args) > 1 and args[1].isdecimal() else None


def _math(args: list[str], named: Named) -> str | None:
    """What stands in {{math}} is wikitext already; a "=" in it has made it a named argument."""
    return args[0] if len(args) == 1 and not named else None


def _tex(args: list[str], named: Named) -> str | None:
    return plain_formula(args[0]) if len(args) == 1 and not named else None


def _titled(args: list[str], named: Named) -> str | None:
    return named.get("title") or None


def _raised(args: list[str], _: Named) -> str:
    said = args[0] if args else ""
    return raised(said) if re.fullmatch(r"[+−–-]?\d{1,4}|\d?[+−–-]|n", said) else said


def _transliteration(args: list[str], named: Named) -> str:
    """{{transl|ja|tokyo}}, or with the system's name between."""
    return _last(args[1:3], named) or named.get("text", "")


def _authors(args: list[str], _: Named) -> str | None:
    """{{harvtxt|Smith|Jones|1990}}: who wrote what the sentence speaks of."""
    *names, year = args or [""]
    return f"{' & '.join(names)} ({year})" if names and year[:4].isdecimal() else None


def _nihongo3(args: list[str], _: Named) -> str:
    romaji, *rest = (*args, "", "", "")[:3]
    notes = ", ".join(part for part in rest if part)
    return f"{romaji} ({notes})" if notes else romaji


def _language(code: str, args: list[str], named: Named) -> str:
    text = args[0] if args else named.get("text", "")
    if not text:
        return ""
    parts = [f"{name}: {text}" if (name := LANGUAGE_NAMES.get(code)) and named.get("label") != "none" else text]
    if roman := (args[1] if len(args) > 1 else named.get("translit", "")):
        parts.append(f"romanized: {roman}")
    if meaning := (args[2] if len(args) > 2 else named.get("lit", "")):
        parts.append(f"lit. '{meaning}'")
    return ", ".join(parts)


def _langx(args: list[str], named: Named) -> str:
    return _language(args[0].split("-")[0].lower(), args[1:], named) if args else ""


_CHINESE = (("c", "Chinese"), ("s", "simplified Chinese"), ("t", "traditional Chinese"), ("p", "pinyin"))
_CHINESE_MORE = (("w", "Wade–Giles"), ("j", "Jyutping"), ("poj", "Pe̍h-ōe-jī"), ("l", "lit."))


def _chinese(args: list[str], named: Named) -> str:
    return _at(0)(args, named) or "; ".join(
        f"{label}: {named[key]}" for key, label in (*_CHINESE, *_CHINESE_MORE) if named.get(key)
    )


def _nihongo(args: list[str], named: Named) -> str:
    english, rest = (args[0] if args else ""), [*args[1:], "", ""]
    notes = ", ".join(part for part in [*rest[:2], named.get("extra", rest[2] if len(rest) > 2 else "")] if part)
    if not english:
        return notes
    return f"{english} ({notes})" if notes else english


def _sorted_name(args: list[str], _: Named) -> str:
    return " ".join(arg for arg in args[:2] if arg)


def _sort(args: list[str], _: Named) -> str:
    return args[1] if len(args) > 1 else _last(args, _)


def _ship(prefix: str) -> Handler:
    def handler(args: list[str], _: Named) -> str:
        name, hull, style = (*args, "", "", "")[:3]
        if style in ("5", "6"):
            return name
        return f"{prefix} {name}" + (f" ({hull})" if hull and style != "2" else "")

    return handler


def _any_ship(args: list[str], named: Named) -> str:
    return (_ship(args[0])(args[1:], named) or "").strip() if args else ""


def _ship_class(args: list[str], _: Named) -> str:
    return f"{args[0]}-class {args[1] if len(args) > 1 else ''}".strip() if args else ""


def _linked_text(args: list[str], _: Named) -> str:
    return "".join(args)


_HANDLERS: dict[str, Handler] = {
    **dict.fromkeys((*FIRST, *FIRST_PHRASES), _at(0)),
    **dict.fromkeys(FLAGS, _country),
    **{name: _word_before(*words) for words, names in WORD_BEFORE.items() for name in names},
    **dict.fromkeys(("ill", "interlanguage link", "interlanguage link multi"), _other_language),
    **dict.fromkeys(("w", "wp", "url", "srlink"), _link_of),
    **dict.fromkeys(("chem", "chem2"), _formula),
    **dict.fromkeys(("sup", "superscript"), _raised),
    **dict.fromkeys(("e", "x10^", "10^"), exponent),
    **dict.fromkeys(("age", "age in years", "aged"), age),
    **dict.fromkeys(("nfly", "mlby", "by", "cfby", "fby", "mlsy", "wnbay"), season(1)),
    **dict.fromkeys(("nhly", "nbay", "scy", "fb season"), season(2)),
    **dict.fromkeys(("cfb link", "cbb link", "nhl season link", "cwb link", "afl link"), _titled),
    **dict.fromkeys(("simplenuclide", "simplenuclide2", "isotope"), _nuclide),
    **dict.fromkeys(("nihongo3", "nihongo krt"), _nihongo3),
    **dict.fromkeys(("transl", "transliteration", "tlit"), _transliteration),
    **dict.fromkeys(("harvtxt", "harvcoltxt"), _authors),
    "math": _math,
    "tmath": _tex,
    "currency": currency,
    "pow": power,
    "ordinal": ordinal,
    "ord": ordinal,
    "music": _music,
    **dict.fromkeys(SECOND, _at(1)),
    **dict.fromkeys(("convert", "cvt"), convert),
    **dict.fromkeys(("circa", "c.", "ca.", "ca", "circ"), _circa("c.")),
    **dict.fromkeys(("floruit", "fl.", "fl"), _circa("fl.")),
    **dict.fromkeys(("reign", "r."), _reign),
    **dict.fromkeys(DATES, date),
    **dict.fromkeys(("frac", "fraction", "sfrac"), fraction),
    **dict.fromkeys(("quote", "blockquote", "cquote", "quotation", "bq", "poemquote"), _quote),
    **dict.fromkeys(("columns-list", "column list", "plainlist", "flat list", "columns"), _block),
    **dict.fromkeys(("hlist", "ubl", "unbulleted list", "flatlist", "cslist"), _list),
    **dict.fromkeys(("zh", "zh-full", "lang-zh"), _chinese),
    **dict.fromkeys(("nihongo", "nihongo4", "nihongo foot"), _nihongo),
    **dict.fromkeys(("nihongo2", "jp"), _at(0)),
    **dict.fromkeys(("sortname",), _sorted_name),
    **dict.fromkeys(("sort",), _sort),
    **dict.fromkeys(("ship",), _any_ship),
    **dict.fromkeys(("sclass", "sclass2", "sclass-"), _ship_class),
    **dict.fromkeys(("linktext", "linktexts"), _linked_text),
    **{name.lower(): _ship(name) for name in SHIPS},
    **{name: _before(symbol) for symbol, names in CURRENCIES.items() for name in names},
    "as of": as_of,
    "asof": as_of,
    "val": number_with_unit,
    "langx": _langx,
}


def _by_prefix(name: str) -> Handler | None:
    if name.startswith("script/"):
        return _at(0)
    if name.startswith("lang-"):
        code = name.removeprefix("lang-").split("-")[0]
        return lambda args, named: _language(code, args, named)
    return None
