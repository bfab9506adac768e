"""The query semantics once more, in the plainest Python: what the stages are held against."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, permutations

from tests.stages.qampari.world import World

Answers = dict[str, set[str]]


def simple_sets(world: World) -> Answers:
    """r(e), or r_t(e) per class, for every query with a possible number of answers."""
    sets: Answers = defaultdict(set)
    for subject, property_, value, kind, _ in world.statements:
        usable = kind == "item" and value != subject and subject in world.types
        if not usable or (world.answers == "own_page" and subject not in world.pages):
            continue
        if property_ in world.untyped:
            sets[f"{property_}:{value}"].add(subject)
        reached = {above for type_ in world.types[subject] for above in world.ancestors.get(type_, ())}
        for class_ in set(world.typed.get(property_, ())) & reached:
            sets[f"{property_}:{value}:{class_}"].add(subject)
    limits = world.limits
    return {
        query: answers
        for query, answers in sets.items()
        if limits.min_answers <= len(answers) <= limits.max_answers / limits.min_share
        and query.split(":")[1] in world.types
        and query.split(":")[1:2] != query.split(":")[2:]
    }


def kept_sets(world: World) -> Answers:
    """The validated answers of the queries that pass the filter, one query for equal answers of several classes."""
    good: Answers = {}
    for query, answers in simple_sets(world).items():
        property_, entity = query.split(":")[:2]
        validated = {answer for answer in answers if (answer, property_, entity) not in world.unproven}
        if passes(world, len(validated), len(answers)):
            good[query] = validated
    twice = {
        query
        for query, other in permutations(good, 2)
        if query.count(":") == other.count(":") == 2
        and query.split(":")[:2] == other.split(":")[:2]
        and good[query] == good[other]
        and narrowness(world, query) > narrowness(world, other)
    }
    return {query: answers for query, answers in good.items() if query not in twice}


def narrowness(world: World, query: str) -> tuple[int, int, str]:
    """Smaller for the narrower class."""
    class_ = query.split(":")[2]
    return world.breadths.get(class_, 0), -len(world.ancestors.get(class_, ())), class_


def passes(world: World, validated: int, answers: int) -> bool:
    limits = world.limits
    return limits.min_answers <= validated <= limits.max_answers and validated / answers >= limits.min_share


def intersections(world: World) -> Answers:
    sets = kept_sets(world)
    queries_of = defaultdict(set)
    for query, answers in sets.items():
        for answer in answers:
            queries_of[answer].add(query)
    found: Answers = {}
    for first, second in combinations(sorted(sets), 2):
        common = sets[first] & sets[second]
        paired = any(len(queries_of[answer]) <= world.shared.max_queries_per_answer for answer in common)
        classes = {part.split(":")[2] for part in (first, second) if part.count(":") == 2}
        same = first.split(":")[0] == second.split(":")[0]
        if (
            len(common) >= world.overlap.min_answers
            and paired
            and common not in (sets[first], sets[second])
            and len(classes) < 2
            and (world.overlap.same_relation or not same)
        ):
            found[f"{first}&{second}"] = common
    return found


def compositions(world: World) -> dict[str, tuple[dict[tuple[str, str], set[str]], int]]:
    """Per kept composition: the middle entities proving each validated (answer, unit); how many answers there are."""
    values = defaultdict(set)
    for subject, property_, value, _, unit in world.statements:
        values[subject, property_].add((value, unit))
    found = {}
    for inner, middles in kept_sets(world).items():
        relation, entity = inner.split(":")[:2]
        for outer in sorted(set(world.outer) - {relation}):
            answers = defaultdict(set)
            reached = {middle: values[middle, outer] for middle in middles if values[middle, outer]}
            for middle, objects in reached.items():
                for value, unit in objects:
                    held = {middle} if (middle, outer, value) not in world.unproven else set()
                    answers[value, unit] |= held
            returns = bool(reached) and all((entity, "") in objects for objects in reached.values())
            validated = {answer: held for answer, held in answers.items() if held}
            if answers and not returns and passes(world, len(validated), len(answers)):
                found[f"{inner}>{outer}"] = (validated, len(answers))
    return found
