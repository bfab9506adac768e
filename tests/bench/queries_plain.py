"""Simple queries and intersections in plain Python, record by record: what the kernels are measured against.

Written to be fast where Python is: dictionaries and sets, one pass over the statements,
an index from answers to queries instead of a comparison of all pairs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from stages.facts.limits import QueryLimits

Row = dict[str, Any]


def simple(
    statements: list[Row],
    entities: list[Row],
    articles: list[Row],
    class_ancestors: list[Row],
    untyped: tuple[str, ...],
    typed: Mapping[str, tuple[str, ...]],
    limits: QueryLimits,
) -> tuple[list[Row], list[Row], Counter[tuple[str, str]]]:
    """Queries, their answers, and rejects by property and reason, over the answers that own a page."""
    known = {row["qid"]: row for row in entities}
    pages = {row["qid"] for row in articles}
    above = defaultdict(set)
    for row in class_ancestors:
        above[row["class"]].add(row["ancestor"])
    bare, classes = set(untyped), {pid: set(targets) for pid, targets in typed.items()}
    rejects: Counter[tuple[str, str]] = Counter()
    sets: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for row in statements:
        subject, relation, value = row["subject"], row["property"], row["value"]
        reason = _against(row, bare, classes, known, pages)
        if reason:
            rejects[relation, reason] += 1
        elif relation in bare:
            sets[relation, value].append(subject)
        else:
            reached = {a for type_ in known[subject]["types"] for a in above[type_]} & classes[relation]
            if not reached:
                rejects[relation, "no_class"] += 1
            for class_ in reached:
                sets[relation, value, class_].append(subject)
    return (*_within(sets, known, limits, rejects), rejects)


def _against(
    row: Row, bare: set[str], classes: Mapping[str, set[str]], known: Mapping[str, Row], pages: set[str]
) -> str | None:
    if row["property"] not in bare and row["property"] not in classes:
        return "no_template"
    if row["value_kind"] != "item":
        return "literal_value"
    if row["value"] == row["subject"]:
        return "own_object"
    if row["subject"] not in known:
        return "no_subject_entity"
    return None if row["subject"] in pages else "no_page"


def _within(
    sets: Mapping[tuple[str, ...], list[str]],
    known: Mapping[str, Row],
    limits: QueryLimits,
    rejects: Counter[tuple[str, str]],
) -> tuple[list[Row], list[Row]]:
    queries, answers = [], []
    for key, subjects in sets.items():
        relation, entity, most = key[0], key[1], limits.most
        if not limits.min_answers <= len(subjects) <= most:
            rejects[relation, "too_few_answers" if len(subjects) < limits.min_answers else "too_many_answers"] += 1
        elif entity not in known:
            rejects[relation, "no_entity_label"] += 1
        else:
            query, found = ":".join(key), known[entity]
            queries.append({"query": query, "label": found["label"], "aliases": found["aliases"]})
            answers += [{"query": query, "subject": x, "property": relation, "object": entity} for x in subjects]
    return queries, answers


def intersections(queries: list[Row], answers: list[Row], fewest: int, cap: int) -> tuple[list[Row], list[Row]]:
    """Intersections of untyped queries, and their answers with the proofs of both parts."""
    sets: dict[str, set[str]] = defaultdict(set)
    queries_of: dict[str, list[str]] = defaultdict(list)
    proofs = {}
    for row in answers:
        sets[row["query"]].add(row["answer"])
        queries_of[row["answer"]].append(row["query"])
        proofs[row["query"], row["answer"]] = row
    known = {row["query"]: row for row in queries}
    pairs = {pair for found in queries_of.values() if len(found) <= cap for pair in combinations(sorted(found), 2)}
    joined, members = [], []
    for first, second in pairs:
        common = sets[first] & sets[second]
        if len(common) < fewest or len(common) in (len(sets[first]), len(sets[second])):
            continue
        pair, both = f"{first}&{second}", (known[first], known[second])
        joined.append({"query": pair, "entity_labels": [row["entity_labels"][0] for row in both]})
        for answer in common:
            found = (proofs[first, answer], proofs[second, answer])
            members.append(
                {
                    "query": pair,
                    "answer": answer,
                    "proofs": [row["proofs"][0] for row in found],
                    "scores": [row["scores"][0] for row in found],
                }
            )
    return joined, members
