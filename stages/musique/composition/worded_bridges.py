"""Stage `musique.worded_bridges`: bridges whose head becomes a phrase inside the question of its tail (section 5.1).

People put any two steps into one sentence. Rules do so where their grammar leaves no doubt; what
they would have to tell in a sentence of its own ("Let X be ...") is left aside before graphs are
chosen, so that others take its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from stages.core.alive import alive
from stages.core.contract import Map, Output, Stage
from stages.core.rejects import Rejects
from stages.musique.composition.grammar import Grammar, load_grammar
from stages.musique.composition.words import PHRASE, Known, compose
from stages.musique.disconnection.tables import KEPT_BRIDGES
from stages.musique.single_hops.tables import SINGLE_HOPS
from stages.musique.spellings.other_names import digests

WORDED_BRIDGES = replace(KEPT_BRIDGES, name="worded_bridges")
"""The rows of KEPT_BRIDGES whose two hops make one sentence."""

_READ = ("hop", "question", "title", "text")


def worded(bridges: pa.Table, hops: pa.Table, *, grammar: Grammar) -> Output:
    """WORDED_BRIDGES from a shard of KEPT_BRIDGES and all SINGLE_HOPS.

    Rejects, keyed by the head and counted: not_one_sentence; too_slow. Metrics: worded.
    """
    used = pa.concat_tables([bridges.select([side]).rename_columns(["hop"]) for side in ("head", "tail")])
    rows = hops.select(_READ).filter(pc.is_in(hops["hop"], used["hop"].combine_chunks())).to_pylist()
    known = {row["hop"]: row for row in rows}
    rejects, kept = Rejects(), []
    for bridge in bridges.to_pylist():
        alive()
        nested = False
        with rejects.catch(bridge["head"]):
            nested = _form(bridge, known, grammar) == PHRASE
            if not nested:
                rejects.add(bridge["head"], "not_one_sentence", known[bridge["head"]]["question"])
        kept.append(nested)
    table = bridges.filter(pa.array(kept, pa.bool_())).cast(WORDED_BRIDGES.schema)
    return Output({WORDED_BRIDGES.name: table}, rejects.table(), {"worded": float(table.num_rows)})


def _form(bridge: Mapping[str, Any], hops: Mapping[str, Mapping[str, Any]], grammar: Grammar) -> str:
    head, tail = hops[bridge["head"]], hops[bridge["tail"]]
    asked = f"{tail['question'][: bridge['start']]}#1{tail['question'][bridge['end'] :]}"
    texts = {1: (head["title"], head["text"]), 2: (tail["title"], tail["text"])}
    return compose([head["question"], asked], Known({1: bridge["entity_type"]}, texts), grammar).form


def stage(hops: str = SINGLE_HOPS.name) -> Stage:
    """hops: name of a table of SINGLE_HOPS. Raises StageError: the rules of composition cannot be used."""
    grammar = load_grammar()
    return Stage(
        name="musique.worded_bridges",
        shape=Map(),
        kernel=partial(worded, grammar=grammar),
        inputs=(KEPT_BRIDGES.name,),
        side=(hops,),
        outputs=(WORDED_BRIDGES,),
        templates={**grammar.digests, **digests()},
        about="Section 5.1: bridges whose hops make one sentence.",
    )
