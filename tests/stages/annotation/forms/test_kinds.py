"""Task kinds: those of the project, and broken ones."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import pytest

from stages.annotation.forms.kinds import KindError, kind_names, kinds_folder, load_kind, load_kinds

NAMES = (
    "ifqa_verification",
    "ifqa_writing",
    "musique_composition",
    "qampari_answer",
    "qampari_paraphrase",
    "wiqa_graph",
    "wiqa_question",
)


def test_all_kinds_load() -> None:
    assert kind_names() == NAMES
    kinds = load_kinds()
    assert tuple(kinds) == NAMES
    assert pickle.loads(pickle.dumps(kinds)) == kinds  # noqa: S301


def test_the_numbers_of_the_papers() -> None:
    graph, question, writing = (load_kind(name) for name in ("wiqa_graph", "wiqa_question", "ifqa_writing"))
    assert [name for name in graph.controls if name != "y_affects"] == ["X", "Y", "W", "U", "Z", "V"]
    assert graph.controls["y_affects"].choices == ("more", "less", "neither")
    assert question.settings.redundancy == 5
    assert question.controls["answer"].choices == ("more", "less", "no_effect")
    assert (writing.settings.groups.count, writing.settings.groups.at_least, writing.settings.quota) == (20, 10, 30)
    assert load_kind("ifqa_verification").settings.redundancy == 2


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(kinds_folder(), tmp_path / "annotation")
    return tmp_path / "annotation"


@pytest.mark.parametrize(
    ("kind", "old", "new", "message"),
    [
        ("qampari_answer", "redundancy: 1", "redundancy: 0", r"qampari_answer.yaml: .*>= 1 - at `redundancy`"),
        ("qampari_answer", "redundancy: 1", "redundancy: some", "Expected `int`, got `str`"),
        ("qampari_answer", "quota:", "qouta:", "unknown field `qouta`|missing required field `quota`"),
        ("qampari_answer", "quota:", "quota: 1\nquota:", "'quota' stands twice"),
        ("qampari_answer", "confirm: [correct]", "confirm: [right]", "must share out all of correct"),
        ("qampari_answer", "control: verdict", "control: reason", "expected a choice of one answer"),
        ("qampari_paraphrase", "  revisions: [paraphrase]\n", "", "revise and revisions go together"),
        ("qampari_paraphrase", "[paraphrase]", "[meaning]", "revisions: meaning is no text"),
        ("qampari_paraphrase", "max_chars: 400", "max_chars: 4", "form: paraphrase: min_chars is more"),
        ("ifqa_writing", "controls: [question,", "controls: [query,", "groups: query_01 is no control"),
        ("ifqa_writing", "at_least: 10", "at_least: 21", "at_least is 21 of 20"),
        ("ifqa_verification", "  - [revised_q", "  - [verdict, revised_q", "one_of: verdict is no text"),
        ("qampari_answer", "show: title", "show: task", "under this name a task's id travels"),
        (
            "musique_composition",
            '"Some differ"',
            "some_differ",
            "guide: some_differ is a code; workers read 'Some differ'",
        ),
        ("musique_composition", "title: One question", "title: one_question", "title: one_question is a code"),
        ("qampari_answer", "show: title", "shows: title", r"unknown field `shows` - at `form\[2\].fields\[0\]`"),
    ],
)
def test_a_broken_kind_is_refused_with_file_and_key(folder: Path, kind: str, old: str, new: str, message: str) -> None:
    path = folder / f"{kind}.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert old in text
    with pytest.raises(KindError, match=message) as error:
        load_kind(kind, folder)
    assert f"{kind}.yaml" in str(error.value)


def test_missing_kinds_and_empty_files_are_named(folder: Path) -> None:
    with pytest.raises(KindError, match="no task kind 'poetry'; there are ifqa_verification"):
        load_kind("poetry", folder)
    (folder / "wiqa_graph.yaml").write_text("")
    with pytest.raises(KindError, match=r"wiqa_graph\.yaml: Expected `object`, got `null`"):
        load_kind("wiqa_graph", folder)
    (folder / "wiqa_graph.yaml").write_bytes(b"title: \xff")
    with pytest.raises(KindError, match=r"wiqa_graph\.yaml: .*utf-8"):
        load_kind("wiqa_graph", folder)
