"""Generated input for the query benchmarks, with the uneven popularity that real entities have."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from stages.facts.limits import QueryLimits
from stages.qampari.tables import SIMPLE_ANSWERS, SIMPLE_QUERIES
from stages.wikidata.classes import CLASS_SORTS

UNTYPED = tuple(f"P{n}" for n in range(1, 13))
TYPED = {f"P{n}": ("C1", "C2", "C3") for n in range(13, 19)}
OTHER = tuple(f"P{n}" for n in range(100, 112))
LIMITS = QueryLimits()


def graph(statements: int) -> dict[str, pa.Table]:
    """Statements about statements / 10 entities; four in five entities own a page; objects follow a power law."""
    rng = np.random.default_rng(statements)
    n = statements // 10
    relations = np.array([*UNTYPED, *TYPED, *OTHER])
    subject, relation = rng.integers(0, n, statements), rng.integers(0, len(relations), statements)
    object_ = np.minimum((rng.pareto(0.6, statements) * 3).astype(np.int64), n - 1)
    keys = np.unique(np.stack([subject, relation, object_]), axis=1)
    literal = rng.random(keys.shape[1]) < 0.2
    qids = np.char.add("Q", np.arange(n).astype(str))
    kinds = np.where(literal, "string", "item")
    types = [[f"T{t}"] for t in rng.integers(0, 50, n)]
    return {
        "statements": pa.table(
            {
                "subject": qids[keys[0]],
                "property": relations[keys[1]],
                "value": qids[keys[2]],
                "value_kind": kinds,
            }
        ),
        "entities": pa.table(
            {
                "qid": qids,
                "label": np.char.add("label ", qids),
                "aliases": pa.array([[f"alias {qid}"] for qid in qids]),
                "types": pa.array(types),
            }
        ),
        "articles": pa.table({"qid": qids[rng.random(n) < 0.8]}),
        "class_ancestors": pa.table(
            {"class": [f"T{t}" for t in range(30)], "ancestor": [f"C{t % 3 + 1}" for t in range(30)]}
        ),
        "class_sorts": CLASS_SORTS.empty(),
        "corpus": pa.table({"articles": [n], "partial": [True], "own_page": [True]}),
    }


def kept(rows: int) -> dict[str, pa.Table]:
    """Kept simple queries of 5 to 60 answers each, drawn from rows / 6 entities by a power law; a proof per answer."""
    rng = np.random.default_rng(rows)
    queries, answers, n = [], [], 0
    while n < rows:
        relation, entity = f"P{len(queries) % 40}", f"Q{len(queries)}"
        drawn = (rng.pareto(1.1, rng.integers(5, 60)) * rows / 60).astype(np.int64)
        chosen = sorted(set(np.minimum(drawn, rows // 6).tolist()))
        query = f"{relation}:{entity}"
        queries.append(_query(query, relation, entity, len(chosen)))
        answers += [_answer(query, f"Q{answer}", relation, entity) for answer in chosen]
        n += len(chosen)
    return {"simple_queries": SIMPLE_QUERIES.table(queries), "simple_answers": SIMPLE_ANSWERS.table(answers)}


def _query(query: str, relation: str, entity: str, answers: int) -> dict[str, object]:
    return {
        "query": query,
        "kind": "simple",
        "properties": [relation],
        "entities": [entity],
        "entity_labels": [f"label {entity}"],
        "entity_aliases": [[f"alias {entity}"]],
        "classes": [None],
        "answers": answers,
        "known": answers,
        "validated": answers,
        "share": 1.0,
    }


def _answer(query: str, answer: str, relation: str, entity: str) -> dict[str, object]:
    sentence = f"The sentence on the page of {answer} that says how {entity} goes with it by {relation}."
    triple = {"subject": answer, "property": relation, "object": entity}
    proof = {**triple, "title": f"Page {answer}", "passage": 0, "index": 1, "sentence": sentence}
    return {
        "query": query,
        "answer": answer,
        "answer_kind": "item",
        "unit": "",
        "proofs": [proof],
        "scores": [0.5],
    }
