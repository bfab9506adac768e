"""Stage `musique.parse`: single-hop questions from files of many formats (MuSiQue, step 1).

What a record is, is told by its fields:

    {"data": [...]}                            SQuAD, XQuAD, MLQA
    {"document_text", "annotations", ...}      Natural Questions, simplified
    {"text", "triples", ...}                   T-REx
    {"tab_separated": [...]}                   a line of Zero-Shot RE
    {"question", "paragraph", ...}             the neutral shape
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.contract import Map, Output, Source, Stage
from stages.core.texts import Refused
from stages.facts.relations.model import Relations
from stages.io.json_records import Readings, decode, rows
from stages.musique.hop_sources import natural_questions, neutral, squad, trex, zero_shot_re
from stages.musique.single_hops.stated import SingleHopParams, Stated, row
from stages.musique.single_hops.tables import READ_HOPS

Reader = Callable[[Mapping[str, Any]], Iterator[Stated | Refused]]


def parse(raw: pa.Table, *, params: SingleHopParams, labels: Mapping[str, str]) -> Output:
    """READ_HOPS from one batch of records; labels: of relations by property id, for T-REx.

    Rejects, keyed by the record's content, or by source and id where a question has one: broken_json,
    not_an_object, unknown_record, those of the readers and of `stated.row`, and the source's own.
    Metrics: records, bad_records (of which nothing could be read), hops.
    """
    readings, found = Readings("hops"), []
    for data, error in rows(raw):
        with readings.record(data, error) as place:
            record = decode(data, error)
            for item in _reader(record, labels)(record):
                try:
                    if isinstance(item, Refused):
                        raise item
                    found.append(row(item, params))
                except Refused as fault:
                    readings.rejects.add(_key(item, place.key), fault.reason, str(fault))
    readings.metrics["hops"] = len(found)
    return readings.output((READ_HOPS, found))


def _reader(record: Mapping[str, Any], labels: Mapping[str, str]) -> Reader:
    names = record.keys()
    if "document_text" in names:
        return natural_questions.read
    if "triples" in names:
        return partial(trex.read, labels=labels)
    if zero_shot_re.FIELD in names:
        return zero_shot_re.read
    if "question" in names and names & {"paragraph", "answer", "answers"}:
        return neutral.read
    if "data" in names:
        return squad.read
    raise Refused("unknown_record", f"no format of single hops has the fields {', '.join(sorted(names))}")


def _key(item: Stated | Refused, record: str) -> str:
    if isinstance(item, Stated) and isinstance(item.given_id, int | str):
        return f"{item.source}:{item.given_id}"[:100]
    return record


def relation_labels(relations: Relations) -> dict[str, str]:
    """English labels of the relations that the templates know, by property id."""
    return {pid: known.label for pid, known in relations.properties.items()}


def stage(source: Source, relations: Relations, params: SingleHopParams | None = None) -> Stage:
    params = params or SingleHopParams()
    return Stage(
        name="musique.parse",
        shape=Map(),
        kernel=partial(parse, params=params, labels=relation_labels(relations)),
        source=source,
        outputs=(READ_HOPS,),
        templates=relations.digests,
        about="S1: single-hop questions from all sources.",
    )
