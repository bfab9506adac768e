"""Stage `wiqa.graph_files`: influence graphs from files of the released format (WIQA's graphs).

One JSON object a line, or an array of them:

    {"para_id", "graph_id", "prompt", "paragraph", "X", "Y", "W", "U", "Z", "V",
     "para_outcome_accelerate", "para_outcome_decelerate", "Y_is_outcome", "Y_affects_outcome"}

A node is a text, a list of texts, or empty where the graph lacks it. A record {"graphs": [...]}
stands for the graphs in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.columns import flag, text, texts
from stages.core.contract import Map, Output, Source, Stage, TableSpec
from stages.core.limits import at_least
from stages.core.rejects import Rejects
from stages.core.texts import Refused, tidy
from stages.io.json_records import Readings, decode, identifier, rows
from stages.wiqa.graph import LESS, MORE, NODES, outcome_effect
from stages.wiqa.paragraphs import ParagraphParams, sentences, title

FILE = "file"
FIELDS = {node: node for node in NODES} | {"A": "para_outcome_accelerate", "D": "para_outcome_decelerate"}

RAW_GRAPHS = TableSpec(
    name="raw_graphs",
    schema=pa.schema(
        [
            text("para_id"),
            text("graph_id"),
            pa.field("topic", pa.string()),
            pa.field("prompt", pa.string()),
            texts("sentences"),
            *(texts(node) for node in NODES),
            text("y_affects"),
            flag("confirmed"),
            text("source"),
        ]
    ),
    key=("para_id", "graph_id"),
    on_duplicate="reject",
)
"""One row per graph as somebody made it, from a file or from annotations.

topic, prompt, sentences: the graph's own account of its paragraph; null or empty where it gives none.
V ... D: tidy, distinct texts per node; an empty list is a missing node. y_affects: more, less or neither.
"""


@dataclass(frozen=True)
class InfluenceGraphParams:
    """Most characters of a node's text, and most texts of one node."""

    max_text: int = 300
    max_groundings: int = 12

    def __post_init__(self) -> None:
        at_least(self, 1, "max_text", "max_groundings")


def graphs(raw: pa.Table, *, params: InfluenceGraphParams) -> Output:
    """RAW_GRAPHS from one batch of records.

    Rejects of a graph, keyed "para_id graph_id" or by the record's content: broken_json, not_an_object,
    bad_para_id, bad_graph_id, unknown_node, bad_node, bad_outcome, contradictory_outcome, too_many_groundings,
    and those of a paragraph. Rejects of one text of a node, keyed "para_id graph_id node": not_text, too_long,
    control_characters, markup; the graph goes on without it.
    """
    readings, found = Readings(), []
    for data, error in rows(raw):
        for record in _records(data, error):
            with readings.record(data, error) as place:
                if isinstance(record, Refused):
                    raise record
                place.key = f"{identifier(record, 'para_id')} {identifier(record, 'graph_id')}"
                found.append(raw_graph(record, params, readings.rejects, place.key))
    return readings.output((RAW_GRAPHS, found))


def _records(data: bytes | None, error: str | None) -> Iterator[Mapping[str, Any] | Refused]:
    """The graphs of one record, and what stands in the place of one that cannot be read."""
    try:
        record = decode(data, error)
    except Refused as fault:
        yield fault
        return
    several = record.get("graphs")
    for item in several if isinstance(several, list) else [record]:
        yield item if isinstance(item, dict) else Refused("not_an_object", str(item)[:100])


def raw_graph(record: Mapping[str, Any], params: InfluenceGraphParams, rejects: Rejects, key: str) -> dict[str, Any]:
    """The row of RAW_GRAPHS for one record; texts that cannot be used are left out and rejected under `key`."""
    unknown = sorted(name for name in record if len(name) == 1 and name.isupper() and name not in NODES)
    if unknown:
        raise Refused("unknown_node", f"{', '.join(unknown)}; a graph has the nodes {', '.join(NODES)}")
    own_paragraph = record.keys() & {"paragraph", "sentences"} and (record.get("paragraph") or record.get("sentences"))
    limits = ParagraphParams()
    return {
        "para_id": identifier(record, "para_id"),
        "graph_id": identifier(record, "graph_id"),
        "topic": title(record.get("topic"), limits.max_title),
        "prompt": title(record.get("prompt"), limits.max_title),
        "sentences": sentences(record, limits) if own_paragraph else [],
        "y_affects": outcome_effect(_affects(record), _word(record, "Y_is_outcome")),
        "confirmed": record.get("confirmed") is True,
        "source": FILE,
    } | {node: _groundings(record, node, params, rejects, key) for node in NODES}


def _affects(record: Mapping[str, Any]) -> str | None:
    """What Y does to the outcome; the release's own loader takes true for more and false for less."""
    value = record.get("Y_affects_outcome")
    return (LESS, MORE)[value] if isinstance(value, bool) else _word(record, "Y_affects_outcome")


def _word(record: Mapping[str, Any], name: str) -> str | None:
    value = record.get(name)
    if not isinstance(value, str | None):
        raise Refused("bad_outcome", f"{name}: expected more, less or neither, got {value!r}")
    return value


def _groundings(
    record: Mapping[str, Any], node: str, params: InfluenceGraphParams, rejects: Rejects, key: str
) -> list[str]:
    value = record.get(FIELDS[node], record.get(node))
    listed = [value] if isinstance(value, str) else value or []
    if not isinstance(listed, list):
        raise Refused("bad_node", f"{FIELDS[node]}: expected a text or a list of texts, got {type(value).__name__}")
    if len(listed) > params.max_groundings:
        raise Refused("too_many_groundings", f"{node}: {len(listed)}, the limit is {params.max_groundings}")
    found: dict[str, None] = {}
    for item in listed:
        try:
            words = phrase(item, params)
        except Refused as fault:
            rejects.add(f"{key} {node}", fault.reason, str(fault))
            continue
        if words:
            found[words] = None
    return list(found)


def phrase(value: object, params: InfluenceGraphParams) -> str:
    """A node's text without the mark that would end a sentence: it stands inside a question."""
    return tidy(value, params.max_text).rstrip(" .?!;,")


def stage(source: Source, params: InfluenceGraphParams | None = None) -> Stage:
    params = params or InfluenceGraphParams()
    return Stage(
        name="wiqa.graph_files",
        shape=Map(),
        kernel=partial(graphs, params=params),
        source=source,
        outputs=(RAW_GRAPHS,),
        about="Influence graphs from files: nodes with their phrasings, and what Y does to the outcome.",
    )
