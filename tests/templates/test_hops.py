"""The sample of single hops: all shapes come out of its files, and odd records meet their reasons."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from stages.core.contract import Output
from stages.core.memory import InMemory
from stages.io.detect import ANNOTATIONS, HOPS, detect
from stages.musique.bridges.bridge_mentions import MentionParams, mentions
from stages.musique.contexts.distractors import ContextParams, draw
from stages.musique.graphs.candidate_graphs import candidates
from stages.musique.graphs.graph_selection import select
from stages.musique.graphs.params import ReasoningGraphParams
from stages.musique.graphs.shapes import SHAPES
from stages.musique.single_hops.forms import form
from stages.wikipedia.sentences import split_sentences
from tests.people_samples import of_answers
from tests.tools import build_hops, hops_source
from tests.tools.build_hops import ALL_GRAPHS, ANSWERS, DAMAGED, SAMPLE
from tests.tools.hops_answers import ANSWERS_FILE
from tests.tools.hops_files import FILES
from tests.tools.hops_source import Sample
from tests.tools.sample_run import run

SOURCE = SAMPLE / "source"
# Whatever is made of the sample comes from its own sentences; a run of so many words elsewhere would be a copy.
_RUN = 9


@cache
def sample() -> Sample:
    return hops_source.read(SOURCE)


@cache
def built() -> InMemory:
    return run("musique", (SAMPLE,), (SAMPLE / ANSWERS,), settings=ALL_GRAPHS)


@cache
def built_with_damage() -> InMemory:
    folder = SAMPLE / DAMAGED
    return run(
        "musique",
        (SAMPLE, *(folder / name for name in FILES.values())),
        (SAMPLE / ANSWERS, folder / ANSWERS_FILE),
        settings=ALL_GRAPHS,
    )


def test_the_files_are_those_of_the_source() -> None:
    files = build_hops.build(SOURCE)
    for name, data in files.items():
        assert (SAMPLE / name).read_bytes() == data, f"{name}: run python -m tests.tools.build_hops"
    made = (".jsonl", ".json", ".tsv")
    assert {path.relative_to(SAMPLE).as_posix() for path in SAMPLE.rglob("*") if path.suffix in made} == set(files)


def test_the_sample_is_small() -> None:
    assert sum(path.stat().st_size for path in SAMPLE.rglob("*") if path.is_file()) < 300_000


def test_the_files_of_the_sample_are_told_apart() -> None:
    files = [str(SAMPLE / name) for name in FILES.values()]
    assert detect(files).paths == {HOPS: tuple(sorted(files))}
    assert set(detect([str(SAMPLE / ANSWERS)]).paths) == {ANNOTATIONS}
    assert Counter(row["source"] for row in built().rows("single_hops")) == {
        **{"sample": 135, "squad": 41, "t-rex": 40, "zero-shot-re": 18, "natural-questions": 7}
    }


def test_paragraphs_are_short_and_no_sentence_stands_twice() -> None:
    texts = {paragraph.title: paragraph.text for paragraph in sample().paragraphs}
    assert len(texts) >= 110
    assert [title for title, text in texts.items() if not 20 <= len(text.split()) <= 120] == []
    sentences = Counter(sentence for text in texts.values() for sentence in split_sentences(text))
    assert [sentence for sentence, count in sentences.items() if count > 1] == []


def test_every_hop_comes_through() -> None:
    hops = {(paragraph.title, asks) for paragraph in sample().paragraphs for asks in paragraph.hops}
    assert 160 <= len(hops) <= 260
    assert all(paragraph.hops for paragraph in sample().paragraphs)
    assert {(row["title"], row["question"]) for row in built().rows("single_hops")} == hops


def test_all_shapes_come_out() -> None:
    shapes = Counter(row["shape"] for row in built().rows("composed_hops"))
    assert shapes == {"2hop": 43, "3hop1": 18, "3hop2": 13, "4hop1": 6, "4hop2": 6, "4hop3": 3}
    assert set(shapes) == {shape.name for shape in SHAPES}


def test_every_split_has_questions_of_two_and_three_hops_train_and_test_of_four() -> None:
    split = {row["graph"]: row["split"] for row in built().rows("graph_splits")}
    found = Counter((split.get(row["graph"]), row["shape"]) for row in built().rows("asked_hops"))
    assert {shape: count for (name, shape), count in found.items() if name == "train"} == {
        **{"2hop": 33, "3hop1": 12, "3hop2": 12, "4hop1": 4, "4hop2": 4, "4hop3": 3}
    }
    assert {shape: count for (name, shape), count in found.items() if name == "dev"} == {**{"2hop": 6, "3hop1": 2}}
    assert {shape: count for (name, shape), count in found.items() if name == "test"} == {
        **{"2hop": 3, "3hop1": 2, "3hop2": 1, "4hop1": 1, "4hop2": 2}
    }


def test_train_has_nothing_in_common_with_dev_and_test() -> None:
    metrics = built().metrics["musique.leak_check"]
    assert {name: metrics[f"{name}s_in_train_and_evaluation"] for name in ("hop", "answer", "paragraph")} == {
        **{"hop": 0, "answer": 0, "paragraph": 0}
    }


def test_every_question_has_twenty_paragraphs_and_a_contrast() -> None:
    contexts = built().rows("contexts")
    assert {len(row["paragraphs"]) for row in contexts} == {20}
    answerable = Counter(row["answerable"] for row in contexts)
    assert answerable[True] == answerable[False] == 85


def test_graphs_stay_within_their_field_of_knowledge() -> None:
    """So splits can be found that share nothing."""
    fields = {
        title: file.stem
        for file in (SOURCE / "islands").glob("*.yaml")
        for title in re.findall(r"^(\S.*):$", file.read_text(encoding="utf-8"), re.M)
    }
    titles = {row["paragraph"]: row["title"] for row in built().rows("gold_paragraphs")}
    for row in built().rows("composed_hops"):
        met = {fields[titles[paragraph]] for paragraph in row["paragraphs"]} - {"namesakes"}
        assert len(met) <= 1, row["graph"]


def test_what_people_make_of_the_graphs() -> None:
    statuses = Counter(row["status"] for row in built().rows("verdicts_composed") if row["votes"])
    assert statuses == {"revised": 14, "refused": 2, "needs_expert": 5}
    written = {row["question"] for row in built().rows("composed_questions") if not row["mechanical"]}
    assert written < {composition.asks for composition in sample().compositions}
    assert len(written) == 11
    assert built().reasons("musique.human_composition") == {
        **{"bridges_differ": 2, "step_in_question": 1, "answer_in_question": 2}
    }


def test_without_answers_the_rules_word_all_questions() -> None:
    without = run("musique", (SAMPLE,), settings=ALL_GRAPHS)
    assert all(row["mechanical"] for row in without.rows("composed_questions"))
    assert len(without.rows("composed_questions")) == 88


def why(entries: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """The reasons that entries name."""
    named = (entry["why"] for entry in entries)
    return Counter(word for value in named for word in (value if isinstance(value, list) else [value]) if word)


def met(done: InMemory, *stages: str) -> Counter[str]:
    """How often each reason occurs among the rejects of some stages."""
    return sum((Counter(done.reasons(stage)) for stage in stages), Counter())


ANSWER_STAGES = ("annotation.received", "annotation.verdicts_composed")


def test_every_odd_hop_and_answer_meets_its_reason() -> None:
    assert met(built(), "musique.parse", "musique.hop_filter") == why(sample().odd[hops_source.NEUTRAL])
    assert of_answers(met(built(), *ANSWER_STAGES)) == why(sample().odd["answers"])


def test_every_damaged_record_meets_its_reason() -> None:
    done, damaged = built_with_damage(), sample().damaged
    assert met(done, "musique.parse") == why(entry for name in hops_source.SHAPES for entry in damaged[name])
    assert met(done, *ANSWER_STAGES) == met(built(), *ANSWER_STAGES) + why(damaged["answers"])
    for stage in ("musique.hop_filter", "musique.bridge_pairs", "musique.graph_selection"):
        assert done.reasons(stage) == built().reasons(stage)


def test_no_source_has_more_bad_records_than_a_build_takes() -> None:
    for stage in ("musique.parse", "annotation.received"):
        metrics = built().metrics[stage]
        assert metrics.get("bad_records", 0) <= 0.05 * metrics["records"]


def test_every_reason_to_refuse_a_bridge_occurs() -> None:
    assert set(built().reasons("musique.bridge_mentions")) == {
        *("joined_word", "other_case", "inside_longer_name", "part_of_subject", "repeated_mention"),
        "longer_in_paragraph",
    }
    assert set(built().reasons("musique.bridge_pairs")) == {
        *("not_an_entity", "inside_longer_entity", "same_paragraph", "tail_answer_in_head", "answer_is_bridge"),
        *("other_type", "tail_answer_in_head_paragraph"),
    }
    assert set(built().reasons("musique.bridge_identity")) == {"other_search_result", "other_entity"}
    assert set(built().reasons("musique.disconnection_filter")) == {"head_answered_unread", "tail_answered_unbridged"}


def test_the_reasons_to_refuse_a_graph_that_occur() -> None:
    """repeated_hop and same_hops no pool can lead to while the other checks come first; repeated_paragraph and
    repeated_answer can, but bridges apart from their heads' paragraphs leave few."""
    assert set(built().reasons("musique.candidate_graphs")) == {"answer_in_question"}
    assert set(built().reasons("musique.graph_selection")) == {"part_of_larger", "over_share_of_shape"}
    assert set(built().reasons("musique.mechanical_composition_distinct")) == {"same_question"}
    assert set(built().reasons("musique.splits")) == {"overlaps_evaluation"}


def test_popular_names_and_graphs_beyond_the_limits_fall_out() -> None:
    """The sample is too small for the limits of a build, so they are lowered."""
    tables = built().tables
    few = mentions(tables["single_hops"], tables["known_names"], params=MentionParams(max_heads=1, max_tails=1))
    assert {"hot_bridge_head", "hot_bridge_tail"} <= reasons(few)
    short = ReasoningGraphParams(hop_tokens=10, short_tokens=15, long_tokens=20, hop2=3, oversample=2)
    drawn = candidates(tables["kept_bridges"], tables["single_hops"], params=short)
    assert {"over_length", "not_drawn"} <= reasons(drawn)
    capped = ReasoningGraphParams(max_per_entity=3, max_per_hop=2, hop2=5)
    left = select(tables["candidate_graphs"], tables["single_hops"], params=capped)
    assert {"over_entity_cap", "over_hop_cap", "over_target"} <= reasons(left)
    shown = draw(
        *(tables[name] for name in ("asked_hops", "graph_splits", "single_hops", "gold_paragraphs")),
        params=ContextParams(size=100),
    )
    assert reasons(shown) == {"no_contrast"}


def reasons(output: Output) -> set[str]:
    return set(output.rejects["reason"].to_pylist())


def test_nothing_is_copied_from_published_data(shared_data: Path) -> None:
    wanted = {run for text in _texts() for run in _runs(text)}
    with gzip.open(shared_data / "singlehop" / "pool.jsonl.gz", "rt", encoding="utf-8") as file:
        published = {record["paragraph"] for record in map(json.loads, file)}
    assert [run for text in published for run in _runs(text) if run in wanted] == []


def _texts() -> list[str]:
    return [text for paragraph in sample().paragraphs for text in (paragraph.text, *paragraph.hops)]


def _runs(text: str) -> Iterable[tuple[str, ...]]:
    words = form(text).split()
    return (tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1))


def test_nothing_tells_who_a_worker_is() -> None:
    lines = (SAMPLE / ANSWERS / ANSWERS_FILE).read_text(encoding="utf-8").splitlines()
    assert all(re.fullmatch(r"worker-\d\d", json.loads(line)["worker"]) for line in lines)


def test_the_checks_that_stand_in_for_people_leave_questions_in_every_split() -> None:
    strict = run("musique", (SAMPLE,))
    assert len(strict.rows("sound_hops")) == 209
    records = [row for row in strict.rows("composed_questions") if row["form"] != "phrase"]
    assert {row["graph"].partition("__")[0] for row in records} <= {"4hop1", "4hop2", "4hop3"}
    assert Counter(row["split"] for row in strict.rows("graph_splits")).keys() == {"train", "dev", "test"}
    assert "Hannibal >> located in or next to body of water" not in {
        row["question"] for row in strict.rows("sound_hops")
    }
