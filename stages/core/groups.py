"""Groups that must not be parted, dealt out to splits whole."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from stages.core.seeds import rank
from stages.core.splits import TRAIN


def together(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Topics that must not be parted, from (topic, text): groups joined by a common text, each sorted."""
    parent: dict[str, str] = {}

    def root(topic: str) -> str:
        while parent[topic] != topic:
            parent[topic] = parent[parent[topic]]
            topic = parent[topic]
        return topic

    first: dict[str, str] = {}
    for topic, shared_text in pairs:
        parent.setdefault(topic, topic)
        # The smaller name becomes the root, whatever order the pairs come in.
        low, high = sorted((root(first.setdefault(shared_text, topic)), root(topic)))
        parent[high] = low
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for topic in sorted(parent):
        groups[root(topic)].append(topic)
    return [tuple(group) for group in groups.values()]


def assign(
    sizes: Mapping[tuple[str, ...], int], shares: Mapping[str, int], seed: int, least: int
) -> dict[tuple[str, ...], str]:
    """The split of each group, from the size of each and the shares of the splits.

    seed: of the order in which groups are dealt out; least: groups that each split of a share above 0 gets where
    the groups suffice.
    """
    wanted = {name: share for name, share in shares.items() if share}
    order = sorted(sizes, key=lambda group: (-sizes[group].bit_length(), rank(seed, "\x1f".join(group)), group))
    total, whole = sum(sizes.values()), sum(wanted.values())
    have: Counter[str] = Counter()
    splits: dict[tuple[str, ...], str] = {}
    for group in order:
        split = max(wanted, key=lambda name: (total * wanted[name] / whole - have[name], wanted[name]))
        splits[group] = split
        have[split] += sizes[group]
    _fill(splits, sizes, list(wanted), least)
    return splits


def _fill(
    splits: dict[tuple[str, ...], str], sizes: Mapping[tuple[str, ...], int], names: Sequence[str], wanted: int
) -> None:
    """Moves the smallest groups to splits that have too few, from the split that has most."""
    least = min(wanted, len(splits) // len(names))
    for name in reversed(names):
        while sum(split == name for split in splits.values()) < least:
            counts = Counter(splits.values())
            giver = max(names, key=lambda other: (counts[other], other == TRAIN))
            moved = min((g for g, split in splits.items() if split == giver), key=lambda g: (sizes[g], g))
            splits[moved] = name


def shared(places: Mapping[str, Iterable[tuple[str, str]]]) -> dict[str, list[str]]:
    """Per kind the values that occur in more than one split, from (value, split); all empty for a sound split."""
    found = {}
    for kind, pairs in places.items():
        splits: defaultdict[str, set[str]] = defaultdict(set)
        for value, split in pairs:
            splits[value].add(split)
        found[kind] = sorted(value for value, names in splits.items() if len(names) > 1)
    return found
