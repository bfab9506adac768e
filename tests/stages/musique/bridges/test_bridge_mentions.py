from __future__ import annotations

import hashlib
from collections import Counter
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.models.readers.interface import MASK
from stages.musique.bridges import bridge_mentions
from stages.musique.bridges import known_names as known
from stages.musique.bridges.bridge_mentions import MentionParams
from stages.musique.bridges.tables import KNOWN_NAMES
from stages.musique.hop_sources.parse import parse
from stages.musique.hop_sources.source import HopFiles
from stages.musique.single_hops.hop_filter import FilterParams, filter_hops, paragraphs
from stages.musique.single_hops.stated import SingleHopParams, digest
from tests.stages.musique.bridges.world import TYPES, build
from tests.stages.musique.single_hops.pool import by_question, single_hops, stated


def test_a_corpus_knows_longer_names() -> None:
    hops = single_hops(
        stated("Ex >> city", "Liverpool", "Ex is in Liverpool .", "Ex"),
        stated("when did liverpool echo begin", "1879", "The paper began in 1879 .", "Paper"),
        stated("Who reads it?", "readers", "The readers read it .", "Liverpool Echo"),
    )
    assert build(hops, TYPES).reasons == {"inside_longer_name": 1}


def test_caps_come_before_the_product_and_are_chosen_by_the_seed() -> None:
    heads = [stated(f"Ex{n} >> city", "Liverpool", f"Ex{n} is in Liverpool .", f"Ex{n}") for n in range(9)]
    tails = [
        stated(f"Which thing{n} is in Liverpool?", f"one{n}", f"In Liverpool is one{n} .", f"T{n}") for n in range(7)
    ]
    hops = single_hops(*heads, *tails)
    ids = by_question(hops)
    for seed in (0, 1):
        built = build(hops, TYPES, mention=MentionParams(max_heads=4, max_tails=3, seed=seed))

        def fewest(items: list[str], limit: int, seed: int = seed) -> set[str]:
            return set(sorted(items, key=partial(digest, str(seed)))[:limit])

        chosen_heads = fewest([hop for question, hop in ids.items() if ">>" in question], 4)
        chosen_tails = fewest([hop for question, hop in ids.items() if ">>" not in question], 3)
        found = {(row["head"], row["tail"]) for row in built.rows("bridges")}
        assert found == set(product(chosen_heads, chosen_tails))
        assert built.reasons == {"hot_bridge_head": 5, "hot_bridge_tail": 4}
        assert built.outputs["mentions"].metrics["naive_pairs"] == 63
    with pytest.raises(StageError, match="max_tails: expected 1 or more, got 0"):
        MentionParams(max_tails=0)


HEAD = ("Ex >> county", "York", "Ex is in York .", "Ex")


def found_in(question: str, text: str = "It says nothing .", *known_names: str) -> tuple[list[str], dict[str, int]]:
    """(mentions of York in a question, spelt as there; rejects by reason)."""
    known_rows = [{"name": name, "target": name, "kind": "title", "about": ""} for name in known_names]
    output = bridge_mentions.mentions(
        single_hops(stated(*HEAD), stated(question, "answer", f"{text} The answer .", "T")),
        KNOWN_NAMES.table(known_rows),
        params=MentionParams(stated=False),
    )
    reasons = {row["reason"]: row["count"] for row in output.rejects.to_pylist()}
    return output.tables["bridge_mentions"]["bridge"].to_pylist(), reasons


@pytest.mark.parametrize(
    ("text", "title", "reasons"),
    [
        ("It says nothing .", "T", {"not_in_paragraph": 1}),
        ("It says nothing .", "York", {}),
        ("York is led by answer .", "T", {}),
    ],
)
def test_a_paragraph_speaks_of_what_is_mentioned(text: str, title: str, reasons: dict[str, int]) -> None:
    hops = single_hops(stated(*HEAD), stated("Who led York?", "answer", f"{text} The answer .", title))
    output = bridge_mentions.mentions(hops, KNOWN_NAMES.empty(), params=MentionParams())
    assert {row["reason"]: row["count"] for row in output.rejects.to_pylist()} == reasons


def test_what_is_asked_of_the_tagger() -> None:
    hops = single_hops(
        stated("Which city?", "The Hague", "He left . He lives in the Hague now ; it rained .", "Ex"),
        stated("who led the hague in 1900", "Ann", "Ann led it .", "Ann"),
        stated("The Hague >> mayor", "Bob", "A town has a mayor . The Hague has Bob .", "Bob"),
    )
    ids = by_question(hops)
    tables = bridge_mentions.mentions(hops, KNOWN_NAMES.empty(), params=MentionParams(stated=False)).tables
    texts = {row["request"]: row for row in tables["tag_requests"].to_pylist()}
    asked = {
        row["tail"]: (row["bridge"], row["start"], row["end"], row["masked"], texts[row["request"]])
        for row in tables["bridge_mentions"].to_pylist()
    }
    lower, relational = asked[ids["who led the hague in 1900"]], asked[ids["The Hague >> mayor"]]
    # Without capitals a tagger sees no name, so it is asked for the answer's spelling.
    assert lower[:4] == ("hague", 12, 17, f"who led the {MASK} in 1900")
    assert (lower[4]["text"], lower[4]["start"], lower[4]["end"]) == ("who led the Hague in 1900", 12, 17)
    # "X >> relation" is no sentence, so one of the paragraph stands in.
    assert relational[:4] == ("Hague", 4, 9, f"The {MASK} >> mayor")
    assert (relational[4]["text"], relational[4]["start"], relational[4]["end"]) == ("The Hague has Bob .", 4, 9)
    (head,) = tables["bridge_answers"].to_pylist()
    answer = texts[head["request"]]
    assert (head["head"], head["entity"]) == (ids["Which city?"], "hague")
    assert answer["text"][answer["start"] : answer["end"]] == "the Hague"
    assert answer["text"].startswith("He lives in the Hague now ;")


@pytest.mark.parametrize(
    ("answer", "entity"),
    [
        ("The United States", " united states "),
        ("U.S.", " u s "),
        ("iPhone", " iphone "),
        ("The", " the "),
        ("the sea", " "),
        ("1940", " "),
        ("%", " "),
    ],
)
def test_what_has_no_capital_cannot_be_a_name(answer: str, entity: str) -> None:
    assert bridge_mentions.entity_of(answer) == entity


@pytest.mark.parametrize(
    ("question", "text", "known_names", "expected"),
    [
        ("Who led York?", "", (), (["York"], {})),
        ("Who led York-upon-Ouse?", "", (), ([], {"joined_word": 1})),
        ("Who led Yorkshire?", "", (), ([], {})),
        ("who built york minster", "", ("york minster",), ([], {"inside_longer_name": 1})),
        ("who built york minster", "", (), (["york"], {})),
        ("who built york minster", "Of the York Minster .", (), ([], {"longer_in_paragraph": 1})),
        ("who built york minster", "Of York and the York Minster .", (), ([], {"inside_longer_name": 1})),
        # A title in common words is none where the question writes it without capitals.
        ("Who is mayor of York?", "", ("mayor of york",), (["York"], {})),
        ("Who is Mayor of York?", "", ("mayor of york",), ([], {"inside_longer_name": 1})),
        ("York >> county", "", (), (["York"], {})),
        ("York Minster >> county", "", (), ([], {"part_of_subject": 1})),
        ("Ouse >> York", "", (), ([], {"part_of_subject": 1})),
    ],
)
def test_whole_mentions_of_york(
    question: str, text: str, known_names: tuple[str, ...], expected: tuple[list[str], dict[str, int]]
) -> None:
    assert found_in(question, text or "It says nothing .", *known_names) == expected


CASED = ["York", "New", "the", "of", "city", "County", "11", ",", "-"]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(CASED), max_size=6))
def test_a_cased_question_mentions_a_name_that_stands_once_and_alone(tokens: list[str]) -> None:
    bridges, reasons = found_in(" ".join(["who saw", *tokens, "there"]))
    places = [number for number, word in enumerate(tokens) if word == "York"]
    if len(places) == 1:
        around = [*(tokens[places[0] - 1 : places[0]] if places[0] else []), *tokens[places[0] + 1 : places[0] + 2]]
        longer = bool({"New", "County", "11"} & set(around))
        assert (bridges, reasons) == (([], {"inside_longer_name": 1}) if longer else (["York"], {}))
    else:
        assert (bridges, reasons) == ([], {"repeated_mention": 1} if places else {})


LOWER = ["york", "new", "minster", "the", "11", "museum"]
KNOWN = ("new york", "york minster", "york minster museum", "the york", "new museum")


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(LOWER), max_size=6))
def test_a_question_without_capitals_mentions_what_no_known_name_covers(tokens: list[str]) -> None:
    bridges, reasons = found_in(" ".join(["who saw", *tokens, "there"]), "It says nothing .", *KNOWN)
    places = [number for number, word in enumerate(tokens) if word == "york"]
    if len(places) != 1:
        assert (bridges, reasons) == ([], {"repeated_mention": 1} if places else {})
        return
    runs = [
        (start, " ".join(tokens[start:end]))
        for start in range(len(tokens))
        for end in range(start + 1, len(tokens) + 1)
    ]
    covers = any(run in KNOWN and start <= places[0] < start + len(run.split()) for start, run in runs)
    numbered = "11" in tokens[max(0, places[0] - 1) : places[0] + 2]
    assert (bridges, reasons) == (([], {"inside_longer_name": 1}) if covers or numbered else (["york"], {}))


@pytest.mark.parametrize(
    ("question", "text", "title", "reason"),
    [
        # Where the paragraph does not name it, its title tells what the name is part of, ...
        ("when did york win the cup", "They won in seven .", "List of York Lions cups", "longer_in_paragraph"),
        ("when did york win the cup", "They won in seven .", "History of York", None),
        # ... and which word it only goes with.
        ("Who ended the York wool trade?", "It was seven who ended it .", "York wool trade", "longer_in_paragraph"),
        ("Who ended the York wool trade?", "The York wool trade fell in seven .", "", "longer_in_paragraph"),
        ("Who ended the York wool trade?", "In York , the York wool trade fell in seven .", "", None),
        # A name that another hop answers is one, written as such.
        ("who lives in great york today", "Some seven .", "", "inside_longer_name"),
        ("who lives in small york today", "Some seven .", "", None),
    ],
)
def test_longer_names_and_names_of_other_things(question: str, text: str, title: str, reason: str | None) -> None:
    hops = single_hops(
        stated("Ex >> town", "York", "Ex is in York .", "Ex"),
        stated("Which is it?", "Great York", "It is Great York .", "It"),
        stated("Which is small?", "a small York", "It is a small York .", "Small"),
        stated(question, "seven", text, title),
    )
    output = bridge_mentions.mentions(hops, KNOWN_NAMES.empty(), params=MentionParams(stated=False))
    found = {(row["key"], row["reason"]) for row in output.rejects.to_pylist() if row["key"] == "york"}
    assert found == ({("york", reason)} if reason else set())
    assert output.tables["bridge_mentions"]["entity"].to_pylist().count("york") == (0 if reason else 1)


COUNTS = st.dictionaries(st.sampled_from(["Rome", "Oslo", "Kyiv"]), st.tuples(st.integers(0, 5), st.integers(0, 5)))


@settings(max_examples=40, deadline=None)
@given(COUNTS, st.integers(1, 4), st.integers(1, 4), st.integers(0, 99), st.randoms(use_true_random=False))
def test_caps_keep_the_least_hashes_of_each_side_and_count_the_rest(
    counts: dict[str, tuple[int, int]], max_heads: int, max_tails: int, seed: int, random: Any
) -> None:
    hops = []
    for place, (heads, tails) in counts.items():
        hops += [stated(f"Ex{n} >> city", place, f"Ex{n} is in {place} .", f"Ex{n}{place}") for n in range(heads)]
        hops += [stated(f"What{n} is in {place}?", f"so{n}", f"So{n} is in it .", f"T{n}") for n in range(tails)]
    if not hops:
        return
    random.shuffle(hops)
    table = single_hops(*hops)
    output = bridge_mentions.mentions(
        table, KNOWN_NAMES.empty(), params=MentionParams(max_heads, max_tails, seed, False)
    )

    def least(found: list[str], limit: int) -> list[str]:
        return sorted(found, key=lambda hop: hashlib.sha256(f"{seed}\x1f{hop}".encode()).hexdigest())[:limit]

    expected_heads, expected_tails, expected_rejects, naive = set(), set(), set(), 0
    for place, (heads, tails) in counts.items():
        name = place.lower()
        naive += heads * tails
        if not (heads and tails):
            continue
        rows = table.to_pylist()
        expected_heads |= {(hop, name) for hop in least([r["hop"] for r in rows if r["answer"] == place], max_heads)}
        asking = [row["hop"] for row in rows if row["question"].endswith(f"in {place}?")]
        expected_tails |= {(hop, name) for hop in least(asking, max_tails)}
        over = {"hot_bridge_head": heads - max_heads, "hot_bridge_tail": tails - max_tails}
        expected_rejects |= {(name, reason, count) for reason, count in over.items() if count > 0}
    answering, mentioned = output.tables["bridge_answers"].to_pylist(), output.tables["bridge_mentions"].to_pylist()
    assert {(row["head"], row["entity"]) for row in answering} == expected_heads
    assert {(row["tail"], row["entity"]) for row in mentioned} == expected_tails
    assert {(row["key"], row["reason"], row["count"]) for row in output.rejects.to_pylist()} == expected_rejects
    assert output.metrics["naive_pairs"] == naive


@pytest.mark.slow
def test_the_real_pool_up_to_its_mentions(shared_data: Path) -> None:
    source = HopFiles((str(shared_data / "singlehop" / "pool.jsonl.gz"),))
    read = [parse(table, params=SingleHopParams(), labels={}) for part in source.parts() for table in source.read(part)]
    hops = filter_hops(pa.concat_tables([one.tables["read_hops"] for one in read]), params=FilterParams())
    table = hops.tables["single_hops"]
    gold = known.names(paragraphs(table).tables["gold_paragraphs"]).tables["known_names"]
    found = bridge_mentions.mentions(table, gold, params=MentionParams(stated=False))
    # What is answered and asked is the hops' concern; that it is far too much to make, the caps'.
    assert found.metrics["naive_pairs"] > 800_000
    heads = Counter(found.tables["bridge_answers"]["entity"].to_pylist())
    tails = Counter(found.tables["bridge_mentions"]["entity"].to_pylist())
    assert heads["united states"] == tails["united states"] == 40
    # A ninth of the naive pairs is left to be made.
    assert sum(heads[name] * tails[name] for name in heads) < 100_000
