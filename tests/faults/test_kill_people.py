"""Builds killed while answers of people come in: nothing is lost, and no answer counts twice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.faults import builder, people
from tests.faults.test_kill import Scene, after, die_and_go_on

pytestmark = pytest.mark.slow
ROUND = "annotation.verdicts_graphs"


@pytest.fixture(scope="module")
def unanswered(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A root with a build that nobody has answered, and the files of the next build, answers among them."""
    folder = tmp_path_factory.mktemp("kill-people")
    paths = people.write_input(folder / "input")
    root = folder / "before"
    assert builder.run(builder.build, str(root), paths, None, 1, people.pipeline) == 0
    return root, [*paths, people.write_answers(root, folder / "answers.jsonl")]


def scene(unanswered: tuple[Path, list[str]], until: str | None, folder: Path) -> Scene:
    before, paths = unanswered
    return after(before, paths, until, folder / "whole", people.pipeline, "wiqa")


def killed(found: Scene, kind: str, steps: range, folder: Path) -> int:
    """At how many of the steps a build died, up to the first that lies beyond its end."""
    died = 0
    with ThreadPoolExecutor(2) as pool:
        for dead in pool.map(lambda step: die_and_go_on(found, kind, step, folder / str(step)), steps):
            if not dead:
                pool.shutdown(wait=False, cancel_futures=True)
                break
            died += 1
    return died


def test_a_round_of_answers_killed_at_any_write(unanswered: tuple[Path, list[str]], tmp_path: Path) -> None:
    found = scene(unanswered, ROUND, tmp_path)
    steps = killed(found, "within a write", range(1, 200), tmp_path)
    # Each stage from `annotation.received` to the verdicts writes at least a table, its rejects, a result and a
    # manifest.
    print(f"{steps} steps")
    assert 3 * 4 <= steps < 199


@pytest.mark.parametrize("kind", ["before a write", "before a delete"])
def test_a_whole_build_with_answers_killed_here_and_there(
    unanswered: tuple[Path, list[str]], kind: str, tmp_path: Path
) -> None:
    found = scene(unanswered, None, tmp_path)
    assert killed(found, kind, range(1, 400, 47), tmp_path) >= 2
