"""The sample of processes: its files are those of its source, it holds together, and odd records meet their reasons."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import structs

from stages.annotation.annotations import fitting
from stages.annotation.asked import read_asked
from stages.annotation.forms.kinds import load_kind
from stages.core.memory import InMemory
from stages.core.rejects import Rejects
from stages.core.texts import form, tidy
from stages.io.detect import GRAPHS, PARAGRAPHS, detect
from stages.wikipedia.sentences import split_sentences
from stages.wiqa.graph import EDGES, NEITHER, NODES, OUTCOMES, InfluenceGraph, check, edge_sign
from tests.people_samples import of_answers
from tests.tools import build_processes, processes_source
from tests.tools.build_processes import ANSWERS, DAMAGED, SAMPLE
from tests.tools.processes_records import para_ids
from tests.tools.processes_source import Entries, Sample
from tests.tools.sample_run import run

SOURCE = SAMPLE / "source"
# Reasons that a rule as a whole brings up, not one record of odd/.
BY_RULE = {
    "wiqa.verification": {"other_answer": 2, "no_majority": 2},
    "wiqa.changes_pool": {"several_topics": 2},
    "wiqa.path_questions": {"same_text": 1, "contradictory": 8, "duplicate_text": 8},
}


@cache
def sample() -> Sample:
    return processes_source.read(SOURCE)


@cache
def built() -> InMemory:
    return run("wiqa", (SAMPLE,), (SAMPLE / ANSWERS,))


@cache
def built_with_damage() -> InMemory:
    folder = SAMPLE / DAMAGED
    given = (SAMPLE, folder / "paragraphs.jsonl", folder / "graphs.jsonl")
    return run("wiqa", given, (SAMPLE / ANSWERS, folder / "answers.jsonl", folder / "label_studio.json"))


def test_the_files_are_those_of_the_source() -> None:
    files = build_processes.build(SOURCE)
    for name, data in files.items():
        assert (SAMPLE / name).read_bytes() == data, f"{name} is out of date: run python -m tests.tools.build_processes"
    there = {path.relative_to(SAMPLE).as_posix() for path in SAMPLE.rglob("*.json*")}
    assert there == set(files)


def test_the_sample_is_small() -> None:
    assert sum(path.stat().st_size for path in SAMPLE.rglob("*") if path.is_file()) < 300_000


def test_there_are_enough_paragraphs_topics_and_graphs_of_every_sort() -> None:
    paragraphs = sample().paragraphs
    graphs = [graph for paragraph in paragraphs for graph in paragraph.graphs]
    topics = Counter(paragraph.topic for paragraph in paragraphs)
    assert (len(paragraphs), len(topics), len(graphs)) == (19, 14, 36)
    assert sum(count > 1 for count in topics.values()) >= 5
    assert Counter(graph.affects or graph.is_outcome for graph in graphs) == {"more": 19, "less": 14, "neither": 3}
    assert {paragraph.written for paragraph in paragraphs} == set(processes_source.WRITTEN)
    full = [graph for graph in graphs if set(graph.nodes) == set(processes_source.NODES)]
    assert len(full) == 34


def test_the_files_of_the_sample_are_told_apart() -> None:
    found = detect([str(path) for path in sorted(SAMPLE.glob("*.jsonl"))])
    assert {kind: [Path(path).name for path in paths] for kind, paths in found.paths.items()} == {
        PARAGRAPHS: ["paragraphs.jsonl"],
        GRAPHS: ["graphs.jsonl"],
    }


def test_paragraphs_are_short_and_no_sentence_stands_twice() -> None:
    sentences = [sentence for paragraph in sample().paragraphs for sentence in paragraph.sentences]
    assert all(5 <= len(paragraph.sentences) <= 9 for paragraph in sample().paragraphs)
    assert all(4 <= len(sentence.split()) <= 14 for sentence in sentences)
    assert len({form(sentence) for sentence in sentences}) == len(sentences)


def test_every_text_is_clean() -> None:
    for paragraph in sample().paragraphs:
        texts = [text for graph in paragraph.graphs for node in graph.nodes.values() for text in node]
        for text in (paragraph.topic, paragraph.prompt, *paragraph.sentences, *texts):
            assert tidy(text, 120) == text and text.isascii(), text
        assert all(text[0].islower() and text[-1].isalpha() for text in texts)
        assert split_sentences(" ".join(paragraph.sentences)) == list(paragraph.sentences)


def test_paragraphs_come_through_with_their_sentences_topics_and_prompts() -> None:
    ids = para_ids(sample())
    graphs = {row["para_id"]: row for row in built().rows("graphs")}
    for paragraph in sample().paragraphs:
        row = graphs[ids[paragraph.name]]
        assert row["sentences"] == list(paragraph.sentences)
        assert (row["topic"], row["prompt"]) == (paragraph.topic, paragraph.prompt)


def test_every_graph_comes_through_with_its_texts_and_its_outcome() -> None:
    ids = para_ids(sample())
    found = {(row["para_id"], row["graph_id"]): row for row in built().rows("graphs")}
    for paragraph in sample().paragraphs:
        for graph in paragraph.graphs:
            row = found[ids[paragraph.name], graph.id]
            assert {node: tuple(row[node]) for node in graph.nodes} == dict(graph.nodes)
            assert (row["A"], row["D"]) == ([f"MORE {paragraph.topic}"], [f"LESS {paragraph.topic}"])
            assert row["y_affects"] == (graph.affects or graph.is_outcome)


def test_the_signs_of_every_graph_hold_together() -> None:
    for row in built().rows("graphs"):
        graph = InfluenceGraph({node: row[node] for node in NODES}, row["y_affects"])
        check(graph)
        texts = [form(text) for node in NODES if node not in OUTCOMES for text in row[node]]
        assert len(set(texts)) == len(texts), f"{row['para_id']} {row['graph_id']}: a text stands on two nodes"
        for source, target in EDGES:
            sign = edge_sign(source, target, graph.y_affects)
            assert (sign is None) == (target in OUTCOMES and graph.y_affects == NEITHER)


def test_no_two_graphs_of_the_source_contradict_each_other() -> None:
    own = {(para_ids(sample())[p.name], graph.id) for p in sample().paragraphs for graph in p.graphs}
    contradicting = [row["key"] for row in built().rejects["wiqa.path_questions"] if row["reason"] == "contradictory"]
    graphs = {tuple(key.split(":")[1:3]) for key in contradicting}
    assert graphs == {("blood-heart", "2"), ("blood-heart", "3")} and graphs - own == {("blood-heart", "3")}
    wrong = [row for row in built().rows("path_questions") if row["graph_id"] == "3" and row["topic"] == "blood flow"]
    assert wrong == []


def test_filled_forms_become_graphs() -> None:
    rows = [row for row in built().rows("graphs") if row["source"] == "annotation"]
    assert len(rows) == 8
    missing = Counter("".join(node for node in NODES if not row[node]) for row in rows)
    assert missing == {"": 4, "U": 3, "VZUW": 1}


def test_every_split_has_questions_of_every_label() -> None:
    counts = Counter((row["split"], row["label"]) for row in built().rows("chosen_questions"))
    assert set(counts) == {(s, label) for s in ("train", "dev", "test") for label in ("more", "less", "no_effect")}
    assert min(counts.values()) >= 40


def test_answers_confirm_most_questions_refuse_some_and_leave_some_open() -> None:
    statuses = Counter(row["status"] for row in built().rows("verdicts_questions") if row["votes"])
    assert statuses == {"confirmed": 22, "needs_vote": 3, "no_majority": 2}
    assert sum(row["confirmed"] for row in built().rows("verified_questions")) == 20
    refused = {row["worker"]: row["why"] for row in built().rows("workers_questions") if not row["accepted"]}
    assert refused == {"worker-09": "too_fast"}


def test_an_expert_puts_a_graph_in_the_place_of_another() -> None:
    done = run(
        "wiqa", (SAMPLE,), (SAMPLE / ANSWERS,), settings=("people.experts=[worker-08]", "people.check_share=1.0")
    )
    assert done.reasons("wiqa.verification_graphs") == {"refused": 1}
    [graph] = [r for r in done.rows("annotated_graphs") if r["para_id"] == "fossils-lake"]
    assert graph["X"] == ["a great many fish die in the lake"] and graph["confirmed"]


def test_without_answers_the_same_topics_are_tested_and_nothing_is_confirmed() -> None:
    without = run("wiqa", (SAMPLE,))
    tested = [
        {row["topic"] for row in done.rows("topic_splits") if row["split"] == "test"} for done in (without, built())
    ]
    assert tested[0] == tested[1] == {"butterflies", "cheese"}
    assert not any(row["confirmed"] for row in without.rows("verified_questions"))


def test_a_quota_would_cut_off_the_answers_of_the_busiest_worker() -> None:
    kind, tables, rejects = load_kind("wiqa_question"), built().tables, Rejects()
    limited = structs.replace(kind, settings=structs.replace(kind.settings, quota=20))
    asked = read_asked(tables["tasks_questions"], tables["task_keys_questions"], {kind.name: limited})
    fitting(tables["strays_graphs"].to_pylist(), asked, rejects)
    over = Counter(row["key"].split()[1] for row in rejects.table().to_pylist() if row["reason"] == "over_quota")
    # worker-01 has 22 answers to questions, worker-02 has 23.
    assert over == {"worker-01": 2, "worker-02": 3}


def reasons(entries: Entries, *files: str) -> Counter[str]:
    """The reasons that the entries of some files name."""
    named = (entry["why"] for file in files for entry in entries[file])
    return Counter(why for value in named for why in processes_source.listed(value) if why)


def met(done: InMemory, *stages: str) -> Counter[str]:
    """How often each reason occurs among the rejects of some stages."""
    return sum((Counter(done.reasons(stage)) for stage in stages), Counter())


TEXT_STAGES = ("wiqa.paragraphs_read", "wiqa.paragraphs")
GRAPH_STAGES = ("wiqa.graph_files", "wiqa.influence_graphs")
ANSWER_STAGES = ("annotation.received", "annotation.verdicts_graphs", "annotation.verdicts_questions")


def test_every_odd_paragraph_meets_its_reason() -> None:
    assert met(built(), *TEXT_STAGES) == reasons(sample().odd, "paragraphs")


def test_every_odd_graph_meets_its_reason() -> None:
    expected = reasons(sample().odd, "graphs")
    assert expected.pop("contradictory") == 1
    assert met(built(), *GRAPH_STAGES) == expected


def test_every_odd_answer_meets_its_reason() -> None:
    found = met(built(), *ANSWER_STAGES)
    assert of_answers(found) == reasons(sample().odd, "answers", "label_studio")
    assert found - of_answers(found) == {"unchanged": 1, "same_text": 1, "rejected_worker": 5}


def test_every_damaged_record_meets_its_reason() -> None:
    done = built_with_damage()
    for stages, files in (
        (TEXT_STAGES, ("paragraphs",)),
        (GRAPH_STAGES, ("graphs",)),
        (ANSWER_STAGES, ("answers", "label_studio")),
    ):
        expected = met(built(), *stages) + reasons(sample().damaged, *files)
        assert met(done, *stages) == expected


def test_rules_that_look_at_several_records_reject_what_they_should() -> None:
    assert {stage: built().reasons(stage) for stage in BY_RULE} == BY_RULE


def test_every_reason_of_the_readers_and_of_the_graphs_occurs() -> None:
    done = built_with_damage()
    assert set(met(done, *TEXT_STAGES)) == {
        *("broken_json", "not_an_object", "bad_para_id", "no_text", "empty_paragraph", "not_text", "too_long"),
        *("too_many_sentences", "control_characters", "markup", "duplicate", "no_topic", "no_paragraph"),
    }
    assert set(met(done, *GRAPH_STAGES)) == {
        *("broken_json", "not_an_object", "bad_para_id", "bad_graph_id", "unknown_node", "bad_node", "bad_outcome"),
        *("contradictory_outcome", "too_many_groundings", "not_text", "too_long", "control_characters", "markup"),
        *("duplicate", "unknown_paragraph", "no_topic", "no_x", "no_path", "repeated_in_opposite"),
    }


def test_no_source_has_more_bad_records_than_a_build_takes() -> None:
    for stage in ("wiqa.paragraphs_read", "wiqa.graph_files", "annotation.received"):
        metrics = built().metrics[stage]
        assert 0 < metrics["bad_records"] <= 0.05 * metrics["records"]


def test_nothing_tells_who_a_worker_is() -> None:
    lines = (SAMPLE / ANSWERS / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    workers = {record["worker"] for line in lines if isinstance(record := _record(line), dict)}
    assert all(name.startswith("worker") for name in workers) and len(workers) == 12


def _record(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None
