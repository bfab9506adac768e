"""Task kinds: those of the project, held against Label Studio's own checks, and broken ones."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest

from stages.people.controls import CHOICE, NUMBER, Control
from stages.people.kinds import KindError, kind_names, kinds_folder, load_kind, load_kinds
from stages.people.label_studio import import_task, read_export
from stages.people.replies import Reply, ReplyLimits
from tests.people_samples import payload

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
    assert question.redundancy == 5
    assert question.controls["answer"].choices == ("more", "less", "no_effect")
    assert (writing.settings.groups.count, writing.settings.groups.at_least, writing.quota) == (20, 10, 30)
    assert load_kind("ifqa_verification").redundancy == 2


def test_the_graph_page_repeats_the_graph_as_it_grows() -> None:
    page = load_kind("wiqa_graph").page
    sections = page.split("<legend>")[1:]
    assert len(sections) == 5
    assert [sorted(n for n in "XYWUZV" if f'data-echo="{n}"' in section) for section in sections] == [
        [],
        ["X", "Y"],
        ["W", "X", "Y"],
        ["U", "W", "X", "Y"],
        ["U", "W", "X", "Y", "Z"],
    ]


def result_of(control: Control, to_name: str) -> dict[str, Any]:
    if control.kind == CHOICE:
        value, kind = {"choices": [control.choices[0]]}, "choices"
    elif control.kind == NUMBER:
        value, kind = {"number": 3}, "number"
    else:
        value, kind = {"text": ["some words"]}, "textarea"
    return {"id": control.name, "from_name": control.name, "to_name": to_name, "type": kind, "value": value}


@pytest.mark.parametrize("name", NAMES)
def test_label_studio_reads_the_same_form(name: str) -> None:
    interface = pytest.importorskip("label_studio_sdk.label_interface", reason="needs the extra 'annotation'")
    kind = load_kind(name)
    form = interface.LabelInterface(kind.config)
    form.validate()
    theirs = {control.name: control for control in form.controls}
    assert theirs.keys() == kind.controls.keys()
    for control in kind.controls.values():
        assert control.kind != CHOICE or tuple(theirs[control.name].labels) == control.choices
    task = import_task("0" * 32, payload(name))
    assert form.validate_task(task)
    result = [result_of(control, theirs[control.name].to_name[0]) for control in kind.controls.values()]
    assert form.validate_annotation({"result": result})
    assert form.validate_prediction({"result": result, "score": 0.5, "model_version": "1"})
    wrong = [{**result[0], "from_name": "nowhere"}, *result[1:]]
    assert not form.validate_annotation({"result": wrong})


@pytest.mark.parametrize("name", NAMES)
def test_label_studio_takes_a_form_that_is_filled_in(name: str) -> None:
    interface = pytest.importorskip("label_studio_sdk.label_interface", reason="needs the extra 'annotation'")
    kind = load_kind(name)
    form = interface.LabelInterface(kind.config)
    answers = {control.name: list(told_by(control)) for control in kind.controls.values()}
    record = import_task("0" * 32, payload(name), kind, [answers])
    [prediction] = record["predictions"]
    assert form.validate_prediction(prediction)
    # What an expert hands in unchanged comes back as the same answers.
    frame = {"id": 1, "completed_by": 7, "updated_at": "2024-01-31T09:30:00Z", "result": prediction["result"]}
    [reply] = read_export(record | {"annotations": [frame]}, ReplyLimits())
    assert isinstance(reply, Reply) and reply.answers == answers


def told_by(control: Control) -> tuple[str, ...]:
    if control.kind == CHOICE:
        return control.choices[:1]
    return ("3",) if control.kind == NUMBER else ("some words", "others")[: control.max_values]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(kinds_folder(), tmp_path / "annotation")
    return tmp_path / "annotation"


@pytest.mark.parametrize(
    ("kind", "file", "old", "new", "message"),
    [
        ("qampari_answer", "kind.yaml", "redundancy: 1", "redundancy: 0", r"kind.yaml: .*>= 1 - at `redundancy`"),
        ("qampari_answer", "kind.yaml", "redundancy: 1", "redundancy: some", "Expected `int`, got `str`"),
        ("qampari_answer", "kind.yaml", "quota:", "qouta:", "unknown field `qouta`|missing required field `quota`"),
        ("qampari_answer", "kind.yaml", "quota:", "quota: 1\nquota:", "'quota' stands twice"),
        ("qampari_answer", "kind.yaml", "reason:", "verdict:", "limits: verdict is no TextArea"),
        ("qampari_answer", "kind.yaml", "confirm: [correct]", "confirm: [right]", "must share out all of correct"),
        ("qampari_answer", "kind.yaml", "control: verdict", "control: reason", "expected Choices with one answer"),
        ("qampari_paraphrase", "kind.yaml", "  revisions: [paraphrase]\n", "", "revise and revisions go together"),
        ("qampari_paraphrase", "kind.yaml", "[paraphrase]", "[meaning]", "revisions: meaning is no TextArea"),
        ("qampari_paraphrase", "kind.yaml", "max_chars: 400", "max_chars: 4", "paraphrase: min_chars is more"),
        ("ifqa_writing", "kind.yaml", "count: 20", "count: 21", "groups: question_21 is no control"),
        ("ifqa_writing", "kind.yaml", "at_least: 10", "at_least: 21", "at_least is 21 of 20"),
        (
            "ifqa_verification",
            "kind.yaml",
            "  - [revised_q",
            "  - [verdict, revised_q",
            "one_of: verdict is no TextArea",
        ),
        (
            "qampari_answer",
            "config.xml",
            "$title",
            "no title",
            "mturk.html: shows answer, page, question, title; expected",
        ),
        ("qampari_answer", "config.xml", "$title", "$task", "under this name a task's id travels"),
        ("qampari_answer", "mturk.html", 'value="incorrect"', 'value="wrong"', "verdict: other choices"),
        ("qampari_answer", "mturk.html", 'name="reason"', 'name="why"', "reason: is in only one of"),
        ("qampari_answer", "guide.md", "", None, "guide.md: the file is empty"),
        ("qampari_answer", "mturk.html", "<h2>", "<img><h2>", "loads nothing from elsewhere"),
    ],
)
def test_a_broken_kind_is_refused_with_file_and_key(
    folder: Path, kind: str, file: str, old: str, new: str | None, message: str
) -> None:
    path = folder / kind / file
    text = path.read_text(encoding="utf-8")
    path.write_text("" if new is None else text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(KindError, match=message) as error:
        load_kind(kind, folder)
    assert kind in str(error.value)


def test_missing_files_and_kinds_are_named(folder: Path) -> None:
    with pytest.raises(KindError, match="no task kind 'poetry'; there are ifqa_verification"):
        load_kind("poetry", folder)
    (folder / "wiqa_graph" / "mturk.html").unlink()
    with pytest.raises(KindError, match=r"wiqa_graph/mturk\.html: expected a text file"):
        load_kind("wiqa_graph", folder)
