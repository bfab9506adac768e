from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.models.readers.interface import MASK
from stages.musique.bridges import bridge_identity, bridge_mentions, bridge_pairs, known_names
from stages.musique.bridges import entity_types as tag
from stages.musique.bridges.bridge_identity import IdentityParams
from stages.musique.bridges.bridge_mentions import MentionParams
from stages.musique.bridges.bridge_pairs import PairParams
from stages.musique.bridges.tables import BRIDGE_ANSWERS, KNOWN_NAMES, MENTIONS, TAGS
from stages.musique.single_hops.forms import bare, form
from stages.musique.single_hops.tables import SINGLE_HOPS
from tests.stages.musique.bridges.world import TYPES, ListedTagger, build
from tests.stages.musique.single_hops.pool import by_question, single_hops, stated


def test_a_bridge_and_its_columns() -> None:
    hops = single_hops(
        stated("Imagine >> performer", "John Lennon", "Imagine is by John Lennon .", "Imagine"),
        stated("Where was John Lennon born?", "Liverpool", "John Lennon was born in Liverpool .", "John Lennon"),
        stated("Which river is in Liverpool?", "Mersey", "Liverpool lies on the Mersey .", "Liverpool"),
    )
    ids = by_question(hops)
    built = build(hops, TYPES)
    rows = sorted(built.rows("bridges"), key=lambda row: row["bridge"])
    assert rows == [
        {
            "head": ids["Imagine >> performer"],
            "tail": ids["Where was John Lennon born?"],
            "entity": "john lennon",
            "entity_type": "PERSON",
            "answer": "John Lennon",
            "bridge": "John Lennon",
            "start": 10,
            "end": 21,
            "masked": f"Where was {MASK} born?",
        },
        {
            "head": ids["Where was John Lennon born?"],
            "tail": ids["Which river is in Liverpool?"],
            "entity": "liverpool",
            "entity_type": "GPE",
            "answer": "Liverpool",
            "bridge": "Liverpool",
            "start": 18,
            "end": 27,
            "masked": f"Which river is in {MASK}?",
        },
    ]
    assert not built.reasons


IN_HAMPSHIRE = ("Ex >> county", "Hampshire", "Ex is in Hampshire .")
IN_NEW_HAMPSHIRE = ("Ex >> county", "Hampshire", "Ex is in New Hampshire .")
OF_HAMPSHIRE, OF_NEW = "Hampshire is led by Sununu .", "New Hampshire is led by Sununu ."


@pytest.mark.parametrize(
    ("head", "tail", "reason"),
    [
        # "New Hampshire" is no mention of Hampshire: by its capitals, ...
        (IN_HAMPSHIRE, ("Who led New Hampshire?", "Sununu", "It was Sununu ."), "inside_longer_name"),
        # ... by a relation's subject, ...
        (IN_HAMPSHIRE, ("New Hampshire >> governor", "Sununu", OF_NEW), "part_of_subject"),
        # ... by the paragraph of a question without capitals, ...
        (IN_HAMPSHIRE, ("who led new hampshire", "Sununu", OF_NEW), "longer_in_paragraph"),
        # ... and in the head's own paragraph.
        (IN_NEW_HAMPSHIRE, ("Who led Hampshire?", "Sununu", OF_HAMPSHIRE), "longer_in_paragraph"),
        (("Ex >> country", "US", "Ex is in the US ."), ("Us >> year", "1992", "It is Us of 1992 ."), "other_case"),
        (IN_HAMPSHIRE, ("Is Hampshire Hampshire?", "Sununu", OF_HAMPSHIRE), "repeated_mention"),
        (IN_HAMPSHIRE, ("Which is Hampshire?", "Hampshire", OF_HAMPSHIRE), "answer_is_bridge"),
        (
            ("Sununu >> county", "Hampshire", "Ex is in Hampshire ."),
            ("Who led Hampshire?", "Sununu", OF_HAMPSHIRE),
            "tail_answer_in_head",
        ),
        (
            ("Ex >> county", "Hampshire", "Ex is in Hampshire , where Sununu leads ."),
            ("Who led Hampshire?", "Sununu", OF_HAMPSHIRE),
            "tail_answer_in_head_paragraph",
        ),
        (
            ("Which singer is it?", "Lennon", "It is Lennon ."),
            ("When was lennon born?", "1940", "It was in 1940 ."),
            "other_case",
        ),
        (
            ("Which unit is it?", "Ohm", "It is the Ohm ."),
            ("What is the Ohm ?", "resistance", "It is one of resistance ."),
            "not_an_entity",
        ),
    ],
)
def test_pairs_that_are_none(head: tuple[str, str, str], tail: tuple[str, str, str], reason: str) -> None:
    built = build(single_hops(stated(*head, "Ex"), stated(*tail)), TYPES)
    assert built.rows("bridges") == []
    assert built.reasons[reason] >= 1


def test_the_two_paragraphs_differ() -> None:
    hops = single_hops(
        stated("Ex >> county", "Hampshire", "Ex is in Hampshire , of Sununu .", "Ex"),
        stated("Who led Hampshire?", "Sununu", "Ex is in Hampshire , of Sununu .", "Ex"),
    )
    assert build(hops, TYPES).reasons == {"same_paragraph": 1}


@pytest.mark.parametrize(("title", "reasons"), [("ex", {"same_page": 1}), ("Other", {}), ("", {})])
def test_the_two_pages_differ(title: str, reasons: dict[str, int]) -> None:
    hops = single_hops(
        stated("Ex >> county", "Hampshire", "Ex is in Hampshire .", "Ex" if title else ""),
        stated("Who led Hampshire?", "Sununu", "Hampshire was led by Sununu .", title),
    )
    assert build(hops, TYPES).reasons == reasons


def test_types_must_agree_and_may_be_chosen() -> None:
    head = stated("Which ship is it?", "Victoria", "The ship is Victoria .", "Ship")
    tail = stated("Who was Victoria married to?", "Albert", "Her prince was Albert .", "Queen")
    hops = single_hops(head, tail)
    requests = bridge_mentions.mentions(
        hops,
        KNOWN_NAMES.empty(),
        params=MentionParams(stated=False),
    )

    class ByText(ListedTagger):
        def _entities(self, text: str) -> list[Any]:
            kind = "PRODUCT" if "ship" in text else "PERSON"
            return ListedTagger({"Victoria": kind})._entities(text)

    tags = tag.tag(requests.tables["tag_requests"], tagger=ByText())
    tables = (requests.tables["bridge_answers"], requests.tables["bridge_mentions"], tags.tables["tags"], hops)
    strict = bridge_pairs.pairs(*tables, params=PairParams())
    assert [(row["key"], row["reason"]) for row in strict.rejects.to_pylist()] == [("victoria", "other_type")]
    assert bridge_pairs.pairs(*tables, params=PairParams(same_type=False)).tables["bridge_pairs"].num_rows == 1
    people = bridge_pairs.pairs(*tables, params=PairParams(types=("PERSON",)))
    assert [row["reason"] for row in people.rejects.to_pylist()] == ["not_an_entity"]


def test_a_relation_vouches_for_its_subject_and_its_value() -> None:
    hops = single_hops(
        stated("Ex >> album", "Braver Than We Are", "Ex is on Braver Than We Are .", "Ex"),
        stated("Braver Than We Are >> year", "2016", "Braver Than We Are is from 2016 .", "Album"),
    )
    assert [row["entity_type"] for row in build(hops, {}).rows("bridges")] == [""]
    dates = build(hops, {"Braver Than We Are": "DATE"})
    assert dates.rows("bridges") == [] and dates.reasons["not_an_entity"] == 2


def test_results_do_not_depend_on_the_order_of_hops() -> None:
    hops = single_hops(
        *(stated(f"Ex{n} >> city", "Liverpool", f"Ex{n} is in Liverpool .", f"Ex{n}") for n in range(5)),
        *(
            stated(f"Which river{n} is in Liverpool?", f"Mersey{n}", f"In Liverpool is the Mersey{n} .", "L")
            for n in range(5)
        ),
    )
    caps = MentionParams(max_heads=3, max_tails=2)
    key = [("head", "ascending"), ("tail", "ascending")]
    one, two = (
        build(table, TYPES, mention=caps).outputs["identity"].tables["bridges"].sort_by(key)
        for table in (hops, hops.take(list(reversed(range(hops.num_rows)))))
    )
    assert one.equals(two)
    assert one.num_rows == 6


def test_peoples_are_no_bridges_even_where_a_relation_has_them_as_a_value() -> None:
    hops = single_hops(
        *(stated(f"Ex{n} >> country", "British", f"Ex{n} is British .", f"Ex{n}") for n in range(3)),
        stated("British >> capital", "London", "The British capital is London .", "London"),
    )
    found = bridge_mentions.mentions(hops, KNOWN_NAMES.empty(), params=MentionParams(stated=False)).tables
    asked = (found["bridge_answers"]["request"].to_pylist(), found["bridge_mentions"]["request"].to_pylist())
    requests = [*asked[0], *asked[1]]

    def paired(*kinds: str) -> int:
        tags = [{"request": r, "type": kind, "longer": False} for r, kind in zip(requests, kinds, strict=True)]
        tables = (found["bridge_answers"], found["bridge_mentions"], TAGS.table(tags), hops)
        return bridge_pairs.pairs(*tables, params=PairParams()).tables["bridge_pairs"].num_rows

    # Two of three that have a type, one of two, none of any.
    assert [paired("NORP", "NORP", "GPE", ""), paired("NORP", "", "GPE", ""), paired("", "", "", "")] == [0, 2, 3]


def test_each_head_is_held_to_its_own_spelling() -> None:
    hops = single_hops(
        stated("Ex >> country", "US", "Ex is in the US .", "Ex"),
        stated("Gabriel >> album", "Us", "The album of Gabriel is Us .", "Gabriel"),
        stated("Us >> year", "1992", "It is Us of 1992 .", "Us"),
    )
    built = build(hops, {})
    assert [row["answer"] for row in built.rows("bridges")] == ["Us"]
    assert built.reasons == {"other_case": 1}


def test_the_answer_may_stand_in_the_heads_paragraph_where_one_says_so() -> None:
    head = stated("Ex >> county", "Hampshire", "Ex is in Hampshire , where Sununu leads .", "Ex")
    tail = stated("Who led Hampshire?", "Sununu", "Hampshire is led by Sununu .")
    built = build(single_hops(head, tail), TYPES, pair=PairParams(answer_apart=False))
    assert len(built.rows("bridges")) == 1 and not built.reasons


PLACES = ["Rome", "Paris", "Oslo", "New York", "York"]
HEADS = st.tuples(st.sampled_from(PLACES), st.integers(0, 5))
TAILS = st.tuples(st.sampled_from(PLACES), st.sampled_from(["Rome", "Oslo", "seven"]), st.integers(0, 5))


@settings(max_examples=60, deadline=None)
@given(st.sets(HEADS, max_size=6), st.sets(TAILS, max_size=6), st.randoms(use_true_random=False))
def test_pairs_are_those_that_comparing_all_hops_finds(heads: set[Any], tails: set[Any], random: Any) -> None:
    hops = [stated(f"thing{n} >> place", place, f"The thing{n} is in {place} .", f"H{n}{place}") for place, n in heads]
    hops += [
        stated(f"What{n} is in {place}?", answer, f"There{n} in {place} is {answer} .", f"T{n}{place}{answer}")
        for place, answer, n in tails
    ]
    if not hops:
        return
    random.shuffle(hops)
    table = single_hops(*hops)
    built = build(table, dict.fromkeys(PLACES, "GPE"), same=IdentityParams(search=False, wikify=False))
    assert {(row["head"], row["tail"]) for row in built.rows("bridges")} == _brute(table.to_pylist())


def _brute(rows: list[dict[str, Any]]) -> set[tuple[str, str]]:
    """Every ordered pair, judged by what these made-up questions can hold."""
    found = set()
    for head, tail in product(rows, rows):
        entity, answer = bare(form(head["answer"])), bare(form(tail["answer"]))
        if tail["relational"]:
            mentioned = entity == form(tail["subject"])
        else:
            mentioned = tail["question"].endswith(f" in {head['answer']}?")
        if (
            mentioned
            and head["answer"] in PLACES
            and head["hop"] != tail["hop"]
            and head["paragraph"] != tail["paragraph"]
            and answer != entity
            and answer not in form(head["question"])
            and answer not in form(head["text"])
        ):
            found.add((head["hop"], tail["hop"]))
    return found


KINDS = ["GPE", "FAC", "PERSON", "ORG", "DATE", ""]
NAMES = ["rome", "oslo"]
# A hop: relational, paragraph, its answer, whether its question holds the word "seven".
HOPS = st.lists(
    st.tuples(
        st.booleans(), st.sampled_from("pqr"), st.sampled_from(["Rome", "the Oslo", "seven", "%"]), st.booleans()
    ),
    min_size=1,
    max_size=6,
)
TAGGED = st.tuples(st.sampled_from(KINDS), st.booleans())


def _tables(hops: list[Any], draw: Any) -> dict[str, Any]:
    """Hops as drawn; of each, perhaps, the name that it answers and the names that it mentions, tagged at will."""
    rows = [
        {
            **dict.fromkeys(("given_id", "title", "text"), ""),
            **{"hop": f"s:{number}", "source": "s", "question": "Is it seven?" if seven else "What is it?"},
            **{"relational": relational, "answer": answer, "answer_aliases": [], "answer_start": 0},
            **{"paragraph": paragraph, "words": 0, "tokens": 0},
        }
        for number, (relational, paragraph, answer, seven) in enumerate(hops)
    ]
    tags: dict[str, tuple[str, bool]] = {}

    def request() -> str:
        name = str(len(tags))
        tags[name] = draw(TAGGED)
        return name

    heads = [{"head": row["hop"], "entity": draw(st.sampled_from(NAMES)), "request": request()} for row in rows]
    tails = [
        {"tail": row["hop"], "entity": name, "bridge": name.title(), "start": 1, "end": 5, "masked": f"m{number}"}
        | {"request": request()}
        for number, row in enumerate(rows)
        for name in sorted(draw(st.sets(st.sampled_from(NAMES))))
    ]
    return {"hops": rows, "heads": heads, "tails": tails, "tags": tags}


def _others(tables: dict[str, Any]) -> set[str]:
    """Names that are mostly of a type outside the list, where they have a type."""
    seen: dict[str, list[bool]] = {}
    for row in (*tables["heads"], *tables["tails"]):
        if kind := tables["tags"][row["request"]][0]:
            seen.setdefault(row["entity"], []).append(kind not in PairParams().types)
    return {name for name, found in seen.items() if sum(found) > len(found) / 2}


def _kind(tag: tuple[str, bool], relational: bool, other: bool) -> tuple[str | None, str]:
    """(reject reason, type) of a name, by what a tagger and a relation say of it."""
    seen, longer = tag
    if other:
        return "not_an_entity", ""
    if longer and not relational:
        return "inside_longer_entity", ""
    listed = seen in PairParams().types and (not longer or seen == "PERSON")
    if not listed and not (relational and (longer or seen == "")):
        return "not_an_entity", ""
    return None, seen if listed else ""


def _judge(tables: dict[str, Any], same_type: bool) -> tuple[set[tuple[str, ...]], Counter[tuple[str, str]]]:
    """(head, tail, entity, type) of all pairs, and rejects, by loops over everything."""
    hops = {row["hop"]: row for row in tables["hops"]}
    found, reasons, typed, others = set(), Counter[tuple[str, str]](), {}, _others(tables)
    for side, names in (("head", tables["heads"]), ("tail", tables["tails"])):
        for row in names:
            reason, kind = _kind(tables["tags"][row["request"]], hops[row[side]]["relational"], row["entity"] in others)
            if reason:
                reasons[row["entity"], reason] += 1
            else:
                typed[side, row[side], row["entity"]] = kind
    places = {"GPE": "place", "LOC": "place", "FAC": "place"}
    for (one, head, entity), (other, tail, again) in product(typed, typed):
        if (one, other) != ("head", "tail") or entity != again or head == tail:
            continue
        answer = bare(form(hops[tail]["answer"])).strip()
        kinds = typed[one, head, entity], typed[other, tail, entity]
        if hops[head]["paragraph"] == hops[tail]["paragraph"]:
            reasons[entity, "same_paragraph"] += 1
        elif answer == entity:
            reasons[entity, "answer_is_bridge"] += 1
        elif answer and f" {answer} " in form(hops[head]["question"]):
            reasons[entity, "tail_answer_in_head"] += 1
        elif same_type and all(kinds) and places.get(kinds[0], kinds[0]) != places.get(kinds[1], kinds[1]):
            reasons[entity, "other_type"] += 1
        else:
            found.add((head, tail, entity, kinds[0] or kinds[1]))
    return found, reasons


@settings(max_examples=80, deadline=None)
@given(HOPS, st.booleans(), st.data())
def test_types_and_roles_are_judged_as_by_loops_over_all(hops: list[Any], same_type: bool, data: st.DataObject) -> None:
    tables = _tables(hops, data.draw)
    output = bridge_pairs.pairs(
        BRIDGE_ANSWERS.table(tables["heads"]),
        MENTIONS.table(tables["tails"]),
        TAGS.table([{"request": r, "type": kind, "longer": longer} for r, (kind, longer) in tables["tags"].items()]),
        SINGLE_HOPS.table(tables["hops"]),
        params=PairParams(same_type=same_type),
    )
    expected, reasons = _judge(tables, same_type)
    rows = output.tables["bridge_pairs"].to_pylist()
    assert {(row["head"], row["tail"], row["entity"], row["entity_type"]) for row in rows} == expected
    assert len(rows) == len(expected) == output.metrics["pairs"]
    rejected = Counter[tuple[str, str]]()
    for row in output.rejects.to_pylist():
        rejected[row["key"], row["reason"]] += row["count"]
    assert rejected == reasons
    for row in rows:
        number = int(row["tail"].removeprefix("s:"))
        assert (row["bridge"], row["masked"]) == (row["entity"].title(), f"m{number}")
        assert row["answer"] == hops[int(row["head"].removeprefix("s:"))][2]


def test_places_are_of_one_kind_whatever_their_type() -> None:
    hops = single_hops(
        stated("Where is it?", "Alhambra", "It is in Alhambra .", "It"),
        stated("Who built Alhambra?", "Ann", "Ann built the fort .", "Fort"),
    )
    found = bridge_mentions.mentions(hops, KNOWN_NAMES.empty(), params=MentionParams(stated=False)).tables
    requests = [found["bridge_answers"]["request"][0].as_py(), found["bridge_mentions"]["request"][0].as_py()]
    for kinds, number in ((("GPE", "FAC"), 1), (("LOC", "GPE"), 1), (("GPE", "ORG"), 0), (("ORG", "ORG"), 1)):
        rows = [{"request": r, "type": kind, "longer": False} for r, kind in zip(requests, kinds, strict=True)]
        output = bridge_pairs.pairs(
            found["bridge_answers"], found["bridge_mentions"], TAGS.table(rows), hops, params=PairParams()
        )
        assert output.tables["bridge_pairs"]["entity_type"].to_pylist() == [kinds[0]] * number


def test_a_bridge_needs_a_type() -> None:
    with pytest.raises(StageError, match="types: at least one entity type is needed"):
        PairParams(types=())


def test_nothing_gives_nothing() -> None:
    hops = single_hops(stated("What?", "Rome", "In Rome .")).slice(0, 0)
    built = build(hops, {})
    assert built.rows("bridges") == [] and not built.reasons


def test_the_stages_fit_together() -> None:
    made = [
        known_names.stage(),
        bridge_mentions.stage(),
        tag.stage(ListedTagger()),
        bridge_pairs.stage(),
        bridge_identity.stage(),
    ]
    tables = {"single_hops", "gold_paragraphs"}
    for stage in made:
        assert set(stage.inputs) <= tables, stage.name
        tables |= {spec.name for spec in stage.outputs}
    assert "bridges" in tables
