"""Stage `musique.bridge_pairs`: heads and tails of each bridge entity put together (MuSiQue, step 2).

The first check of identity is made here: answer and mention are of one kind. The tagger
tells it, and where the tagger sees nothing or what cannot be, the relation: its subject and
value are entities because the relation says so (see `kinds`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from stages.core.contract import Output, Stage, StageError, Whole
from stages.core.rejects import Rejects
from stages.core.sql import sql
from stages.musique.bridges.apart import answered_in_head
from stages.musique.bridges.kinds import EVENT, GROUP, KIND_OF_TYPE, OTHER, PERSON, PLACE, WORK, Kinds, load_kinds
from stages.musique.bridges.tables import BRIDGE_ANSWERS, MENTIONS, PAIRS, TAGS
from stages.musique.bridges.whole import OTHER_CASE, is_cased, same_case, without_article
from stages.musique.single_hops.forms import bare, form
from stages.musique.single_hops.tables import SINGLE_HOPS

SHOWN_IN_HEAD = "tail_answer_in_head_paragraph"
# The type that a relation gives a name of which it leaves one kind open.
_TYPE_OF_KIND = {PERSON: "PERSON", GROUP: "ORG", PLACE: "GPE", WORK: "WORK_OF_ART", EVENT: "EVENT", OTHER: ""}
_CLAIMS = pa.schema([("relation", pa.string()), ("claimed", pa.list_(pa.string())), ("sole", pa.string())])


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


def pairs(
    answers: pa.Table,
    mentions: pa.Table,
    tags: pa.Table,
    hops: pa.Table,
    *,
    params: PairParams,
    kinds: Kinds | None = None,
) -> Output:
    """PAIRS from all heads, mentions and tags; kinds: what relations tell of their sides.

    Rejects, keyed by the entity and counted: of heads and mentions not_an_entity (by its type, here or mostly, or
    untagged), inside_longer_entity; of pairs same_paragraph, same_page, tail_answer_in_head, answer_is_bridge,
    other_type, other_case (head and tail write the name differently), tail_answer_in_head_paragraph.
    """
    kinds = kinds or Kinds()
    rejects, forms = Rejects(), _forms(hops)
    types = _types(params)
    others = sql(_OTHERS, answers=answers, mentions=mentions, tags=tags, types=types)
    known = {"tags": tags, "hops": forms, "types": types, "others": others}
    heads, tails = (
        _kept(
            sql(_TYPED, named=named.rename_columns({side: "hop"}), claims=claims, **known),
            rejects,
        )
        for side, named, claims in (
            ("head", answers, _claims(kinds.objects)),
            ("tail", mentions, _claims(kinds.subjects)),
        )
    )
    judged = sql(_PAIRED, heads=heads, tails=tails, hops=forms)
    kept = _kept(judged if params.same_type else _untyped(judged), rejects)
    rows = _kept(_same_case(sql(_SPELT, pairs=kept, mentions=mentions, hops=hops)), rejects)
    if params.answer_apart:
        rows = _kept(_apart(rows, hops), rejects)
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


def _types(params: PairParams) -> pa.Table:
    return pa.table({"type": list(params.types), "kind": [KIND_OF_TYPE.get(name, name) for name in params.types]})


def _claims(kinds: Mapping[str, tuple[str, ...]]) -> pa.Table:
    """relation, the kinds that it claims for one side, and the type of the only one."""
    rows = [
        {"relation": label, "claimed": list(kinds), "sole": _TYPE_OF_KIND[kinds[0]] if len(kinds) == 1 else ""}
        for label, kinds in kinds.items()
    ]
    return pa.Table.from_pylist(rows, _CLAIMS)


def _untyped(judged: pa.Table) -> pa.Table:
    """The pairs, without the reason that their types differ."""
    column = judged.column_names.index("reason")
    untyped = pc.if_else(pc.equal(judged["reason"], "other_type"), None, judged["reason"])
    return judged.set_column(column, "reason", untyped)


def _same_case(spelt: pa.Table) -> pa.Table:
    """The pairs, with a reason where the question writes the name otherwise than the head: "Us" is not the US."""
    columns = (spelt[name].to_pylist() for name in ("question", "bridge", "answer"))
    reasons = [
        OTHER_CASE if is_cased(question) and not same_case(without_article(bridge), without_article(answer)) else None
        for question, bridge, answer in zip(*columns, strict=True)
    ]
    return spelt.append_column("reason", pa.array(reasons, pa.string()))


def _apart(pairs: pa.Table, hops: pa.Table) -> pa.Table:
    """The pairs, with a reason where the head's paragraph holds the tail's answer."""
    shown = pa.array(answered_in_head(pairs, hops), pa.bool_())
    return pairs.append_column("reason", pc.if_else(shown, SHOWN_IN_HEAD, None))


def _forms(hops: pa.Table) -> pa.Table:
    """hop, relational, relation, paragraph, and the joined forms of title, question and answer."""
    return pa.table(
        {
            "hop": hops["hop"],
            "relational": hops["relational"],
            "relation": hops["relation"],
            "paragraph": hops["paragraph"],
            "page": pa.array([form(title) for title in hops["title"].to_pylist()], pa.string()),
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

# Names that are mostly no entities where a tagger sees them ("British", "May"): a slip of it, or a relation whose value
# is "British", makes none of them.
_OTHERS = """
    WITH named AS (
        SELECT entity, request FROM answers UNION ALL SELECT entity, request FROM mentions
    )
    SELECT n.entity
    FROM named n
    JOIN tags t USING (request)
    LEFT JOIN types k ON k.type = t.type
    WHERE t.type <> ''
    GROUP BY n.entity
    HAVING 2 * count_if(k.type IS NULL) > count(*)
"""

# A type outside the list tells that the name is none of ours, unless a relation vouches for a mere lack of a type.
# A person's longer name is the person's; what else a longer entity is says nothing of the name in it.
# Where a type contradicts the relation, the tagger is wrong: it knows places by their names, so a name may be a place's
# and stand for something else; of others it is wrong in the same way on both sides, so either is believed.
_TYPED = """
    WITH seen AS (
        SELECT n.hop, n.entity, h.relational, k.kind, t.type, t.longer, c.claimed, coalesce(c.sole, '') AS sole,
            coalesce(list_contains(c.claimed, k.kind), c.claimed IS NULL) AS fits
        FROM named n
        JOIN hops h USING (hop)
        JOIN tags t USING (request)
        LEFT JOIN types k ON k.type = t.type AND (NOT t.longer OR t.type = 'PERSON')
        LEFT JOIN claims c ON h.relational AND c.relation = h.relation
    )
    SELECT hop, entity, relational,
        CASE
            WHEN kind IS NULL THEN claimed
            WHEN fits THEN [kind]
            WHEN kind = 'place' OR claimed = ['person'] THEN claimed
            ELSE list_append(claimed, kind)
        END AS kinds,
        CASE WHEN (kind IS NOT NULL AND fits) OR (sole = '' AND kind <> 'place') THEN type ELSE sole END AS type,
        CASE
            WHEN entity IN (SELECT entity FROM others) THEN 'not_an_entity'
            WHEN longer AND NOT relational THEN 'inside_longer_entity'
            WHEN longer OR (type = '' AND relational) THEN NULL
            WHEN kind IS NULL THEN 'not_an_entity'
        END AS reason
    FROM seen
"""

_PAIRED = """
    SELECT h.hop AS head, t.hop AS tail, h.entity,
        CASE WHEN h.type <> '' THEN h.type ELSE t.type END AS entity_type,
        CASE
            WHEN q1.paragraph = q2.paragraph THEN 'same_paragraph'
            WHEN q1.page = q2.page AND q1.page <> ' ' THEN 'same_page'
            WHEN q2.answered = ' ' || h.entity || ' ' THEN 'answer_is_bridge'
            WHEN q2.answered <> ' ' AND contains(q1.asked, q2.answered) THEN 'tail_answer_in_head'
            WHEN NOT list_has_any(h.kinds, t.kinds) THEN 'other_type'
        END AS reason
    FROM heads h
    JOIN tails t USING (entity)
    JOIN hops q1 ON q1.hop = h.hop
    JOIN hops q2 ON q2.hop = t.hop
    WHERE h.hop <> t.hop
"""

_SPELT = """
    SELECT p.*, h.answer, t.question, m.bridge, m.start, m."end", m.masked
    FROM pairs p
    JOIN mentions m ON m.tail = p.tail AND m.entity = p.entity
    JOIN hops h ON h.hop = p.head
    JOIN hops t ON t.hop = p.tail
"""


def stage(params: PairParams | None = None) -> Stage:
    """Raises StageError: the kinds of relations cannot be read."""
    params, kinds = params or PairParams(), load_kinds()
    return Stage(
        name="musique.bridge_pairs",
        shape=Whole(),
        kernel=partial(pairs, params=params, kinds=kinds),
        inputs=(BRIDGE_ANSWERS.name, MENTIONS.name, TAGS.name, SINGLE_HOPS.name),
        outputs=(PAIRS,),
        templates=kinds.digests,
        about="S2: pairs of hops whose bridge has one entity type on both sides.",
    )
