"""Recall of answers and evidence in ranked passages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stages.qampari.metrics.retrieval import evaluate_retrieval, first_ranks
from stages.qampari.release.format import Answer, AnswersRecord, Proof
from stages.release.format import ReleaseError, read_records


def answer(qid: str, index: int, text: str, proof: str) -> Answer:
    aid = f"{qid}__{index}"
    return Answer(text, aid, [text], "", [Proof(proof, "https://en.wikipedia.org/wiki/X", f"{aid}__0")])


def record(qid: str) -> AnswersRecord:
    return AnswersRecord([], "Which?", [answer(qid, 0, "Jaws", "P one."), answer(qid, 1, "Hook", "P two.")], qid)


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_ranks_of_whole_words_only() -> None:
    passages = ["Jawsome things", "The hook.", "JAWS, a film", "jaws"]
    assert first_ranks([["jaws"], ["hook"], ["duel", "film"], ["things hook"]], passages) == [3, 2, 3, 1 << 30]


def test_nothing_retrieved() -> None:
    assert first_ranks([["jaws"]], []) == [1 << 30]


def test_recalls_by_hand(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.jsonl", [record("1__x__dev").line(), record("2__x__dev").line()])
    ranking = {"qid": "1__x__dev", "passages": ["nothing", {"text": "On Jaws: p one, at last"}, "p two of hook"]}
    ranked = write(tmp_path / "ranked.jsonl", [json.dumps(ranking), json.dumps(ranking)])
    report = evaluate_retrieval(gold, ranked, cutoffs=(1, 2, 3))
    assert report.answer_recall == {1: 0.0, 2: 0.25, 3: 0.5}
    assert report.evidence_recall == {1: 0.0, 2: 0.25, 3: 0.5}
    assert report.odd == {"missing": ("2__x__dev",), "unknown": (), "repeated": ("1__x__dev",)}
    assert report.as_dict()["answer_recall"]["3"] == 0.5
    assert "    3      50.0      50.0" in report.as_text()


def test_evidence_of_released_records_retrieves_itself(shared_data: Path, tmp_path: Path) -> None:
    gold = shared_data / "qampari" / "released_format_dev_tables.jsonl"
    lines = [
        json.dumps({"qid": item.qid, "passages": [proof.proof_text for a in item.answer_list for proof in a.proof]})
        for item in read_records(gold, AnswersRecord)
    ]
    report = evaluate_retrieval(gold, write(tmp_path / "ranked.jsonl", lines))
    assert report.questions == report.evidence_questions == 85
    assert list(report.answer_recall) == [10, 25, 50, 100, 200]
    assert report.evidence_recall[200] > 0.95
    assert sorted(report.evidence_recall.values()) == list(report.evidence_recall.values())


def test_wrong_rankings_are_named(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.jsonl", [record("1__x__dev").line()])
    with pytest.raises(ReleaseError, match="entry 1: expected a string under 'qid' and a list"):
        evaluate_retrieval(gold, write(tmp_path / "r.jsonl", ['{"qid": "1__x__dev", "passages": "a"}']))
    with pytest.raises(ReleaseError, match="entry 1: expected each passage"):
        evaluate_retrieval(gold, write(tmp_path / "r.jsonl", ['{"qid": "1__x__dev", "passages": [{"id": 1}]}']))


def test_a_ranking_for_other_questions_is_an_error(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.jsonl", [record("1__x__dev").line()])
    ranked = write(tmp_path / "r.jsonl", ['{"qid": "1__x__test", "passages": ["a"]}'])
    with pytest.raises(ReleaseError, match="none of its 1 ids is a question of"):
        evaluate_retrieval(gold, ranked)
