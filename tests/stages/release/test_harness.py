"""Tasks of the evaluation harness: their fields, and that what lies beside them scores as this project does, alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from stages.evaluation import matching, spans, squad
from stages.ifqa.release import harness as counterfactuals
from stages.ifqa.release.records import LAYOUT as COUNTERFACTUALS
from stages.musique.release.records import LAYOUT as MULTIHOP
from stages.qampari.metrics.metrics import GoldQuestion, score_question
from stages.qampari.release import harness as answers
from stages.qampari.release.records import LAYOUT as ANSWERS
from stages.release.export import Layout
from stages.release.format import ReleaseError
from stages.release.harness import bundle, task_name, task_paths, tasks_of, write_tasks
from stages.wiqa.release.records import LAYOUT as CHOICES
from tests.stages.release import samples

EVERY = ["train", "dev", "test"]
LAYOUTS = {"qampari": ANSWERS, "wiqa": CHOICES, "ifqa": COUNTERFACTUALS, "musique": MULTIHOP}
PREDICTED = [" Jaws; the jaws ;Duel;;", "", "jaws!", "no; nothing", "Jaws (film); Norland", "Norland", "It"]


class Reader(yaml.SafeLoader):
    """Reads functions as what they are called."""


Reader.add_constructor("!function", lambda loader, node: f"!{node.value}")


def written(folder: Path, name: str, layout: Layout, present: dict[str, list[str]]) -> dict[str, dict[str, Any]]:
    assert layout.harness is not None
    write_tasks(layout.harness, name, present, folder)
    files = sorted(folder.glob("lm_eval/*.yaml"))
    known = {(folder / path).as_posix() for path in task_paths(layout.harness, name)}
    assert {path.as_posix() for path in files} <= known
    return {path.stem: yaml.load(path.read_text(), Loader=Reader) for path in files}  # noqa: S506 (of the safe loader)


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_fields_of_a_task(tmp_path: Path, name: str) -> None:
    layout = LAYOUTS[name]
    present = dict.fromkeys(layout.configs, EVERY)
    tasks = written(tmp_path, name, layout, present)
    assert layout.harness is not None and set(tasks) == set(tasks_of(layout.harness, name, present))
    for task, found in tasks.items():
        assert found["task"] == task and found["custom_dataset"] == "!tasks.load"
        assert found["dataset_kwargs"]["config"] in layout.configs
        splits = [found[key] for key in ("training_split", "validation_split", "test_split", "fewshot_split")]
        assert splits == ["train", "dev", "test", "train"]
        assert found["output_type"] == ("multiple_choice" if name == "wiqa" else "generate_until")
        assert found.get("process_results") == (None if name == "wiqa" else "!tasks.score")
        assert {one["aggregation"] for one in found["metric_list"]} == {"mean"}
        assert found["metadata"] == {"version": 1}


def test_a_task_is_only_where_there_is_something_to_be_tested_on(tmp_path: Path) -> None:
    tasks = written(tmp_path, "ifqa", COUNTERFACTUALS, {"full": ["train"], "few": ["dev"]})
    assert list(tasks) == ["benchwright_ifqa_few"]
    assert "test_split" not in tasks["benchwright_ifqa_few"]
    assert tasks["benchwright_ifqa_few"]["fewshot_split"] == "dev"
    assert written(tmp_path / "none", "qampari", ANSWERS, {"": ["train"]}) == {}
    assert task_name("Football: clubs & co", "") == "benchwright_football_clubs_co"


def alone(code: Path, docs: list[dict[str, Any]]) -> list[dict[str, float]]:
    """What the code says of every prediction for every record, where nothing of this project can be imported."""
    asked = [[doc, text] for doc in docs for text in PREDICTED]
    script = (
        "import json, sys; sys.path.insert(0, sys.argv[1]); import tasks; "
        "print(json.dumps([tasks.score(doc, [text]) for doc, text in json.load(sys.stdin)]))"
    )
    command = [sys.executable, "-I", "-S", "-c", script, str(code)]
    said = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True, timeout=60)
    found: list[dict[str, float]] = json.loads(said.stdout)
    return found


def test_lists_of_answers_score_as_they_do_here(tmp_path: Path) -> None:
    written(tmp_path, "qampari", ANSWERS, {"": EVERY})
    other = samples.changed(samples.ANSWERS, "answer_list", 0, "aliases", to=["Jaws", "Jaws (film)", "Duel"])
    docs = [samples.ANSWERS, other]
    wanted = []
    for doc in docs:
        gold = GoldQuestion(doc["qid"], tuple((a["answer_text"], *a["aliases"]) for a in doc["answer_list"]))
        for text in PREDICTED:
            found = score_question(gold, text.split(";"))
            wanted.append({"precision": found.precision, "recall": found.recall, "answer_f1": found.f1})
    assert alone(tmp_path / "lm_eval", docs) == wanted
    assert wanted[0] == {"precision": 0.5, "recall": 1.0, "answer_f1": pytest.approx(2 / 3)}


@pytest.mark.parametrize(
    ("name", "doc", "names"),
    [
        ("ifqa", samples.COUNTERFACTUAL, ["it"]),
        ("musique", samples.MULTIHOP, ["Norland", "the Nor"]),
    ],
)
def test_short_answers_score_as_they_do_here(tmp_path: Path, name: str, doc: dict[str, Any], names: list[str]) -> None:
    layout = LAYOUTS[name]
    written(tmp_path, name, layout, dict.fromkeys(layout.configs, EVERY))
    wanted = [{"exact": spans.exact_match(text, names), "answer_f1": spans.best_f1(text, names)} for text in PREDICTED]
    assert alone(tmp_path / "lm_eval", [doc]) == wanted
    assert {one["exact"] for one in wanted} == {0.0, 1.0}


def test_code_that_is_not_whole_is_not_bundled() -> None:
    with pytest.raises(ReleaseError, match=r"matching: takes from stages\.core\.short_answers, which is not bundled"):
        bundle([matching, answers])
    with pytest.raises(ReleaseError, match="score, which|defines score anew"):
        bundle([squad, counterfactuals, counterfactuals])
