"""Templates inside sentences: each expected text is what Wikipedia shows, conversions left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.wikipedia.expand import expand
from tests.stages.wikipedia.marks import seen


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
        ("circa", "c."),
        ("ill|Emil Nolde|de|Emil Nolde (Maler)|lt=Nolde", "Nolde"),
        ("ill|Emil Nolde|de", "Emil Nolde"),
        ("w|Potato|spud", "spud"),
        ("w|Potato", "Potato"),
        ("née|Kasner", "née Kasner"),
        ("lit|Green Hill", "lit. 'Green Hill'"),
        ("chem|H|2|O", "H2O"),
        ("chem|SO|4|2-", "SO4^2-›"),
        ("e|24", "×10^24"),
        ("sup|24", "^24›"),
        ("val|6.2415093|e=18", "6.2415093×10^18"),
        ("val|879.6|0.8|u=s", "879.6±0.8 s"),
        ("val|12|-|15|u=km", "12–15 km"),
        ("val|1.5|0.1|e=6|u=m", "(1.5±0.1)×10^6 m"),
        ("val|1.23|+0.4|-0.5", "1.23 (+0.4, −0.5)"),
        ("val|9|ul=m|end=x", "‹val›"),
        ("convert|98|F", "98 °F"),
        ("convert|5+1/2|in|mm", "5 1/2 in"),
        ("convert|~5|km", "about 5 km"),
        ("convert|2e6|km", "2×10^6 km"),
        ("convert|87|e6acre|e3km2", "87 million acres"),
        ("convert|7|e5km2", "‹convert›"),
        ("harvtxt|Smith|Jones|1990", "Smith & Jones (1990)"),
        ("convert|5|km|disp=out", "‹convert›"),
        ("convert|several|km", "‹convert›"),
        ("convert|±5|km", "‹convert›"),
        ("USA", "United States"),
        ("FRO", "Faroe Islands"),
        ("usa", "‹usa›"),
        ("age|1980|5|2|2000|5|1", "19"),
        ("age|1980|5|2", "‹age›"),
        ("inflation|US|9|1919", "‹inflation›"),
        ("currency|13 billion|USD", "USD 13 billion"),
        ("ordinal|112", "112th"),
        ("ordinal|23", "23rd"),
        ("mlby|1999", "1999"),
        ("nbay|2004", "2004–05"),
        ("nbay|2004|end", "‹nbay›"),
        ("cfb link|year=1990|team=Alabama|title=1990 season", "1990 season"),
        ("lang|fr|text=Lutèce", "Lutèce"),
        ("transl|ja|Hepburn|Tōkyō", "Tōkyō"),
        ("nihongo3|Sen|千|Spirited Away", "Sen (千, Spirited Away)"),
        ("music|flat", "♭"),
        ("simplenuclide2|lithium|7", "lithium-7"),
        ("birthdate|1946|8|19", "August 19, 1946"),
        ("Citation needed|date=May 2017", ""),
        ("sfn|Smith|1990", ""),
        ("Some new template|x", "‹some new template›"),
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
        ("IPA-en|ˈlʌndən", "‹ipa-en›"),
        ("IPAc-en|l|ʌ", "‹ipac-en›"),
        ("cite web|url=http://x|title=y", ""),
        ("Infobox person\n| name = X", ""),
        ("#if:x|y|z", "‹#if:x›"),
        ("", "‹?›"),
    ],
)
def test_text_of_a_template(content: str, text: str) -> None:
    assert seen(expand(content)) == text


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
