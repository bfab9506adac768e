"""Stage `bridges.pairs`: heads and tails of each bridge entity put together (MuSiQue, step 2).

The first check of identity is made here: the tagger sees entities of one kind at the
answer and at the mention. A relation's subject and value are entities because the
relation says so, whether the tagger sees them or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from stages.bridges.apart import answered_in_head
from stages.bridges.tables import BRIDGE_ANSWERS, MENTIONS, PAIRS, TAGS
from stages.contract import Output, Stage, StageError, Whole
from stages.hops.forms import bare, form
from stages.hops.tables import SINGLE_HOPS
from stages.rejects import Rejects
from stages.sql import sql

SHOWN_IN_HEAD = "tail_answer_in_head_paragraph"
_PLACE = "PLACE"
# What is a territory in one sentence is a building or a landscape in another; types not named here are kinds alone.
_KINDS = {"GPE": _PLACE, "LOC": _PLACE, "FAC": _PLACE}


@dataclass(frozen=True)
class PairParams:
    """types: the tagger's types that a bridge may have; same_type: whether answer and mention must agree in it.
    answer_apart: whether the tail's answer must be absent from the head's paragraph too, where a reader would find it
        without taking the second step; stricter than the paper, which looks at the head's question only.

    Peoples and languages ("NORP", "LANGUAGE") are left out: most are adjectives ("a French author"), which name
    now the one and now the other, and which no question can stand for.
    """

    types: tuple[str, ...] = ("EVENT", "FAC", "GPE", "LAW", "LOC", "ORG", "PERSON", "PRODUCT", "WORK_OF_ART")
    same_type: bool = True
    answer_apart: bool = True

    def __post_init__(self) -> None:
        if not self.types:
            raise StageError("types: at least one entity type is needed")


def pairs(answers: pa.Table, mentions: pa.Table, tags: pa.Table, hops: pa.Table, *, params: PairParams) -> Output:
    """PAIRS from all heads, mentions and tags.

    Rejects, keyed by the entity and counted: of heads and mentions not_an_entity (by its type, or untagged),
    inside_longer_entity; of pairs same_paragraph, tail_answer_in_head, answer_is_bridge, other_type,
    tail_answer_in_head_paragraph.
    """
    rejects = Rejects()
    forms = _forms(hops)
    kinds = pa.table({"type": list(params.types), "kind": [_KINDS.get(name, name) for name in params.types]})
    heads = _kept(
        sql(_TYPED, named=answers.rename_columns({"head": "hop"}), tags=tags, hops=forms, kinds=kinds), rejects
    )
    tails = _kept(
        sql(_TYPED, named=mentions.rename_columns({"tail": "hop"}), tags=tags, hops=forms, kinds=kinds), rejects
    )
    judged = sql(_PAIRED, heads=heads, tails=tails, hops=forms)
    if not params.same_type:
        column = judged.column_names.index("reason")
        untyped = pc.if_else(pc.equal(judged["reason"], "other_type"), None, judged["reason"])
        judged = judged.set_column(column, "reason", untyped)
    kept = _kept(judged, rejects)
    if params.answer_apart:
        kept = _kept(_apart(kept, hops), rejects)
    rows = sql(_SPELT, pairs=kept, mentions=mentions, hops=hops.select(["hop", "answer"]))
    return Output(
        {PAIRS.name: rows.select(PAIRS.schema.names).cast(PAIRS.schema)},
        rejects.table(),
        {
            "heads": float(heads.num_rows),
            "tails": float(tails.num_rows),
            "capped_pairs": float(judged.num_rows),
            "pairs": float(rows.num_rows),
        },
    )


def _apart(pairs: pa.Table, hops: pa.Table) -> pa.Table:
    """The pairs, with a reason where the head's paragraph holds the tail's answer."""
    shown = pa.array(answered_in_head(pairs, hops), pa.bool_())
    return pairs.append_column("reason", pc.if_else(shown, SHOWN_IN_HEAD, None))


def _forms(hops: pa.Table) -> pa.Table:
    """hop, relational, paragraph, and the joined forms of question and answer."""
    return pa.table(
        {
            "hop": hops["hop"],
            "relational": hops["relational"],
            "paragraph": hops["paragraph"],
            "asked": pa.array([form(text) for text in hops["question"].to_pylist()], pa.string()),
            "answered": pa.array([bare(form(text)) for text in hops["answer"].to_pylist()], pa.string()),
        }
    )


def _kept(judged: pa.Table, rejects: Rejects) -> pa.Table:
    """The rows without a reason; the others are counted by entity and reason."""
    rejects.extend(sql(_COUNTED, judged=judged))
    return judged.filter(pc.is_null(judged["reason"])).drop_columns(["reason"])


_COUNTED = """
    SELECT entity AS key, reason, '' AS detail, count(*) AS count
    FROM judged
    WHERE reason IS NOT NULL
    GROUP BY entity, reason
"""

# A type outside the list tells that the name is none of ours, unless a relation vouches for a mere lack of a type.
# A person's longer name is the person's; what else a longer entity is says nothing of the name in it.
_TYPED = """
    SELECT n.hop, n.entity, h.relational, coalesce(k.kind, '') AS kind,
        CASE WHEN k.kind IS NULL THEN '' ELSE t.type END AS type,
        CASE
            WHEN t.longer AND NOT h.relational THEN 'inside_longer_entity'
            WHEN t.longer OR (t.type = '' AND h.relational) THEN NULL
            WHEN k.kind IS NULL THEN 'not_an_entity'
        END AS reason
    FROM named n
    JOIN hops h USING (hop)
    JOIN tags t USING (request)
    LEFT JOIN kinds k ON k.type = t.type AND (NOT t.longer OR t.type = 'PERSON')
"""

_PAIRED = """
    SELECT h.hop AS head, t.hop AS tail, h.entity,
        CASE WHEN h.type <> '' THEN h.type ELSE t.type END AS entity_type,
        CASE
            WHEN q1.paragraph = q2.paragraph THEN 'same_paragraph'
            WHEN q2.answered = ' ' || h.entity || ' ' THEN 'answer_is_bridge'
            WHEN q2.answered <> ' ' AND contains(q1.asked, q2.answered) THEN 'tail_answer_in_head'
            WHEN h.kind <> t.kind AND h.kind <> '' AND t.kind <> '' THEN 'other_type'
        END AS reason
    FROM heads h
    JOIN tails t USING (entity)
    JOIN hops q1 ON q1.hop = h.hop
    JOIN hops q2 ON q2.hop = t.hop
    WHERE h.hop <> t.hop
"""

_SPELT = """
    SELECT p.*, h.answer, m.bridge, m.start, m."end", m.masked
    FROM pairs p
    JOIN mentions m ON m.tail = p.tail AND m.entity = p.entity
    JOIN hops h ON h.hop = p.head
"""


def stage(params: PairParams | None = None) -> Stage:
    params = params or PairParams()
    return Stage(
        name="bridges.pairs",
        version=2,
        shape=Whole(),
        kernel=partial(pairs, params=params),
        inputs=(BRIDGE_ANSWERS.name, MENTIONS.name, TAGS.name, SINGLE_HOPS.name),
        outputs=(PAIRS,),
        params=params,
        about="S2: pairs of hops whose bridge has one entity type on both sides.",
    )
