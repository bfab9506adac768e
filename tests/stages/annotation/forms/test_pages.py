"""Forms as the platforms show them, held against Label Studio's own checks."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from stages.annotation.forms.form import CHOICE, NUMBER, Block, Control, Field, controls_of, option_words
from stages.annotation.forms.kinds import TASK_FIELD, TaskKind
from stages.annotation.forms.pages import fill_variables, guide_html, label_studio_config, mturk_page
from stages.annotation.platforms.label_studio import import_task, read_export
from stages.annotation.platforms.replies import Reply, ReplyLimits
from tests.people_samples import KINDS, payload
from tests.stages.annotation.desk import CHECK

FORM = (
    Block("About $topic & more", (Field(show="text", long=True), Field(note="Read <all> of it."))),
    Block("Mood?", (Field(choice="mood", most=2, required=True, options={"calm": "As the <sea>", "so_glad": ""}),)),
    Block(
        "Why?",
        (Field(text="why", label="Because", most=2, rows=1, example="of you"), Field(so_far=("{mood} & {why}",))),
        when={"mood": ("calm", "so_glad")},
    ),
    Block("How much?", (Field(number="weight", low=1, high=9), Field(text="other", required=True))),
)
KIND = TaskKind("toy", CHECK.settings, FORM, ("text", "topic"), controls_of(FORM), {})


def test_a_configuration_in_full() -> None:
    assert (
        label_studio_config(KIND)
        == """<View>
  <Header value="About $topic &amp; more"/>
  <Text name="text_text" value="$text"/>
  <Header value="Read &lt;all&gt; of it." size="5"/>
  <Header value="Mood?"/>
  <Choices name="mood" toName="text_text" choice="multiple" showInline="true" required="true">
    <Choice value="Calm" alias="calm" hint="As the &lt;sea&gt;"/>
    <Choice value="So glad" alias="so_glad"/>
  </Choices>
  <View visibleWhen="choice-selected" whenTagName="mood" whenChoiceValue="calm,so_glad">
    <Header value="Why?" size="5"/>
    <Header value="Because" size="6"/>
    <TextArea name="why" toName="text_text" rows="1" maxSubmissions="2" editable="true" placeholder="of you"/>
  </View>
  <Header value="How much?"/>
  <Number name="weight" toName="text_text" min="1" max="9" step="1"/>
  <TextArea name="other" toName="text_text" rows="2" maxSubmissions="1" editable="true" required="true" placeholder=""/>
</View>
"""
    )


def test_the_page_of_the_same_form_in_full() -> None:
    page = mturk_page(KIND)
    assert (
        page.split('name="task" value="${task}">\n')[1].split("\n<p><button")[0]
        == """<h2>About ${topic} &amp; more</h2>
<div class="shown long">${text}</div>
<p>Read &lt;all&gt; of it.</p>
<fieldset>
<legend>Mood?</legend>
<label><input type="checkbox" name="mood" value="calm"> Calm: as the &lt;sea&gt;</label>
<label><input type="checkbox" name="mood" value="so_glad"> So glad</label>
</fieldset>
<fieldset data-when="mood=calm,so_glad">
<legend>Why?</legend>
<label>Because, one a line
<textarea name="why" rows="2"></textarea>
<span class="hint">of you</span></label>
<div class="graph">
<p>So far:</p>
<ul>
<li><span data-echo="mood"></span> &amp; <span data-echo="why"></span></li>
</ul>
</div>
</fieldset>
<fieldset>
<legend>How much?</legend>
<input type="number" name="weight" min="1" max="9" step="1">
<textarea name="other" rows="2" required></textarea>
</fieldset>"""
    )
    assert "<title>check</title>" in page and "<p>Do.</p>" in page


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_page_has_the_controls_of_its_form_and_its_variables_in_sight(name: str) -> None:
    kind, page = KINDS[name], mturk_page(KINDS[name])
    fields = re.findall(r'<(?:textarea|input type="(?!hidden)\w+") name="(\w+)"', page)
    assert list(dict.fromkeys(fields)) == list(kind.controls)
    assert page.count("<form ") == 1 and page.count(f'name="{TASK_FIELD}" value="${{{TASK_FIELD}}}"') == 1
    # Elsewhere than between tags, what a variable holds could run.
    shown = re.findall(r">\$\{(\w+)\}</(?:p|div|h2|legend)>", page)
    assert sorted(shown) == sorted(kind.variables) and page.count("${") == len(shown) + 1


@pytest.mark.parametrize("name", sorted(KINDS))
def test_a_guide_names_choices_as_workers_read_them(name: str) -> None:
    kind, page = KINDS[name], mturk_page(KINDS[name])
    named = re.findall(r'[Cc]hoose "([^"]+)"', kind.settings.guide)
    assert len(named) == len(re.findall(r"[Cc]hoose (?![^ ]+ or more )", kind.settings.guide))
    read = {option_words(choice) for control in kind.controls.values() for choice in control.choices}
    assert set(named) <= read
    assert all(f"> {words}" in page and f'value="{words}"' in label_studio_config(kind) for words in read)


BROWSER = shutil.which("chromium")


@pytest.mark.skipif(BROWSER is None, reason="needs the command chromium")
@pytest.mark.parametrize(("assignment", "preview"), [("ASSIGNMENT_ID_NOT_AVAILABLE", True), ("3ABC", False)])
def test_a_preview_can_be_read_and_not_filled_in(assignment: str, preview: bool, tmp_path: Path) -> None:
    asks = """
<script>
const fields = [...document.querySelectorAll("input:not([type=hidden]), textarea, button")];
const off = fields.filter((field) => field.matches(":disabled")).length;
const seen = [...document.querySelectorAll(".preview")].filter((place) => place.offsetHeight > 0);
const said = seen.map((place) => place.innerText);
document.title = JSON.stringify([fields.length, off, said]);
</script>
</body>"""
    page = fill_variables(mturk_page(KIND), {"task": "t", "text": "Some", "topic": "rain"})
    path = tmp_path / "page.html"
    path.write_text(page.replace("</body>", asks), encoding="utf-8")
    command = [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'home'}"]
    where = f"{path.as_uri()}?assignmentId={assignment}"
    dumped = subprocess.run([*command, "--dump-dom", where], check=True, capture_output=True, text=True, timeout=120)
    found = re.search(r"<title>(.*?)</title>", dumped.stdout)
    assert found is not None
    # Two boxes, three texts and numbers, and the button; of these the question why is asked only of the glad.
    told = json.loads(html.unescape(found[1]))
    assert told == ([6, 6, ["This is a preview. Accept the task to fill in the form."]] if preview else [6, 1, []])


def test_a_guide_becomes_headings_lists_and_paragraphs() -> None:
    guide = "# Do <this>\n\nRead the\ntext.\n\n- one\n- two\n  lines\n"
    assert guide_html(guide) == (
        "<h2>Do &lt;this&gt;</h2>\n<p>Read the text.</p>\n<ul><li>one</li><li>two lines</li></ul>"
    )


def test_variables_are_filled_once() -> None:
    assert fill_variables("<p>${a} ${b}</p>", {"a": "${b}", "b": "x"}) == "<p>${b} x</p>"


def test_the_graph_page_repeats_the_graph_as_it_grows() -> None:
    page = mturk_page(KINDS["wiqa_graph"])
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


@pytest.mark.parametrize("name", sorted(KINDS))
def test_label_studio_reads_the_same_form(name: str) -> None:
    interface = pytest.importorskip("label_studio_sdk.label_interface", reason="needs the extra 'annotation'")
    kind = KINDS[name]
    form = interface.LabelInterface(label_studio_config(kind))
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


@pytest.mark.parametrize("name", sorted(KINDS))
def test_label_studio_takes_a_form_that_is_filled_in(name: str) -> None:
    interface = pytest.importorskip("label_studio_sdk.label_interface", reason="needs the extra 'annotation'")
    kind = KINDS[name]
    form = interface.LabelInterface(label_studio_config(kind))
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
