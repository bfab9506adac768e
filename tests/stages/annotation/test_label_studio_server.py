"""Tasks sent to a server of the tests' own, which answers as Label Studio's API does."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from stages.annotation.forms.pages import guide_html, label_studio_config
from stages.annotation.label_studio_server import TOKEN, Pushed, PushError, Server
from tests.people_samples import ANSWER, GRAPH, KINDS, task_row, task_table
from tests.tools.small_label_studio import SmallLabelStudio, small_label_studio

pytest.importorskip("label_studio_sdk", reason="needs the extra 'annotation'")
pytestmark = pytest.mark.network
SECRET = "0123456789abcdef0123456789abcdef01234567"  # noqa: S105 (of a server that lives for one test)
ROWS = [task_row(question=f"Which {number}?", redundancy=1 + number % 2) for number in range(5)]
TREE = task_row(GRAPH)


@pytest.fixture
def small() -> Iterator[SmallLabelStudio]:
    with small_label_studio(SECRET) as server:
        yield server


def server(small: SmallLabelStudio) -> Server:
    return Server.of(small.url + "/", {TOKEN: f" {SECRET}\n"})


def held(small: SmallLabelStudio, project: int) -> list[str]:
    return sorted(task["data"]["task"] for task in small.projects[project - 1]["tasks"])


def test_a_project_per_kind_and_number_of_votes(small: SmallLabelStudio) -> None:
    tasks = task_table(*ROWS, TREE)
    assert server(small).push(tasks, KINDS, "toy", batch=2) == [
        Pushed(ANSWER, 1, 3, 3, f"{small.url}/projects/1"),
        Pushed(ANSWER, 2, 2, 2, f"{small.url}/projects/2"),
        Pushed(GRAPH, 1, 1, 1, f"{small.url}/projects/3"),
    ]
    first = {name: value for name, value in small.projects[0].items() if name not in ("tasks", "description")}
    assert first == {
        "id": 1,
        "title": "Does the page support this answer?",
        "label_config": label_studio_config(KINDS[ANSWER]),
        "expert_instruction": guide_html(KINDS[ANSWER].settings.guide),
        "show_instruction": True,
        "maximum_annotations": 1,
    }
    assert small.projects[1]["maximum_annotations"] == 2
    assert held(small, 1) == sorted(row["task"] for row in ROWS if row["redundancy"] == 1)
    shown = {row["task"]: json.loads(row["payload"]) for row in ROWS}
    assert all(
        task == {"data": shown[task["data"]["task"]] | {"task": task["data"]["task"]}}
        for task in small.projects[0]["tasks"]
    )
    assert sum(path.endswith("/import") for _, path, _ in small.asked) == 4
    assert {told for _, _, told in small.asked} == {f"Token {SECRET}"}


def test_the_same_tasks_again_add_nothing_and_others_a_project(small: SmallLabelStudio) -> None:
    server(small).push(task_table(*ROWS), KINDS, "toy")
    assert [one.added for one in server(small).push(task_table(*ROWS), KINDS, "toy")] == [0, 0]
    assert len(small.projects) == 2
    [other] = server(small).push(task_table(ROWS[0]), KINDS, "toy")
    assert (other.added, len(small.projects)) == (1, 3)


def test_a_push_that_broke_off_is_finished_by_the_next(small: SmallLabelStudio) -> None:
    small.imports = 1
    with pytest.raises(PushError) as error:
        server(small).push(task_table(*ROWS), KINDS, "toy", batch=2)
    # An import that fails is not repeated: it may have been taken all the same. What the server says is told, masked.
    assert str(error.value) == f'{small.url}: answers with 500: {{"detail": "broken, asked with Token ..."}}'
    assert sum(path.endswith("/import") for _, path, _ in small.asked) == 2
    small.imports = 100
    assert [
        (one.votes, one.tasks, one.added) for one in server(small).push(task_table(*ROWS), KINDS, "toy", batch=2)
    ] == [
        (1, 3, 1),
        (2, 2, 2),
    ]
    assert held(small, 1) == sorted(row["task"] for row in ROWS if row["redundancy"] == 1)


def test_what_the_server_does_not_hold_in_the_end_is_told(small: SmallLabelStudio) -> None:
    small.loses = True
    with pytest.raises(PushError, match=r"project 1 has 1 of 1 tasks not yet, such as [0-9a-f]{32}; "):
        server(small).push(task_table(TREE), KINDS, "toy")


def test_an_expert_finds_the_form_filled_in(small: SmallLabelStudio) -> None:
    given = [{"task": TREE["task"], "answers": json.dumps({"X": ["rain"], "y_affects": ["more"]})}]
    server(small).push(task_table(TREE), KINDS, "toy", answers=given)
    [record] = small.projects[0]["tasks"]
    assert [part["from_name"] for part in record["predictions"][0]["result"]] == ["X", "y_affects"]
    # For workers the same tasks are another project.
    server(small).push(task_table(TREE), KINDS, "toy")
    assert [project["description"].rpartition(";")[0] for project in small.projects] == [
        "toy: wiqa_graph, 1 per task, for experts",
        "toy: wiqa_graph, 1 per task",
    ]


def test_many_projects_and_tasks_are_read_page_by_page(small: SmallLabelStudio) -> None:
    small.projects += [
        {"id": number, "title": "x", "description": f"{number}", "tasks": []} for number in range(1, 700)
    ]
    rows = [task_row(question=f"Which {number}?") for number in range(1001)]
    assert [one.added for one in server(small).push(task_table(*rows), KINDS, "toy")] == [1001]
    assert [one.added for one in server(small).push(task_table(*rows), KINDS, "toy")] == [0]


def test_a_token_that_is_refused_is_named_by_its_variable(small: SmallLabelStudio) -> None:
    wrong = "f" * 40
    with pytest.raises(PushError, match=f"refuses the token in {TOKEN}") as error:
        Server.of(small.url, {TOKEN: wrong}).push(task_table(TREE), KINDS, "toy")
    assert wrong not in str(error.value) and error.value.__cause__ is None


def test_no_server_at_all() -> None:
    with pytest.raises(PushError, match=r"http://127\.0\.0\.1:9: not reached \(ConnectError: .*running\?"):
        Server.of("http://127.0.0.1:9", {TOKEN: SECRET}).push(task_table(TREE), KINDS, "toy")


@pytest.mark.parametrize(
    ("url", "environment", "told"),
    [
        ("label-studio.example.org", {TOKEN: SECRET}, "--push 'label-studio.example.org': expected an address such as"),
        ("ftp://example.org", {TOKEN: SECRET}, "--push 'ftp://example.org': expected an address such as"),
        ("https://me:word@example.org", {TOKEN: SECRET}, "--push 'https://...@example.org': expected an address alone"),
        (
            "https://example.org?token=word",
            {TOKEN: SECRET},
            "--push 'https://example.org?token=...': expected an address",
        ),
        ("https://example.org", {}, f"--push: set {TOKEN} to an access token of your account on https://example.org"),
        ("https://example.org", {TOKEN: " "}, f"--push: set {TOKEN} to an access token"),
    ],
)
def test_addresses_and_tokens_that_cannot_be(url: str, environment: dict[str, str], told: str) -> None:
    with pytest.raises(PushError) as error:
        Server.of(url, environment)
    assert str(error.value).startswith(told) and "word" not in str(error.value)


def test_a_server_does_not_show_its_token() -> None:
    assert SECRET not in repr(Server.of("https://example.org", {TOKEN: SECRET}))


def test_no_token_goes_to_another_machine_over_plain_http() -> None:
    with pytest.raises(PushError, match=r"--push 'http://studio\.example': your token would go .*https address"):
        Server.of("http://studio.example", {TOKEN: SECRET})
    assert Server.of("https://studio.example/", {TOKEN: SECRET}).url == "https://studio.example"
