"""Released records of all datasets: they come back as they were, and wrong ones are named by place and key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.ifqa.release.records import CounterfactualRecord
from stages.ifqa.tables import same_question
from stages.musique.release.records import MultihopRecord
from stages.qampari.release.format import AnswersRecord, item_url, make_qid, split_qid
from stages.release.format import Record, ReleaseError, arrow_schema, described_fields, once_each, read_records
from stages.wikidata.simple import own_qid
from stages.wikipedia.dump import page_address
from stages.wiqa.release.records import ChoiceRecord, split_stem, stem
from tests.stages.release.samples import ANSWERS, CHOICE, COUNTERFACTUAL, MULTIHOP, as_lines, changed, contrast

WIKIPEDIA = "https://en.wikipedia.org/wiki"
SAMPLES = [
    (AnswersRecord, ANSWERS),
    (ChoiceRecord, CHOICE),
    (CounterfactualRecord, COUNTERFACTUAL),
    (MultihopRecord, MULTIHOP),
]
PROOF = ("answer_list", 0, "proof", 0)
HOPS = "question_decomposition"


@pytest.mark.parametrize(("kind", "record"), SAMPLES)
def test_a_record_survives_reading_and_writing(kind: type[Record], record: dict[str, Any]) -> None:
    # As text, so that the order of the fields is the released one.
    assert kind.decode(json.dumps(record)).line() == json.dumps(record)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (changed(ANSWERS, "answer_list", 0, "aid", to="3__a__dev__1"), r"answer_list\[0\].aid: expected '3__wiki"),
        (changed(ANSWERS, "answer_list", 0, "aid", to=7), r"Expected `str`, got `int` - at `\$.answer_list\[0\].aid`"),
        (changed(ANSWERS, "answer_list", 0, "aliases", to=["JAWS"]), r"\[0\].aliases: expected to hold 'Jaws'"),
        (changed(ANSWERS, *PROOF, "pid", to="x"), r"answer_list\[0\].proof\[0\].pid: expected"),
        (changed(ANSWERS, "entities", 0, "aliases", to=[]), r"entities\[0\].aliases: expected to hold 'X'"),
        (changed(ANSWERS, "qid", to="three"), "qid: expected '<number>__<kind>__<split>', got 'three'"),
        (changed(ANSWERS, "qid", to=f"{'1' * 5000}__a__dev"), "qid: expected '<number>__<kind>__<split>'"),
        (changed(ANSWERS, "level", to="hard"), "unknown field `level`"),
        ({"qid": "3__wikidata_simple__dev"}, "missing required field"),
        (changed(CHOICE, "question", "stem", to="what is rain?"), "question.stem"),
        (changed(CHOICE, "question", "para_steps", to=[]), "question.para_steps"),
        (changed(CHOICE, "question", "para_steps", to=["a", " "]), "question.para_steps"),
        (changed(CHOICE, "question", "answer_label", to="maybe"), "answer_label"),
        (changed(CHOICE, "question", "answer_label_as_choice", to="B"), "question.answer_label_as_choice"),
        (changed(CHOICE, "question", "choices", to=CHOICE["question"]["choices"][::-1]), "question.choices"),
        (changed(CHOICE, "question", "extra", to=1), "extra"),
        (changed(CHOICE, "metadata", "ques_id", to="influence_graph:127:13:9#1"), "metadata.ques_id"),
        (changed(CHOICE, "metadata", "ques_id", to="9#1"), "metadata.ques_id"),
        (changed(CHOICE, "metadata", "question_type", to="OUTOFPARA_DISTRACTOR"), "metadata.question_type"),
        (changed(CHOICE, "metadata", "path_len", to=5), "metadata.path_len"),
        (changed(CHOICE, "metadata", "path_len", to=0), "metadata.path_len"),
        (changed(CHOICE, "metadata", "path_len", to="3"), "path_len"),
        ({"question": CHOICE["question"]}, "metadata"),
        (COUNTERFACTUAL | {"idx": "1"}, r"Expected `int`.*idx"),
        (COUNTERFACTUAL | {"idx": -1}, "idx: expected 0 or more"),
        (COUNTERFACTUAL | {"question": " "}, "question: expected a text"),
        (COUNTERFACTUAL | {"answers": []}, "answers: expected at least one text"),
        (COUNTERFACTUAL | {"answers": ["it", "it"]}, "answers: expected each answer once"),
        (COUNTERFACTUAL | {"context": [""]}, "context: expected at least one passage"),
        (MULTIHOP | {"id": "5hop__7_a:b"}, "id: expected one of 2hop"),
        (MULTIHOP | {"id": "2hop"}, "id: expected one of 2hop"),
        (MULTIHOP | {"id": "2hop__a:b_7"}, "2hop__7_a:b"),
        (MULTIHOP | {"id": "3hop1__7_a:b"}, "3 steps for 3hop1"),
        (MULTIHOP | {"question": " "}, "question: expected a text"),
        (changed(MULTIHOP, HOPS, 1, "question", to="Rome >> country"), "edges"),
        (changed(MULTIHOP, HOPS, 0, "paragraph_support_idx", to=1), "is_supporting"),
        (changed(MULTIHOP, HOPS, 0, "paragraph_support_idx", to=9), "is_supporting"),
        (changed(MULTIHOP, "paragraphs", 1, "is_supporting", to=True), "is_supporting"),
        (changed(MULTIHOP, "paragraphs", 1, "idx", to=2), "idx from 0 up"),
        (MULTIHOP | {"answer": "Brig"}, "answer: expected the last step's 'Norland'"),
        (MULTIHOP | {"answer_aliases": ["Norland"]}, "answer_aliases"),
        (MULTIHOP | {"answerable": False}, "answerable: expected True"),
    ],
)
def test_wrong_records_are_named_by_line_and_key(tmp_path: Path, record: dict[str, Any], message: str) -> None:
    kind, good = max(SAMPLES, key=lambda sample: len(set(record) & set(sample[1])))
    file = tmp_path / "dev.jsonl"
    file.write_text(f"\n{as_lines(good)}{as_lines(record)}")
    with pytest.raises(ReleaseError, match=rf"dev\.jsonl, line 3: .*{message}"):
        read_records(file, kind)


@pytest.mark.parametrize(("line", "message"), [("{", "truncated"), ("[]", "object"), (b'{"qid": "\xff"}', "utf-8")])
def test_lines_that_hold_no_record(line: str | bytes, message: str) -> None:
    with pytest.raises(ReleaseError, match=f"(?i){message}"):
        AnswersRecord.decode(line)


@pytest.mark.parametrize(("kind", "record"), SAMPLES)
def test_files_are_lines_or_an_array_and_hold_each_record_once(
    tmp_path: Path, kind: type[Record], record: dict[str, Any]
) -> None:
    file = tmp_path / "dev.json"
    for text in (as_lines(record), json.dumps([record])):
        file.write_text(text)
        assert read_records(file, kind) == [kind.decode(json.dumps(record))]
    for text, place in ((as_lines(record, record), "line 2"), (json.dumps([record, record]), "entry 2")):
        file.write_text(text)
        with pytest.raises(ReleaseError, match=rf"dev\.json, {place}: the {kind.ID} '.*' appears twice"):
            read_records(file, kind)


def test_ids_come_once() -> None:
    entries = [("line 1", "b", 1), ("line 2", "a", 2)]
    assert once_each(entries) == [1, 2]
    with pytest.raises(ReleaseError, match="line 3: the qid 'b' appears twice in the gold file"):
        once_each([*entries, ("line 3", "b", 3)], called="qid")


def test_the_table_of_a_record_follows_from_its_fields() -> None:
    step = [
        ("id", pa.string()),
        ("question", pa.string()),
        ("answer", pa.string()),
        ("paragraph_support_idx", pa.int64()),
    ]
    schema = arrow_schema(MultihopRecord)
    assert schema.field(HOPS).type == pa.list_(pa.struct(step))
    assert schema.field("answerable").type == pa.bool_() and schema.field("answer_aliases").type == pa.list_(
        pa.string()
    )
    assert arrow_schema(ChoiceRecord).field("metadata").type.field("question_type").type == pa.string()
    assert all(arrow_schema(kind).names == list(record) for kind, record in SAMPLES)


def test_a_card_lists_every_field_below_what_holds_it() -> None:
    listed = described_fields(AnswersRecord).splitlines()
    assert [line.partition(":")[0] for line in listed][-7:] == [
        *("  - `aliases`", "  - `answer_url`", "  - `proof`"),
        *("    - `proof_text`", "    - `found_in_url`", "    - `pid`", "- `qid`"),
    ]
    assert listed[0] == "- `entities`: the entities that the question names"
    assert all(line.partition(": ")[2] for kind, _ in SAMPLES for line in described_fields(kind).splitlines())


def test_released_records_come_back_to_the_same_bytes(shared_data: Path) -> None:
    path = shared_data / "qampari" / "released_format_dev_tables.jsonl"
    records = read_records(path, AnswersRecord)
    assert len(records) == 85
    assert {(record.kind, record.split) for record in records} == {("wikitables_simple", "dev")}
    assert "".join(f"{record.line()}\n" for record in records) == path.read_text(encoding="utf-8")
    urls = {answer.answer_url for record in records for answer in record.answer_list}
    urls |= {proof.found_in_url for record in records for answer in record.answer_list for proof in answer.proof}
    assert len(urls) > 1900
    for url in urls:
        address = page_address(WIKIPEDIA, url.removeprefix(f"{WIKIPEDIA}/").replace("_", " "))
        assert address is not None
        assert unquote(address) == url and address.isascii()


def test_released_composed_questions_come_back_with_equal_content(shared_data: Path) -> None:
    path = shared_data / "musique" / "train_sample_60.json"
    raw = json.loads(path.read_text(encoding="utf-8"))
    found = read_records(path, MultihopRecord)
    assert [json.dumps(json.loads(record.line())) for record in found] == list(map(json.dumps, raw))
    assert {record.shape.name for record in found} == {"2hop", "3hop1", "3hop2", "4hop1", "4hop3"}
    for record in found:
        assert record.edges == set(record.shape.edges)
        assert (len(record.supports), len(record.paragraphs)) == (record.shape.level, 20)


def test_released_counterfactual_questions_can_be_read(shared_data: Path) -> None:
    read = read_records(shared_data / "ifqa" / "full_train.json", CounterfactualRecord)
    assert len(read) == 2400 and len({same_question(record.question) for record in read}) == 2378


def test_what_records_say_of_themselves() -> None:
    choice = ChoiceRecord.decode(json.dumps(CHOICE))
    assert (choice.hops, choice.parts, choice.graph) == (2, ("during sunshine", "more vapors"), "127:12")
    assert choice.paragraph == "Water is heated. It evaporates."
    hops = MultihopRecord.decode(json.dumps(MULTIHOP))
    assert (hops.shape.name, hops.edges, hops.supports) == ("2hop", {(1, 2)}, {0, 2})
    assert MultihopRecord.decode(json.dumps(contrast())).identity == "2hop__7_a:b unanswerable"
    # A later step's number, or the own one, is plain text.
    MultihopRecord.decode(json.dumps(changed(MULTIHOP, HOPS, 0, "question", to="#1 >> country")))


def test_stems_are_split_where_the_wording_is() -> None:
    assert split_stem(stem("it happens, how odd", "a. b")) == ("it happens, how odd", "a. b")


def test_an_id_follows_from_the_query_alone() -> None:
    # 10**14 + sha256 of the query mod 9 * 10**14, worked out apart from the code.
    assert make_qid("P57:Q8877>P58", "wikidata_comp", "test") == "646749667689523__wikidata_comp__test"
    assert {len(make_qid(f"P57:Q{n}", "a", "dev")) for n in range(500)} == {len("646749667689523__a__dev")}
    assert split_qid("1368__wikidata_simple__dev") == (1368, "wikidata_simple", "dev")


@pytest.mark.parametrize(
    ("title", "path"),
    [
        ("Jaws (film)", "Jaws_(film)"),
        ("AC/DC", "AC/DC"),
        ("Asimov's Science Fiction", "Asimov%27s_Science_Fiction"),
        ("Brăila Bridge", "Br%C4%83ila_Bridge"),
        ("Who's Afraid of Virginia Woolf?", "Who%27s_Afraid_of_Virginia_Woolf%3F"),
        ("Notepad++", "Notepad%2B%2B"),
        ("Help!", "Help!"),
        ("100% Wolf", "100%25_Wolf"),
        ("AT&T", "AT%26T"),
        ("Blue–Gray Football Classic", "Blue%E2%80%93Gray_Football_Classic"),
        ("2001: A Space Odyssey", "2001:_A_Space_Odyssey"),
    ],
)
def test_addresses_as_the_site_writes_them(title: str, path: str) -> None:
    address = page_address(WIKIPEDIA, title)
    assert address == item_url(address, "Q42") == f"{WIKIPEDIA}/{path}"
    assert item_url(None, "Q42") == "https://www.wikidata.org/wiki/Q42"


def test_no_address_is_made_up() -> None:
    assert page_address("", "Mill Lane") is None
    assert item_url(None, own_qid("Mill Lane")) == ""
    assert item_url("https://my.org/mill", own_qid("Mill Lane")) == "https://my.org/mill"


@given(st.text(min_size=1))
def test_any_title_gives_an_ascii_address(title: str) -> None:
    url = page_address(WIKIPEDIA, title)
    assert url is not None and url.isascii()
    assert unquote(url) == f"{WIKIPEDIA}/{title.replace(' ', '_')}"
