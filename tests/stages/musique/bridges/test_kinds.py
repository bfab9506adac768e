from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from stages.core.contract import Output, StageError
from stages.musique.bridges.bridge_pairs import PairParams, pairs, stage
from stages.musique.bridges.kinds import KIND_OF_TYPE, KINDS, PERSON, PLACE, WORK, load_kinds
from stages.musique.bridges.tables import BRIDGE_ANSWERS, MENTIONS, TAGS
from stages.musique.single_hops.forms import relation_sides
from stages.musique.soundness.narrowed_hops import load_wholes
from tests.stages.musique.single_hops.pool import single_hops, stated


def test_the_kinds_that_are_shipped() -> None:
    kinds = load_kinds()
    assert set(KIND_OF_TYPE.values()) == set(KINDS)
    assert kinds.objects["place of birth"] == (PLACE,) and kinds.subjects["place of birth"] == (PERSON,)
    assert kinds.objects["present in work"] == (WORK,)
    assert "country" not in kinds.subjects and list(kinds.digests) == ["bridges/kinds.yaml"]
    assert stage().templates == kinds.digests


@pytest.mark.slow
def test_every_relation_is_one_of_the_real_pool(shared_data: Path) -> None:
    kinds = load_kinds()
    with gzip.open(shared_data / "singlehop" / "pool.jsonl.gz", "rt") as lines:
        asked = {sides[1] for line in lines if (sides := relation_sides(json.loads(line)["question"]))}
    wholes = load_wholes()
    # Or one by which places within places are asked for.
    assert {*kinds.subjects, *kinds.objects} <= asked | {*wholes.named.values(), *wholes.ends.values()}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("version: 2\nrelations: {}", "kinds.yaml: expected version: 1 and relations"),
        ("version: 1\nrelations: {child: [person]}", "kinds.yaml: child: expected a mapping with subject or object"),
        ("version: 1\nrelations: {child: {son: [person]}}", "kinds.yaml: child: expected a mapping with subject"),
        ("version: 1\nrelations: {child: {object: [boy]}}", "child.object: expected a list of some of person, group"),
        ("version: 1\nrelations: {child: {object: person}}", "child.object: expected a list of some of person"),
        ("version: 1\nversion: 1", "kinds.yaml: line 2: 'version' stands twice"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "kinds.yaml"
    path.write_text(text)
    with pytest.raises(StageError, match=message.replace("[", "\\[")):
        load_kinds(str(path))


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(StageError, match="nowhere.yaml: cannot be read"):
        load_kinds("nowhere.yaml")


def paired(head: str, tail: str, head_type: str, tail_type: str) -> Output:
    """The pair of a head with some relation and a tail's question about "Atlantic", tagged as told."""
    hops = single_hops(
        stated(head, "Atlantic", "It is of Atlantic .", "Ex"), stated(tail, "Ahmet", "By Atlantic it is Ahmet .", "Ty")
    )
    one, other = (next(row["hop"] for row in hops.to_pylist() if row["question"] == text) for text in (head, tail))
    mention = {"tail": other, "entity": "atlantic", "bridge": "Atlantic", "start": 0, "end": 8, "masked": "m"}
    tags = [{"request": "h", "type": head_type, "longer": False}, {"request": "t", "type": tail_type, "longer": False}]
    return pairs(
        BRIDGE_ANSWERS.table([{"head": one, "entity": "atlantic", "request": "h"}]),
        MENTIONS.table([mention | {"request": "t"}]),
        TAGS.table(tags),
        hops,
        params=PairParams(),
        kinds=load_kinds(),
    )


LABEL, SPAN, WORKED = "Ex >> record label", "Ex >> place of birth", "Ex >> notable work"
ASKED = "Who crossed the Atlantic?"


@pytest.mark.parametrize(
    ("head", "tail", "types", "entity_type"),
    [
        # A label that the tagger takes for an ocean is none of the ocean's, ...
        (LABEL, ASKED, ("LOC", "LOC"), None),
        (LABEL, "Atlantic >> founded by", ("LOC", ""), "ORG"),
        (LABEL, ASKED, ("ORG", "ORG"), "ORG"),
        # ... and what a person is born in is no company, tagged or not.
        (SPAN, "Atlantic >> chairperson", ("GPE", "GPE"), None),
        (SPAN, "Atlantic >> chairperson", ("", ""), None),
        (SPAN, "Atlantic >> country", ("", ""), "GPE"),
        # The tagger's mistakes with works are believed where it makes them on both sides.
        ("Ex >> present in work", ASKED, ("ORG", "ORG"), "WORK_OF_ART"),
        ("Ex >> present in work", ASKED, ("ORG", "PERSON"), None),
        ("Ex >> mother", ASKED, ("ORG", "ORG"), None),
        # A relation that leaves several kinds open says no type.
        (WORKED, "Atlantic >> part of", ("", ""), ""),
        (WORKED, "Atlantic >> part of", ("", "WORK_OF_ART"), "WORK_OF_ART"),
        ("Ex >> part of", ASKED, ("LOC", "LOC"), "LOC"),
    ],
)
def test_relations_tell_the_kinds_of_their_sides(
    head: str, tail: str, types: tuple[str, str], entity_type: str | None
) -> None:
    output = paired(head, tail, *types)
    found = output.tables["bridge_pairs"]["entity_type"].to_pylist()
    reasons = output.rejects["reason"].to_pylist()
    assert (found, reasons) == (([], ["other_type"]) if entity_type is None else ([entity_type], []))
