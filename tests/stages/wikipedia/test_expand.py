"""Templates inside sentences: each expected text is what Wikipedia shows, conversions left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.wikipedia.expand import expand


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("convert|10|km|mi", "10 km"),
        ("Convert|12000|ft|m|abbr=on", "12,000 ft"),
        ("convert|10|to|15|km|mi|0", "10 to 15 km"),
        ("convert|3|-|4|m", "3–4 m"),
        ("convert|6|ft|4|in|m", "6 ft 4 in"),
        ("convert|2|x|3|m|ft", "2 × 3 m"),
        ("cvt|1,250|lb", "1,250 lb"),
        ("circa|1500", "c. 1500"),
        ("c.|1500|1510", "c. 1500 – c. 1510"),
        ("fl.|1230", "fl. 1230"),
        ("reign|1066|1087", "r. 1066 – 1087"),
        ("lang|ru|Москва", "Москва"),
        ("lang-ru|Москва|Moskva", "Russian: Москва, romanized: Moskva"),
        ("langx|de|Wien|lit=Vienna", "German: Wien, lit. 'Vienna'"),
        ("lang-xyz|foo", "foo"),
        ("nihongo|Spirited Away|千と千尋|Sen to Chihiro", "Spirited Away (千と千尋, Sen to Chihiro)"),
        ("nihongo||東京", "東京"),
        ("birth date|1946|8|19", "August 19, 1946"),
        ("birth date and age|df=yes|1946|8|19", "19 August 1946"),
        ("death date and age|2001|1|2|1930|3|4", "January 2, 2001"),
        ("start date|1999", "1999"),
        ("start date|1999|13", "1999"),
        ("as of|2010|5", "As of May 2010"),
        ("as of|2010|lc=y", "as of 2010"),
        ("nbsp", " "),
        ("spaced ndash", " – "),
        ("ndash", "–"),
        ("frac|3|1|2", "3 1/2"),
        ("frac|2", "1/2"),
        ("val|25000|u=km", "25,000 km"),
        ("formatnum:1234567.5", "1,234,567.5"),
        ("US$|5000", "US$5,000"),
        ("HMS|Victory", "HMS Victory"),
        ("USS|Enterprise|CVN-65", "USS Enterprise (CVN-65)"),
        ("USS|Enterprise|CVN-65|6", "Enterprise"),
        ("ship|HMS|Hood|51|2", "HMS Hood"),
        ("sclass|Nimitz|aircraft carrier", "Nimitz-class aircraft carrier"),
        ("zh|s=北京|p=Běijīng", "simplified Chinese: 北京; pinyin: Běijīng"),
        ("hlist|a|b||c", "a, b, c"),
        ("sortname|Ada|Lovelace", "Ada Lovelace"),
        ("nowrap|1=x = y", "x = y"),
        ("lc:ABC", "abc"),
        ("quote|To be.|Hamlet", "\n\nTo be.\n\n"),
        ("IPA-en|ˈlʌndən", ""),
        ("IPAc-en|l|ʌ", ""),
        ("cite web|url=http://x|title=y", ""),
        ("Infobox person\n| name = X", ""),
        ("#if:x|y|z", ""),
        ("", ""),
    ],
)
def test_text_of_a_template(content: str, text: str) -> None:
    assert expand(content) == text


@given(
    st.sampled_from(
        ["convert", "lang", "zh", "birth date", "as of", "frac", "val", "ship", "nihongo", "langx", "sort"]
    ),
    st.lists(
        st.one_of(st.text(max_size=5), st.sampled_from(["1", "to", "-", "=", "a=b", "5=x", "999=y", ""])), max_size=6
    ),
)
def test_never_fails(name: str, arguments: list[str]) -> None:
    assert isinstance(expand("|".join([name, *arguments])), str)
