"""Tasks of the LM evaluation harness: a file a benchmark, and beside them the code that they call.

    lm_eval/{task}.yaml      prompt, target, metrics; one for each benchmark with a dev or test set
    lm_eval/tasks.py         reads the release that it lies in, and scores answers as `benchwright evaluate` does

Whoever has a release need not have this project: the code is that of the project's own modules, put one after another.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml

import templates
from stages.core.splits import DEV, TEST, TRAIN
from stages.core.strict_yaml import parse
from stages.release import harness_data
from stages.release.format import ReleaseError

TEMPLATES = ("harness/*.yaml",)
FOLDER, CODE = "lm_eval", "tasks.py"
_PROMPTS = Path(templates.__file__).resolve().parent / "harness"
_SPLITS = {TRAIN: "training_split", DEV: "validation_split", TEST: "test_split"}


@dataclass(frozen=True)
class Harness:
    """prompts: name of a file in templates/harness; configs: the benchmarks that are tasks; modules: those that define
    `score`, after what they take from; none where the harness itself knows the metrics."""

    prompts: str
    configs: tuple[str, ...] = ("",)
    modules: tuple[ModuleType, ...] = ()


def task_name(name: str, config: str) -> str:
    """What a benchmark is called in the harness. name: of the dataset."""
    return "_".join(re.findall(r"[a-z0-9]+", f"benchwright {name} {config}".lower()))


def tasks_of(harness: Harness, name: str, present: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """By name the benchmark of each task: those that have something to be tested on.

    name: of the dataset; present: the splits that each benchmark has.
    """
    return {task_name(name, one): one for one in harness.configs if {DEV, TEST} & set(present.get(one, ()))}


def write_tasks(harness: Harness, name: str, present: Mapping[str, Sequence[str]], folder: Path) -> None:
    """Writes the tasks into the folder of a release."""
    tasks = tasks_of(harness, name, present)
    if tasks:
        (folder / FOLDER).mkdir()
        code = bundle([harness_data, *harness.modules])
        (folder / FOLDER / CODE).write_text(code, encoding="utf-8")
    for task, config in tasks.items():
        text = _task(harness, task, config, present[config])
        (folder / FOLDER / f"{task}.yaml").write_text(text, encoding="utf-8")


def task_paths(harness: Harness, name: str) -> list[Path]:
    """All files, inside the release's folder, that there may be."""
    return [Path(FOLDER, CODE), *(Path(FOLDER, f"{task_name(name, config)}.yaml") for config in harness.configs)]


class _Function(str):
    """What the harness looks up in the code beside the task."""


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as they read."""


_Dumper.add_representer(_Function, lambda dumper, name: dumper.represent_scalar("!function", str(name)))


def _task(harness: Harness, task: str, config: str, splits: Sequence[str]) -> str:
    path = _PROMPTS / harness.prompts
    prompts = dict(parse(path.read_text(encoding="utf-8")))
    version, metrics = prompts.pop("version"), prompts.pop("metrics")
    module = Path(CODE).stem
    made: dict[str, Any] = {
        "task": task,
        "tag": "benchwright",
        "custom_dataset": _Function(f"{module}.load"),
        "dataset_kwargs": {"config": config},
        **{_SPLITS[split]: split for split in splits},
        "fewshot_split": splits[0],
        **prompts,
        **({"process_results": _Function(f"{module}.score")} if harness.modules else {}),
        "metric_list": [{"metric": metric, "aggregation": "mean", "higher_is_better": True} for metric in metrics],
        "metadata": {"version": version},
    }
    return yaml.dump(made, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10_000)


def bundle(modules: Sequence[ModuleType]) -> str:
    """The code of several modules as that of one, which needs none of them.

    Raises ReleaseError where a module takes from one of the project's that does not come before it, or two define the
    same name.
    """
    parts, imported = [], []
    names: set[str] = set()
    for number, module in enumerate(modules):
        source = inspect.getsource(module)
        tree = ast.parse(source)
        own = set(_own_imports(tree))
        if missing := own - {before.__name__ for before in modules[:number]}:
            raise ReleaseError(f"{module.__name__}: takes from {', '.join(sorted(missing))}, which is not bundled")
        defined = set(_defined(tree))
        if twice := defined & names:
            raise ReleaseError(f"{module.__name__}: defines {', '.join(sorted(twice))} anew")
        names |= defined
        imported += [ast.unparse(node) for node in tree.body if _is_import(node) and not _own(node)]
        dropped = {
            line
            for node in tree.body
            if _is_import(node) or node is tree.body[0]
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
        }
        kept = [line for number, line in enumerate(source.splitlines(), start=1) if number not in dropped]
        parts.append("\n".join(kept).strip())
    future, *others = dict.fromkeys(imported)
    head = '"""What the tasks beside it call: from Benchwright, under Apache-2.0."""'
    return "\n\n".join([head, future, "\n".join(others), *("\n" + part for part in parts)]) + "\n"


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def _own(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in _ROOTS


_ROOTS = {"stages", "pipelines", "manifests", "templates"}


def _own_imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and _own(node):
            yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] in _ROOTS)


def _defined(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
