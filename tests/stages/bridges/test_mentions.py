from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import product
from pathlib import Path

import pyarrow as pa
import pytest

from stages.bridges import known, mentions
from stages.bridges.mentions import MentionParams
from stages.contract import StageError
from stages.hops.filter import FilterParams, filter_hops, paragraphs
from stages.hops.parse import parse
from stages.hops.source import HopFiles
from stages.hops.stated import HopParams, digest
from tests.stages.bridges.world import TYPES, build
from tests.stages.hops.pool import by_question, single_hops, stated


def test_a_corpus_knows_longer_names() -> None:
    hops = single_hops(
        stated("Ex >> city", "Liverpool", "Ex is in Liverpool .", "Ex"),
        stated("when did liverpool echo begin", "1879", "The paper began in 1879 .", "Paper"),
        stated("Who reads it?", "readers", "The readers read it .", "Liverpool Echo"),
    )
    assert build(hops, TYPES).reasons == {"inside_longer_name": 1}


def test_caps_come_before_the_product_and_are_chosen_by_the_seed() -> None:
    heads = [stated(f"Ex{n} >> city", "Liverpool", f"Ex{n} is in Liverpool .", f"Ex{n}") for n in range(9)]
    tails = [
        stated(f"Which thing{n} is in Liverpool?", f"one{n}", f"In Liverpool is one{n} .", f"T{n}") for n in range(7)
    ]
    hops = single_hops(*heads, *tails)
    ids = by_question(hops)
    for seed in (0, 1):
        built = build(hops, TYPES, mention=MentionParams(max_heads=4, max_tails=3, seed=seed))

        def fewest(items: list[str], limit: int, seed: int = seed) -> set[str]:
            return set(sorted(items, key=partial(digest, str(seed)))[:limit])

        chosen_heads = fewest([hop for question, hop in ids.items() if ">>" in question], 4)
        chosen_tails = fewest([hop for question, hop in ids.items() if ">>" not in question], 3)
        found = {(row["head"], row["tail"]) for row in built.rows("bridges")}
        assert found == set(product(chosen_heads, chosen_tails))
        assert built.reasons == {"hot_bridge_head": 5, "hot_bridge_tail": 4}
        assert built.outputs["mentions"].metrics["naive_pairs"] == 63
    assert MentionParams().max_heads > 0
    with pytest.raises(StageError, match="max_tails: expected 1 or more, got 0"):
        MentionParams(max_tails=0)


@pytest.mark.slow
def test_the_real_pool_up_to_its_mentions(shared_data: Path) -> None:
    source = HopFiles((str(shared_data / "singlehop" / "pool.jsonl.gz"),))
    read = [parse(table, params=HopParams(), labels={}) for part in source.parts() for table in source.read(part)]
    hops = filter_hops(pa.concat_tables([one.tables["read_hops"] for one in read]), params=FilterParams())
    table = hops.tables["single_hops"]
    gold = known.names(paragraphs(table).tables["gold_paragraphs"]).tables["known_names"]
    found = mentions.mentions(table, gold, params=MentionParams())
    assert found.metrics["naive_pairs"] == 889_129
    heads = Counter(found.tables["bridge_answers"]["entity"].to_pylist())
    tails = Counter(found.tables["bridge_mentions"]["entity"].to_pylist())
    assert heads["united states"] == tails["united states"] == 40
    # A ninth of the naive pairs is left to be made.
    assert sum(heads[name] * tails[name] for name in heads) < 100_000
