"""Records to rows: hand-made and hostile records, and real Wikidata."""

from __future__ import annotations

import gzip
import hashlib
import json
import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.contract import Map, Output, StageError
from stages.io.json_files import RECORDS
from stages.wikidata.classes import ClassParams, classes
from stages.wikidata.parse import ParseParams, parse, stage
from stages.wikidata.source import WikidataDump

Rejected = tuple[str, str, str, int]


def run(*records: object, **params: Any) -> Output:
    """Parses records given as bytes or as what JSON writes."""
    data = [record if isinstance(record, bytes) else json.dumps(record).encode() for record in records]
    table = pa.table([pa.array(data, pa.large_binary()), pa.nulls(len(data), pa.string())], schema=RECORDS)
    return parse(table, params=ParseParams(**params))


def rejects(output: Output) -> list[Rejected]:
    return [tuple(row.values()) for row in output.rejects.to_pylist()]  # type: ignore[misc]


def reasons(output: Output) -> list[tuple[str, str]]:
    return [(row["key"], row["reason"]) for row in output.rejects.to_pylist()]


def qids(output: Output) -> list[str]:
    return output.tables["entities"]["qid"].to_pylist()


def sha(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()[:12]}"


def item(qid: str, rank: str = "normal") -> dict[str, object]:
    value = {"entity-type": "item", "id": qid}
    return {
        "mainsnak": {"snaktype": "value", "datavalue": {"type": "wikibase-entityid", "value": value}},
        "rank": rank,
    }


def entity(qid: object = "Q1", label: object = "one", **more: object) -> dict[str, object]:
    return {"id": qid, "type": "item", "labels": {"en": {"language": "en", "value": label}}, **more}


def names(*texts: str) -> list[dict[str, str]]:
    return [{"language": "en", "value": text} for text in texts]


def test_an_entity() -> None:
    output = run(
        entity(
            label=" Big  Bang ",
            aliases={"en": names("Bang", "Big Bang", "A. Bang", "Bang")},
            descriptions={"en": {"value": "a  start"}},
            claims={"P31": [item("Q7"), item("Q6")], "P279": [item("Q8"), item("Q9", "deprecated")]},
            sitelinks={"enwiki": {"title": "big_Bang"}},
        )
    )
    assert output.tables["entities"].to_pylist() == [
        {
            "qid": "Q1",
            "label": "Big Bang",
            "aliases": ["A. Bang", "Bang"],
            "description": "a start",
            "types": ["Q6", "Q7"],
            "title": "Big Bang",
        }
    ]
    assert output.tables["subclasses"].to_pylist() == [{"child": "Q1", "parent": "Q8"}]
    statements = output.tables["statements"].select(["subject", "property", "value_kind", "value"]).to_pylist()
    assert [tuple(row.values()) for row in statements] == [
        ("Q1", "P31", "item", "Q7"),
        ("Q1", "P31", "item", "Q6"),
        ("Q1", "P279", "item", "Q8"),
    ]
    assert rejects(output) == [("Q1 P279", "deprecated", "Q9", 1)]
    assert output.metrics == {"records": 1, "bad_records": 0, "statements": 4}


def test_languages() -> None:
    record = entity(labels={"mul": {"value": "M"}, "de": {"value": "D"}}, aliases={"mul": names("m"), "en": names("e")})
    assert run(record).tables["entities"]["label"].to_pylist() == ["M"]
    assert run(record).tables["entities"]["aliases"].to_pylist() == [["e", "m"]]
    german = run(record, languages=("de", "mul")).tables["entities"].to_pylist()[0]
    # The name that holds in every language is another name in this one.
    assert (german["label"], german["aliases"]) == ("D", ["M", "m"])
    assert rejects(run(record, languages=("en",))) == [("Q1", "no_label", "none in en; 0 statements dropped", 1)]


def test_an_entity_without_label_leaves_its_subclass_edges_only() -> None:
    claims = {"P31": [item("Q9")], "P279": [item("Q2"), item("Q3", "deprecated")]}
    output = run(entity(label="", claims=claims), entity("Q4", "<b>four</b>", claims={"P279": [item("Q2")]}))
    assert rejects(output) == [
        ("Q1", "no_label", "none in en, mul; 3 statements dropped", 1),
        ("Q1 P279", "deprecated", "Q3", 1),
        ("Q4", "html_in_label", "<b>four</b>", 1),
    ]
    assert (output.tables["entities"].num_rows, output.tables["statements"].num_rows) == (0, 0)
    edges = [tuple(row.values()) for row in output.tables["subclasses"].to_pylist()]
    assert edges == [("Q1", "Q2"), ("Q4", "Q2")]
    assert output.metrics["nameless_edges"] == 2


def test_a_class_without_label_does_not_cut_a_path_of_classes() -> None:
    output = run(entity("Q1", "opera", claims={"P279": [item("Q2")]}), entity("Q2", "", claims={"P279": [item("Q3")]}))
    ancestors = classes(output.tables["subclasses"], params=ClassParams(("Q3",))).tables["class_ancestors"]
    assert sorted(ancestors["class"].to_pylist()) == ["Q1", "Q2", "Q3"]


def test_bad_records_are_those_that_cannot_be_read_and_not_those_that_do_not_count() -> None:
    sound = [entity(), {"id": "P1", "type": "property"}, {"id": "L1", "type": "lexeme"}, entity("Q2", label="")]
    sound += [{"entity": "Q3", "redirect": "Q1"}, {"entities": {"Q4": {"id": "Q4", "missing": ""}}}, [entity("Q5")]]
    assert run(*sound).metrics.items() >= {"records": 7, "bad_records": 0}.items()
    assert run(b"{", entity("no id"), b'"text"', *sound).metrics.items() >= {"records": 10, "bad_records": 3}.items()
    errors = pa.table([pa.nulls(1, pa.large_binary()), pa.array(["truncated_input: the file ends"])], schema=RECORDS)
    assert parse(errors, params=ParseParams()).metrics == {"records": 1, "bad_records": 1}


def test_markup() -> None:
    output = run(entity(label="<b>one</b>"), entity("Q2", "two", aliases={"en": names("x &amp; y", "z")}))
    assert rejects(output) == [
        ("Q1", "html_in_label", "<b>one</b>", 1),
        ("Q2", "html_in_alias", "x &amp; y", 1),
    ]
    assert output.tables["entities"]["aliases"].to_pylist() == [["z"]]


def test_selected_properties() -> None:
    record = entity(claims={"P31": [item("Q5")], "P279": [item("Q6")], "P57": [item("Q7"), item("Q8")]})
    output = run(record, entity("Q2", claims={"P57": [item("Q7")]}), properties=("P31",))
    assert output.tables["statements"]["property"].to_pylist() == ["P31"]
    assert output.tables["subclasses"].num_rows == 1
    assert rejects(output) == [("P279", "unselected_property", "", 1), ("P57", "unselected_property", "", 3)]


def test_ended_statements() -> None:
    over = {**item("Q5"), "qualifiers": {"P582": [{"snaktype": "somevalue", "property": "P582"}]}}
    output = run(entity(claims={"P31": [over]}))
    assert rejects(output) == [("Q1 P31", "ended", "Q5", 1)]
    assert output.tables["entities"]["types"].to_pylist() == [[]]
    assert run(entity(claims={"P31": [over]}), keep_ended=True).tables["entities"]["types"].to_pylist() == [["Q5"]]


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"id": "P31", "type": "property", "labels": {}}, ("P31", "property_entity")),
        ({"id": "L3354", "type": "lexeme"}, ("lexeme", "not_an_entity")),
        ({"id": "M5", "type": "mediainfo"}, ("mediainfo", "not_an_entity")),
        ({"id": "Q5", "type": "lexeme"}, ("lexeme", "not_an_entity")),
        ({"id": "Q6", "missing": ""}, ("Q6", "missing_entity")),
        ({"entity": "Q1", "redirect": "Q2"}, ("Q1", "redirect_entity")),
    ],
)
def test_records_that_are_no_items(record: dict[str, object], expected: tuple[str, str]) -> None:
    output = run(record)
    assert reasons(output) == [expected]
    assert qids(output) == []


@pytest.mark.parametrize(
    "qid", ["Q1/../../x", "Q0", "Q01", "Q", "Q1 Q2", "Q1\u0000", "Q١", "Q" + "1" * 30, "", "../etc", "1", "Q-1", "q"]
)
def test_odd_ids(qid: str) -> None:
    record = json.dumps(entity(qid)).encode()
    output = run(record)
    ((key, reason, detail, count),) = rejects(output)
    assert (key, reason, count) == (sha(record), "bad_id", 1)
    assert detail.startswith(ascii(qid).replace("\\u0661", "١")[:5])
    assert qids(output) == []


def test_ids_of_older_shapes() -> None:
    label = {"labels": {"en": {"value": "x"}}}
    claims = {"P1": [{**item("Q5"), "id": "q7$0479EB23"}]}
    output = run(
        {"id": "q3", **label},
        {"title": "Q4", **label},
        {"title": "Item:Q5", **label},
        {"claims": claims, **label},
        {"entities": {"Q8": label}},
    )
    assert qids(output) == ["Q3", "Q4", "Q5", "Q7", "Q8"]
    assert rejects(output) == []


def test_numeric_item_ids_of_older_shapes() -> None:
    value = {"entity-type": "item", "numeric-id": 5}
    claim = {"mainsnak": {"snaktype": "value", "datavalue": {"type": "wikibase-entityid", "value": value}}}
    assert run(entity(claims={"P31": [claim]})).tables["entities"]["types"].to_pylist() == [["Q5"]]


def test_answers_and_arrays_hold_several() -> None:
    output = run({"entities": {"Q1": entity("Q1"), "Q6": {"id": "Q6", "missing": ""}}}, [entity("Q2"), [entity("Q3")]])
    assert qids(output) == ["Q1", "Q2", "Q3"]
    assert reasons(output) == [("Q6", "missing_entity")]
    unknown = run({"entities": {"-1": {"site": "enwiki", "title": "Nowhere", "missing": ""}}})
    assert reasons(unknown) == [("-1", "missing_entity")] and unknown.metrics["bad_records"] == 0


def test_an_answer_under_another_key_is_a_redirect() -> None:
    output = run({"entities": {"Q1": entity("Q2")}})
    assert qids(output) == ["Q2"]
    assert rejects(output) == [("Q1", "redirect_entity", "to Q2", 1)]


@pytest.mark.parametrize(
    "data",
    [
        b'{"id":"Q1","labels":{"en":{"value":"one"}}',
        b"{]",
        b"rubbish",
        b"[1,",
        b"null",
        b'{"id":"Q1","labels":{"en":{"value":"caf\xe9"}}}',
        b'{"id":"Q1","labels":{"en":{"value":"\\ud800"}}}',
        b'{"a":' * 50_000,
        b"[" * 100_000 + b"]" * 100_000,
    ],
)
def test_broken_json_costs_its_own_record_only(data: bytes) -> None:
    output = run(entity("Q1"), data, entity("Q2"))
    assert qids(output) == ["Q1", "Q2"]
    ((_, reason, detail, _),) = rejects(output)
    assert reason == "broken_json"
    assert " | " in detail
    if not data.startswith(b"[["):
        assert reasons(output) == [(sha(data), "broken_json")]


@pytest.mark.parametrize(
    ("claims", "detail"),
    [
        ({"P31": "Q5"}, "expected a list of statements, got str"),
        ({"P31": [5]}, "Expected `object`, got `int`"),
        ({"P31": [None]}, "Expected `object`, got `null`"),
        ({"P31": [{"rank": "normal"}]}, "missing required field `mainsnak`"),
        ({"P31": [{"mainsnak": None}]}, "got `null`"),
        ({"P31": [{"mainsnak": {"snaktype": "value"}}]}, "no datavalue"),
        ({"P31": [{"mainsnak": {"snaktype": "value", "datavalue": {"type": "bad", "value": {}}}}]}, "Invalid value"),
        ({"P31": [item("Q1/../../x")]}, "item id"),
    ],
)
def test_malformed_statements_cost_themselves_only(claims: dict[str, object], detail: str) -> None:
    output = run(entity(claims={**claims, "P57": [item("Q7")]}))
    assert qids(output) == ["Q1"]
    assert output.tables["statements"]["value"].to_pylist() == ["Q7"]
    ((key, reason, said, _),) = rejects(output)
    assert (key, reason) == ("Q1 P31", "bad_statement")
    assert detail in said


def test_odd_property_ids() -> None:
    output = run(entity(claims={"../P31": [item("Q5"), item("Q6")]}))
    assert rejects(output) == [("Q1", "bad_statement", "property id '../P31'", 2)]


def test_nulls_everywhere() -> None:
    fields = ("type", "title", "aliases", "descriptions", "claims", "sitelinks", "redirect", "entity", "missing")
    output = run({**entity(), **dict.fromkeys(fields), "labels": {"en": {"value": "one"}, "mul": None}})
    assert qids(output) == ["Q1"]
    assert rejects(output) == []


def test_a_sitelink_of_the_wrong_type() -> None:
    output = run(entity(sitelinks={"enwiki": {"title": 5}}))
    assert output.tables["entities"]["title"].to_pylist() == [None]
    ((key, reason, detail, _),) = rejects(output)
    assert (key, reason) == ("Q1", "bad_field")
    assert detail.startswith("sitelinks: ")


def test_error_rows_become_rejects() -> None:
    table = pa.table([pa.array([None], pa.large_binary()), pa.array(["truncated_input: cut short"])], schema=RECORDS)
    output = parse(table, params=ParseParams())
    assert rejects(output) == [(sha(b"truncated_input: cut short"), "truncated_input", "cut short", 1)]


def test_no_records() -> None:
    output = run()
    assert all(table.num_rows == 0 for table in output.tables.values())
    assert output.rejects.num_rows == 0


def test_duplicates_are_left_to_the_tables() -> None:
    assert qids(run(entity("Q1"), entity("Q1"))) == ["Q1", "Q1"]


KEYS = [
    *("id", "type", "title", "labels", "en", "value", "claims", "P31", "mainsnak", "snaktype", "datavalue", "rank"),
    *("qualifiers", "P582", "sitelinks", "enwiki", "aliases", "entities", "redirect", "missing"),
]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["Q5", "P31", "value", "normal", ""]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=25,
)


@given(st.lists(json_values, max_size=3))
def test_any_json_ends_in_rows_or_rejects(values: list[object]) -> None:
    output = run(entity("Q1"), *values)
    assert "Q1" in qids(output)


@given(st.binary(max_size=60))
def test_any_bytes_end_in_rows_or_rejects(data: bytes) -> None:
    assert qids(run(entity("Q1"), data)) == ["Q1"]


def test_parameters() -> None:
    with pytest.raises(StageError, match="languages"):
        ParseParams(languages=())
    with pytest.raises(StageError, match="languages"):
        ParseParams(languages=("en", "en"))
    with pytest.raises(StageError, match="Q31"):
        ParseParams(properties=("Q31",))


def test_stage() -> None:
    source = WikidataDump(("dump.json",))
    built = stage(source, ParseParams(languages=("de",)))
    assert (built.name, built.shape, built.source) == ("wikidata.parse", Map(), source)
    assert [spec.name for spec in built.outputs] == ["entities", "statements", "subclasses"]
    assert {spec.on_duplicate for spec in built.outputs} == {"reject"}
    kernel = pickle.loads(pickle.dumps(built.kernel))  # noqa: S301
    assert kernel(RECORDS.empty_table()).tables["entities"].schema == built.outputs[0].schema


def real(path: Path, **params: Any) -> Output:
    source = WikidataDump((str(path),))
    records = pa.concat_tables(table for part in source.parts() for table in source.read(part))
    return parse(records, params=ParseParams(**params))


def test_real_item_with_ranks_and_qualifiers(shared_data: Path) -> None:
    """Q42 as of July 2018, pretty-printed; read off the file by eye."""
    output = real(shared_data / "wikidata/raw/qwikidata-wd_Q42.json.gz")
    assert output.tables["entities"].to_pylist() == [
        {
            "qid": "Q42",
            "label": "Douglas Adams",
            "aliases": ["Douglas N. Adams", "Douglas Noel Adams", "Douglas Noël Adams"],
            "description": "author and humorist",
            "types": ["Q5"],
            "title": "Douglas Adams",
        }
    ]
    assert sorted(row for row in rejects(output) if row[0] != "Q42 P998") == [
        ("Q42 P26", "ended", "Q14623681", 1),
        ("Q42 P551", "deprecated", "Q159288", 1),
        ("Q42 P69", "ended", "Q4961791", 1),
        ("Q42 P69", "ended", "Q691283", 1),
        ("Q42 P735", "not_preferred", "Q19688263", 1),
    ]
    assert Counter(row[1] for row in rejects(output)) == {"not_preferred": 6, "ended": 3, "deprecated": 1}
    assert output.metrics == {"records": 1, "bad_records": 0, "statements": 138}
    assert output.tables["statements"].num_rows == 128
    rows = {(row["property"], row["value"]): row for row in output.tables["statements"].to_pylist()}
    assert rows["P2048", "1.96"]["unit"] == "Q11573"
    assert (rows["P569", "1952-03-11"]["value_kind"], rows["P569", "1952-03-11"]["precision"]) == ("time", 11)
    assert rows["P551", "Q909993"]["start"] == "1957"
    assert rows["P1411", "Q3414212"]["point_in_time"] == "1979"
    assert rows["P856", "http://douglasadams.com/"]["value_kind"] == "url"
    assert rows["P1477", "Douglas Noel Adams"]["value_kind"] == "monolingual"


def test_real_item_with_a_preferred_statement(shared_data: Path) -> None:
    """Q22 as one line of a filtered dump."""
    output = real(shared_data / "wikidata/raw/wikibase-dump-filter-Q22.json.gz")
    assert rejects(output) == [
        ("Q22 P131", "not_preferred", "Q174193", 1),
        ("Q22 P131", "not_preferred", "Q161885", 1),
    ]
    rows = {(row["property"], row["value"]): row for row in output.tables["statements"].to_pylist()}
    assert rows["P131", "Q145"]["start"] == "1922-12-06"
    assert rows["P625", "57.0,-5.0"]["value_kind"] == "coordinate"
    assert rows["P2046", "78782"]["unit"] == "Q712226"


def test_real_answers_of_the_api(shared_data: Path) -> None:
    """Answers of 2015 in the older shape: items by number only, one id missing, one property."""
    output = real(shared_data / "wikidata/raw/wdtk-wbgetentities-Q6-Q42-P31.json.gz")
    assert qids(output) == ["Q42"]
    assert ("Q6", "missing_entity") in reasons(output)
    assert ("P31", "property_entity") in reasons(output)
    universe = real(shared_data / "wikidata/raw/wdtk-wbgetentities-Q1.json.gz")
    assert universe.tables["entities"]["types"].to_pylist() == [["Q1454986"]]
    times = universe.tables["statements"].filter(pa.compute.field("value_kind") == "time").to_pylist()
    assert [(row["property"], row["value"], row["precision"]) for row in times] == [("P580", "Y-13798000000", 3)]


def test_real_dump_of_2015(shared_data: Path) -> None:
    """101 entities, none with labels: 55 items and 46 properties, by `grep -c`."""
    output = real(shared_data / "wikidata/raw/wdtk-sample-dump-20150815.json.gz")
    assert Counter(reason for _, reason in reasons(output)) == {"no_label": 55, "property_entity": 46}


@pytest.mark.parametrize(
    ("name", "expected"), [("L3354", ("lexeme", "not_an_entity")), ("P279", ("P279", "property_entity"))]
)
def test_real_records_that_are_no_items(shared_data: Path, name: str, expected: tuple[str, str]) -> None:
    assert reasons(real(shared_data / f"wikidata/raw/qwikidata-wd_{name}.json.gz")) == [expected]


@pytest.mark.slow
def test_real_counts(shared_data: Path) -> None:
    """The whole sample against counts taken with the standard json module."""
    path = shared_data / "wikidata/entities.json.gz"
    with gzip.open(path) as file:
        listed = [json.loads(line.rstrip(b",\n")) for line in file if len(line) > 2]
    assert len(listed) == 100_730
    assert sum(len(claims) for each in listed for claims in each["claims"].values()) == 429_665
    items = [each for each in listed if each["id"].startswith("Q")]
    claims = sum(len(some) for each in items for some in each["claims"].values())
    output = real(path)
    tables = output.tables
    assert tables["entities"].num_rows == len(items) == 95_695
    assert tables["entities"].num_rows - tables["entities"]["title"].null_count == 32_561
    assert tables["subclasses"].num_rows == 21_830
    found = Counter(reason for _, reason in reasons(output))
    assert found == {"property_entity": 5_035, "repeated_value": 3_072, "coarser_time": 362, "html_in_alias": 2}
    assert output.metrics == {"records": 100_730, "bad_records": 0, "statements": claims}
    assert claims == 419_436 == tables["statements"].num_rows + found["repeated_value"] + found["coarser_time"]
    kinds = Counter(tables["statements"]["value_kind"].to_pylist())
    assert kinds["item"] == len(
        {
            (each["id"], property_id, claim["mainsnak"]["datavalue"]["value"]["id"])
            for each in items
            for property_id, some in each["claims"].items()
            for claim in some
            if claim["mainsnak"]["datavalue"]["type"] == "wikibase-entityid"
        }
    )
