"""Steps 11 and 12 as they are wired, on a small world, with simulated people."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pytest

from pipelines.datasets import dataset
from pipelines.model import Pipeline
from pipelines.params import Values, load
from pipelines.qampari.asking import rounds
from stages.annotation.forms.kinds import load_kinds
from stages.annotation.simulation.crowd import make_crowd
from stages.annotation.simulation.crowd_answers import annotate, records
from stages.annotation.tables import REFUSED
from stages.core.contract import StageError
from stages.core.memory import InMemory
from stages.core.splits import DEV, TEST, TRAIN
from stages.io.detect import ANNOTATIONS, Inputs, detect
from stages.linking.link import ARTICLES
from stages.qampari.splits import SPLIT_QUESTIONS
from stages.qampari.supported_answers import JUDGED_ANSWERS, JUDGED_HOPS
from stages.wikidata.rows import ENTITIES, STATEMENTS
from stages.wikipedia.segment import PASSAGES
from tests.people_samples import write_lines
from tests.stages.qampari.people_world import answer, answers, candidate, candidates, proof, question, questions

QAMPARI = dataset("qampari")
KINDS = load_kinds("qampari_answer", "qampari_paraphrase")
SETTINGS = (
    "people.expert_refused=false",
    "people.expert_right=0",
    "people.check_share=0",
    "people.attention_check_share=0.3",
)
ANSWERS = 6

# Three questions of each of dev and test, two that wait for each, and two of train.
PLACES = {f"P57:Q9{number}0": (DEV if number < 5 else TEST, number % 5 // 3 * (number % 5 - 2)) for number in range(10)}
TRAINED = ("P50:Q801", "P50:Q802")


def _films(query: str) -> list[str]:
    return [f"Q{query.split('Q')[1]}{number}" for number in range(1, ANSWERS + 1)]


def world() -> dict[str, pa.Table]:
    """The tables that the steps before leave."""
    line = [
        candidate(query, place=place, split=side, number=number)
        for number, (query, (side, place)) in enumerate(PLACES.items())
    ]
    trained = [candidate(query, split=TRAIN, number=number) for number, query in enumerate(TRAINED)]
    whole = [*(row for row in line if not row["place"]), *trained]
    made, pages, judged_rows = [], [], []
    for query in (*PLACES, *TRAINED):
        pid, _, entity = query.partition(":")
        for film in _films(query):
            shown, title = f"Film {film}", f"Film {film} (page)"
            made.append(answer(query, film, shown, proof(film, pid, entity, title)))
            pages.append((title, f"{shown} is a film by Maker {entity}."))
            judged_rows.append(
                dict.fromkeys(JUDGED_ANSWERS.schema.names)
                | {"query": query, "subject": film, "property": pid, "object": entity, "validated": True}
            )
    asked = [
        question(query, f"Which film is by Maker {query[4:]}?", {f"Maker {query[4:]}": []})
        for query in (*PLACES, *TRAINED)
    ]
    passage = {"qid": None, "number": 0, "first": 0, "last": 0, "words": 7}
    names = SPLIT_QUESTIONS.schema.names
    return {
        "candidate_questions": candidates(*line),
        "split_questions": SPLIT_QUESTIONS.table([{name: row[name] for name in names} for row in whole]),
        "questions": questions(*asked),
        "labelled_answers": answers(*made),
        "judged_answers": JUDGED_ANSWERS.table(judged_rows),
        "judged_hops": JUDGED_HOPS.empty(),
        "statements": STATEMENTS.empty(),
        "entities": ENTITIES.empty(),
        "articles": ARTICLES.empty(),
        "passages": PASSAGES.table(
            [passage | {"passage_id": f"{title}#0", "title": title, "text": text} for title, text in pages]
        ),
    }


def wired(files: tuple[str, ...]) -> Pipeline:
    inputs: Inputs = detect(list(QAMPARI.sample())).plus(ANNOTATIONS, files)
    return QAMPARI.pipeline(load(QAMPARI.defaults, None, SETTINGS), inputs)


def build(*files: str, buckets: int = 3) -> tuple[dict[str, pa.Table], list[tuple[str, str, str]]]:
    """All tables, and all rejects as (stage, key, reason), of the steps from 11 on."""
    stages = wired(files).stages
    first = [stage.name for stage in stages].index("qampari.answer_drafts")
    done = InMemory(world(), buckets).run(*stages[first:])
    rejects = [(stage, row["key"], row["reason"]) for stage, found in done.rejects.items() for row in found]
    return done.tables, sorted(rejects)


def rows(tables: Mapping[str, pa.Table], name: str) -> list[dict[str, Any]]:
    return tables[name].to_pylist()


def crowd_answers(tables: Mapping[str, pa.Table], wrong: set[tuple[str, str]], words: Mapping[str, str]) -> list[dict]:
    """What careful people say: `wrong` pairs (query, answer text) are incorrect; `words`: paraphrase by query."""
    found = []
    for name in (name for name in ("answers", "answers_2", "paraphrases") if f"tasks_{name}" in tables):
        keys = rows(tables, f"task_keys_{name}")
        truth: dict[str, dict[str, list[str]]] = {}
        for key in keys:
            if name == "paraphrases":
                text = words.get(key["origin"])
                truth[key["task"]] = {"meaning": ["clear"], "paraphrase": [text]} if text else {"meaning": ["unclear"]}
            elif not key["attention_check"]:
                query, shown, _ = json.loads(key["origin"])
                truth[key["task"]] = {"verdict": ["incorrect" if (query, shown) in wrong else "correct"]}
        crowd = make_crowd(3, accuracy=1.0)
        found += records(annotate(rows(tables, f"tasks_{name}"), keys, KINDS, crowd, truths=truth))
    return found


def released(tables: Mapping[str, pa.Table]) -> dict[str, dict[str, Any]]:
    return {row["query"]: json.loads(row["record"]) | {"split": row["split"]} for row in rows(tables, "records")}


def test_without_answers_nothing_changes_and_all_is_ready_to_send() -> None:
    tables, rejects = build()
    first = [query for query, (_, place) in PLACES.items() if not place]
    assert len(first) == 6
    found = released(tables)
    assert set(found) == {*first, *TRAINED}
    assert {len(record["answer_list"]) for record in found.values()} == {ANSWERS}
    assert set(tables["sidecar"]["confirmed"].to_pylist()) == {False}
    assert {record["question_text"] for record in found.values()} == set(
        tables["sidecar"]["template_question"].to_pylist()
    )
    checks = Counter(tables["task_keys_answers"]["attention_check"].to_pylist())
    assert checks[False] == 6 * ANSWERS
    assert 6 <= checks[True] <= 24
    assert "tasks_answers_2" not in tables
    assert tables["tasks_paraphrases"].num_rows == 8
    assert rejects == []


def test_no_attention_check_shows_a_right_answer() -> None:
    tables, _ = build()
    payloads = {row["task"]: json.loads(row["payload"]) for row in rows(tables, "tasks_answers")}
    for key in rows(tables, "task_keys_answers"):
        query, _, _ = json.loads(key["origin"])
        shown = payloads[key["task"]]
        assert (shown["answer"].removeprefix("Film ") in _films(query)) is not key["attention_check"]
        assert (f"Maker {query[4:]}." in shown["page"]) is not key["attention_check"]


@pytest.mark.parametrize("buckets", [1, 4])
def test_refused_answers_go_and_questions_are_replaced(tmp_path: Any, buckets: int) -> None:
    plain, _ = build(buckets=buckets)
    short, hurt, *_ = sorted(query for query, place in PLACES.items() if place == (DEV, 0))
    nexts = sorted((place, query) for query, (side, place) in PLACES.items() if side == DEV and place)
    wrong = {(short, f"Film {film}") for film in _films(short)[:2]} | {(hurt, f"Film {_films(hurt)[0]}")}
    wrong |= {(nexts[0][1], f"Film {film}") for film in _films(nexts[0][1])[3:]}
    words = {query: f"What did Maker {query[4:]} film?" for query in PLACES} | {hurt: "What did he film?"}

    first = write_lines(tmp_path / "first.jsonl", crowd_answers(plain, wrong, words))
    after, _ = build(first, buckets=buckets)
    # The first in line moves up, and its answers are to be judged now.
    again = {json.loads(key["origin"])[0] for key in rows(after, "task_keys_answers_2") if not key["attention_check"]}
    assert again == {nexts[0][1]}
    record = released(after)[hurt]
    assert [one["answer_text"] for one in record["answer_list"]] == [f"Film {film}" for film in _films(hurt)[1:]]
    assert short not in released(after)
    side = {row["query"]: row["confirmed"] for row in rows(after, "sidecar")}
    assert side[hurt] and not side[nexts[0][1]] and not side[TRAINED[0]]

    second = write_lines(tmp_path / "second.jsonl", crowd_answers(after, wrong, words))
    final, rejects = build(first, second, buckets=buckets)
    found = released(final)
    # It is lost as well; the next moves up, and waits for a further round.
    assert {short, nexts[0][1]}.isdisjoint(found)
    assert {query for query, record in found.items() if record["split"] == DEV} >= {hurt, nexts[1][1]}
    assert Counter(record["split"] for record in found.values()) == {DEV: 3, TEST: 3, TRAIN: 2}
    reasons = Counter((stage, reason) for stage, _, reason in rejects)
    assert reasons["qampari.judged", "refused_by_people"] == 2 + 1 + 3
    assert reasons["qampari.replacement_answers_2", "replaced"] == 2
    assert ("qampari.paraphrasing_reworded", hurt, "entity_dropped") in rejects
    assert found[hurt]["question_text"] == f"Which film is by Maker {hurt[4:]}?"
    tested = [query for query, record in found.items() if record["split"] == TEST]
    assert {found[query]["question_text"] for query in tested} == {words[query] for query in tested}
    assert REFUSED in final["verdicts_answers"]["status"].to_pylist()


def test_the_order_of_answers_does_not_matter(tmp_path: Any) -> None:
    plain, _ = build()
    wrong = {(query, f"Film {film}") for query in PLACES for film in _films(query)[:1]}
    said = crowd_answers(plain, wrong, {query: f"And Maker {query[4:]}, what else?" for query in PLACES})
    one, _ = build(write_lines(tmp_path / "one.jsonl", said))
    two, _ = build(write_lines(tmp_path / "b.jsonl", said[::-2]), write_lines(tmp_path / "a.jsonl", said[-2::-2]))
    for name in ("records", "sidecar", "released_questions", "worded_questions"):
        assert one[name].equals(two[name])


def test_the_notes_say_what_is_open(tmp_path: Any) -> None:
    assert any(note.startswith("No answers of people were given") for note in wired(()).notes)
    given = wired((write_lines(tmp_path / "answers.jsonl", []),))
    assert not any(note.startswith("No answers") for note in given.notes)
    assert any("what they have not settled stands unconfirmed" in note for note in given.notes)


def test_rounds_are_counted() -> None:
    values: Values = load(QAMPARI.defaults, None, ("tasks.answer_rounds=3",))
    assert rounds(values) == ("answers", "answers_2", "answers_3", "paraphrases")
    with pytest.raises(StageError, match="tasks.answer_rounds: expected at least 1, got 0"):
        rounds(load(QAMPARI.defaults, None, ("tasks.answer_rounds=0",)))
