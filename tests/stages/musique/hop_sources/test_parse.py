from __future__ import annotations

import hashlib
import re
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stages.core.contract import Output
from stages.facts.relations.templates import load_relations
from stages.io.detect import HOPS, kind_of
from stages.io.json_files import RECORDS
from stages.musique.hop_sources.parse import parse, relation_labels, stage
from stages.musique.hop_sources.source import HopFiles
from stages.musique.single_hops.stated import SingleHopParams
from stages.musique.single_hops.tables import READ_HOPS
from tests.stages.musique.single_hops.files import NEUTRAL

LABELS = {"P175": "performer"}


def parsed(*records: Any) -> Output:
    """The output for one batch of records, given as bytes or as what is written as JSON."""
    data = [record if isinstance(record, bytes) else msgspec.json.encode(record) for record in records]
    raw = pa.table({"data": data, "error": pa.nulls(len(data), pa.string())}, RECORDS)
    return parse(raw, params=SingleHopParams(), labels=LABELS)


def test_a_record_is_known_by_its_fields() -> None:
    squad = {"context": "Won by Ada.", "qas": [{"id": "q", "question": "Who won?", "answers": [{"text": "Ada"}]}]}
    spans = {"long_answer": {"start_token": 0, "end_token": 3}, "short_answers": [{"start_token": 1, "end_token": 2}]}
    triple = {"subject": {"surfaceform": "It"}, "predicate": {"uri": "P175"}, "object": {"surfaceform": "Ada"}}
    output = parsed(
        {"data": [{"title": "T", "paragraphs": [squad]}]},
        {"document_text": "<P> Ada won", "question_text": "who won", "annotations": [spans]},
        {"docid": "Q1", "title": "It", "text": "It is by Ada.", "triples": [triple]},
        {"tab_separated": ["performer", "Who?", "It", "It is by Ada.", "Ada"]},
        {"question": "Who?", "paragraph": "It is by Ada.", "answer": "Ada", "data": "more"},
    )
    assert output.rejects.num_rows == 0
    assert output.metrics == {"records": 5.0, "bad_records": 0.0, "hops": 5.0}
    rows = output.tables["read_hops"].to_pylist()
    assert [(row["source"], row["question"], row["answer"]) for row in rows] == [
        ("squad", "Who won?", "Ada"),
        ("natural-questions", "who won", "Ada"),
        ("t-rex", "It >> performer", "Ada"),
        ("zero-shot-re", "It >> performer", "Ada"),
        ("neutral", "Who?", "Ada"),
    ]


def test_rejects_are_keyed_by_the_question_or_by_the_content_of_the_record() -> None:
    unknown, nameless = {"b": 1, "a": 2}, {"question": "?", "paragraph": "x", "id": None}
    records = [b"{broken", b"[1]", msgspec.json.encode(unknown), msgspec.json.encode(nameless)]
    output = parsed(NEUTRAL | {"answer": None}, *records)
    keys = [f"sha256:{hashlib.sha256(record).hexdigest()[:12]}" for record in records]
    reasons = ["no_answer", "broken_json", "not_an_object", "unknown_record", "no_answer"]
    rows = output.rejects.to_pylist()
    assert [(row["key"], row["reason"]) for row in rows] == list(zip(["My Set:n1", *keys], reasons, strict=True))
    assert rows[3]["detail"] == "no format of single hops has the fields a, b"


def test_what_the_source_could_not_read_is_rejected_with_its_reason() -> None:
    raw = pa.table({"data": [None], "error": ["truncated_input: it ends early"]}, RECORDS)
    output = parse(raw, params=SingleHopParams(), labels={})
    assert [(row["reason"], row["detail"]) for row in output.rejects.to_pylist()] == [
        ("truncated_input", "it ends early")
    ]


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 2**70), st.floats(allow_nan=False), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=5,
)
SPAN = st.one_of(JSON, st.fixed_dictionaries({"start_token": JSON, "end_token": JSON}))
ITEM = st.one_of(JSON, st.fixed_dictionaries({"surfaceform": JSON, "uri": JSON, "boundaries": JSON}))
FORMATS = [
    st.fixed_dictionaries(
        {
            "data": st.lists(
                st.fixed_dictionaries(
                    {
                        "title": JSON,
                        "paragraphs": st.lists(
                            st.fixed_dictionaries(
                                {
                                    "context": JSON,
                                    "qas": st.lists(
                                        st.fixed_dictionaries({"id": JSON, "question": JSON, "answers": JSON}),
                                        max_size=1,
                                    ),
                                }
                            ),
                            max_size=1,
                        ),
                    }
                ),
                max_size=1,
            )
        }
    ),
    st.fixed_dictionaries(
        {
            "document_text": st.one_of(JSON, st.just("<P> a b </P>")),
            "annotations": st.one_of(
                JSON,
                st.lists(
                    st.fixed_dictionaries({"long_answer": SPAN, "short_answers": st.lists(SPAN, max_size=1)}),
                    max_size=2,
                ),
            ),
            "document_url": JSON,
            "example_id": JSON,
        }
    ),
    st.fixed_dictionaries(
        {
            "title": JSON,
            "text": st.one_of(JSON, st.just("Ada won.")),
            "triples": st.lists(
                st.fixed_dictionaries({"subject": ITEM, "predicate": ITEM, "object": ITEM}), max_size=2
            ),
        }
    ),
    st.fixed_dictionaries({"tab_separated": JSON}),
    st.fixed_dictionaries(
        dict.fromkeys(("question", "paragraph", "answer", "answers", "title", "id", "source", "answer_start"), JSON)
    ),
]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(JSON, *FORMATS))
def test_whatever_a_record_holds_it_is_read_or_rejected(record: Any) -> None:
    output = parsed(record)
    output.tables["read_hops"].validate(full=True)
    reasons = output.rejects["reason"].to_pylist()
    assert all(re.fullmatch("[a-z_]+", reason) for reason in reasons)
    for row in output.tables["read_hops"].to_pylist():
        assert row["question"] and row["answer"] and row["text"]
        assert row["answer"] not in row["answer_aliases"]
        assert row["answer_start"] is None or 0 <= row["answer_start"] <= len(row["text"])


def test_the_stage_knows_the_relations_of_the_templates() -> None:
    built = stage(HopFiles(("a.json",)), load_relations())
    assert relation_labels(load_relations())["P175"] == "performer"
    assert built.outputs == (READ_HOPS,)
    assert built.templates


@pytest.mark.slow
def test_the_real_pool(shared_data: Path) -> None:
    path = shared_data / "singlehop" / "pool.jsonl.gz"
    assert kind_of(str(path)) == HOPS
    source = HopFiles((str(path),))
    outputs = [
        parse(table, params=SingleHopParams(), labels={}) for part in source.parts() for table in source.read(part)
    ]
    found = pa.concat_tables([output.tables["read_hops"] for output in outputs])
    reasons = Counter[str]()
    for output in outputs:
        reasons.update({row["reason"]: row["count"] for row in output.rejects.to_pylist()})
    assert found.num_rows == 28_560
    assert set(reasons) == {"markup", "control_characters"}


def test_records_of_which_nothing_can_be_read_are_bad() -> None:
    output = parsed([1], {"song": "Imagine"}, {"data": [7]}, {"question": "Who?", "paragraph": "", "answer": "x"})
    assert output.metrics == {"records": 4.0, "bad_records": 2.0, "hops": 0.0}
    reasons = sorted(output.rejects["reason"].to_pylist())
    assert reasons == ["bad_article", "no_text", "not_an_object", "unknown_record"]
