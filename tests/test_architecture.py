"""The shape of the project: who imports whom, what is named where, and that every part is described and tested."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from importlib import import_module, metadata
from pathlib import Path

import pytest
import yaml

from pipelines.datasets import names

REPO = Path(__file__).resolve().parent.parent
PACKAGES = ("pipelines", "stages", "templates", "manifests")
# Each package may import those that stand in its own row, and itself.
MAY_IMPORT = {
    "pipelines": {"stages", "manifests", "templates"},
    "stages": {"manifests", "templates"},
    "manifests": set(),
    "templates": set(),
}
MODULES = sorted(path for package in PACKAGES for path in (REPO / package).rglob("*.py"))
MOST_LINES = 600
# What reads and writes, so that kernels need not. A module with a kernel imports none of these.
OUTSIDE = {"socket", "subprocess", "urllib", "http", "requests", "shutil", "tempfile", "gzip", "bz2", "backports"}
HEAVY = {"apache_beam", "torch", "transformers", "spacy", "sklearn", "onnxruntime"}
# Rooms of stages/ from the lowest up. A room may import those of its own row and of the rows above it here; what two
# rooms need lies in the lowest room that both see. No dataset imports another.
ROOMS = (
    {"core"},
    {"io", "beam"},
    {"wikidata", "wikipedia", "linking", "live"},
    {"facts", "models", "annotation", "normalise", "evaluation", "release"},
    set(names()),
)
# Modules that are tested through what uses them: the folder's test file that does it.
TESTED_ELSEWHERE = {
    "manifests/test_rows": ["partitions"],
    "pipelines/cli/test_evaluate": ["../release"],
    "pipelines/library/benchwright/test_benchwright": ["../../building", "../../comparison", "../../evaluation"],
    "pipelines/musique/test_pipeline": ["corpus"],
    "pipelines/qampari/test_sample": ["../corpus", "pipeline"],
    "pipelines/test_runner": ["../stages/beam/chained"],
    "pipelines/wiqa/test_pipeline": ["../people", "../rounds"],
    "stages/annotation/simulation/test_crowd": ["../../core/chance"],
    "stages/annotation/simulation/test_crowd_plan": ["plan"],
    "stages/annotation/test_annotations": ["asked"],
    "stages/annotation/test_verdicts": ["contributed", "decisions", "tables"],
    "stages/beam/test_executor": ["steps", "worker"],
    "stages/evaluation/test_spans": ["squad"],
    "stages/facts/calibration/test_thresholds": ["report"],
    "stages/facts/test_triples": ["tables"],
    "stages/ifqa/test_answer_processing": ["titles"],
    "stages/ifqa/test_profile": ["plots"],
    "stages/ifqa/test_verification": ["verification_drafts"],
    "stages/io/test_json_files": ["../wikidata/source"],
    "stages/io/test_ranges": ["lines"],
    "stages/linking/test_link": ["statuses"],
    "stages/live/test_recipe": ["recipe_faults"],
    "stages/live/test_wiki_answers": ["wiki_form"],
    "stages/models/readers/test_lexical": ["words"],
    "stages/models/readers/test_transformers_reader": ["torch_spans", "training"],
    "stages/musique/bridges/test_bridge_mentions": ["requests"],
    "stages/musique/composition/test_human_composition": ["tables"],
    "stages/musique/contexts/test_contexts": ["tables"],
    "stages/musique/contexts/test_distractors": ["pool"],
    "stages/musique/disconnection/test_disconnection_filter": ["tables"],
    "stages/musique/graphs/test_candidate_graphs": ["grow", "numbers", "params", "shapes"],
    "stages/musique/graphs/test_graph_selection": ["tables"],
    "stages/musique/splits/test_splits": ["growing"],
    "stages/normalise/test_answer": ["amount_forms", "amount_ranges", "amounts", "clean", "compounds", "date_digits"],
    "stages/normalise/test_calendar": ["date_ranges", "date_tokens", "date_units", "dates"],
    "stages/normalise/test_gold": ["entities", "evidence", "model", "short", "terms", "usage"],
    "stages/normalise/test_number_words": ["number_reader", "spelling"],
    "stages/qampari/metrics/test_metrics": [
        "../../evaluation/files",
        "../../evaluation/report",
        "../../evaluation/report",
    ],
    "stages/release/test_format": ["../qampari/release/format"],
    "stages/release/test_harness": [
        "../ifqa/release/harness",
        "../musique/release/harness",
        "../qampari/release/harness",
        "harness_data",
    ],
    "stages/wikipedia/test_expand": ["language_names", "template_names"],
    "stages/wikipedia/test_sentences": ["punkt"],
    "stages/wiqa/baselines/test_run": ["../../evaluation/outcome", "classifiers", "encoder"],
    "stages/wiqa/metrics/test_metrics": ["consistency"],
    "stages/wiqa/test_build": ["changes"],
    "stages/wiqa/test_paragraphs": ["../io/json_records"],
    "stages/wiqa/test_people": ["drafts", "tables", "verification"],
    "stages/wiqa/test_splits": ["../core/groups", "../core/splits"],
}


def name_of(path: Path) -> str:
    return str(path.relative_to(REPO))


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), name_of(path))


def imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module or ""


def kernels() -> Iterator[tuple[str, ast.Module]]:
    """Modules of stages that make a Stage from a kernel."""
    for path in sorted((REPO / "stages").rglob("*.py")):
        tree = parsed(path)
        if any(isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Stage" for node in ast.walk(tree)):
            yield name_of(path), tree


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_run_one_way(path: Path) -> None:
    package = name_of(path).split("/")[0]
    own = {name.split(".")[0] for name in imports(parsed(path))} & set(PACKAGES)
    assert own - {package} <= MAY_IMPORT[package]


def test_templates_are_imported_for_where_they_lie_and_hold_no_code() -> None:
    for path in MODULES:
        taken = [name for name in imports(parsed(path)) if name.split(".")[0] == "templates"]
        assert set(taken) <= {"templates"}, name_of(path)
    code = [path for path in (REPO / "templates").rglob("*.py") if parsed(path).body[1:]]
    assert code == []


def test_only_one_folder_knows_beam() -> None:
    knows = {
        name_of(path.parent)
        for path in MODULES
        if any(name.split(".")[0] == "apache_beam" for name in imports(parsed(path)))
    }
    assert knows == {"stages/beam"}


def test_kernels_neither_read_nor_write() -> None:
    found = dict(kernels())
    assert len(found) > 30
    for module, tree in found.items():
        assert not {name.split(".")[0] for name in imports(tree)} & OUTSIDE, module
        calls = {getattr(node.func, "id", "") for node in ast.walk(tree) if isinstance(node, ast.Call)}
        assert not calls & {"open", "print", "input"}, module


def taken() -> Iterator[tuple[str, str]]:
    """(module, module that it imports) of the modules of stages."""
    modules = {_dotted(path) for path in MODULES}
    for path in (REPO / "stages").rglob("*.py"):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "stages":
                for alias in node.names:
                    whole = f"{node.module}.{alias.name}"
                    yield _dotted(path), whole if whole in modules else node.module


def _dotted(path: Path) -> str:
    return name_of(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def _row(room: str) -> int:
    return next(number for number, row in enumerate(ROOMS) if room in row)


def test_every_room_of_the_stages_has_its_row() -> None:
    there = {path.name for path in (REPO / "stages").iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert there == set().union(*ROOMS)
    assert [path.name for path in (REPO / "stages").glob("*.py")] == ["__init__.py"]


def test_rooms_take_from_lower_ones_and_no_dataset_from_another() -> None:
    between = {(one, other) for one, other in taken() if _room(one) != _room(other)}
    assert len(between) > 100
    upwards = {(one, other) for one, other in between if _row(_room(one)) < _row(_room(other))}
    assert upwards == set()
    across = {(one, other) for one, other in between if _room(one) in ROOMS[-1] and _room(other) in ROOMS[-1]}
    assert across == set()


def test_no_folders_of_the_stages_import_each_other_in_a_circle() -> None:
    folders = {_dotted(path.parent) for path in (REPO / "stages").rglob("__init__.py")}
    graph: dict[str, set[str]] = {}
    for one, other in taken():
        here, there = (name if name in folders else name.rpartition(".")[0] for name in (one, other))
        if here != there:
            graph.setdefault(here, set()).add(there)
    assert list(TopologicalSorter(graph).static_order())


def test_one_class_name_means_one_thing() -> None:
    homes: dict[str, list[str]] = {}
    for path in MODULES:
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(name_of(path))
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


def test_a_stage_is_called_as_its_file_is() -> None:
    """ "room.file"; where a file holds several, a word follows: "room.file_word"."""
    called = {}
    for module, tree in kernels():
        folder, _, file = module.removeprefix("stages/").removesuffix(".py").rpartition("/")
        wanted = f"{folder.split('/')[0]}.{file}"
        for name in _names_of_stages(tree):
            if name != wanted and not name.startswith(f"{wanted}_"):
                called[module] = name
    assert called == {}


def _names_of_stages(tree: ast.Module) -> Iterator[str]:
    """What stages are called, as far as it stands in the call itself: round names follow from outside."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Stage", "_stage"):
            given = [word.value for word in node.keywords if word.arg == "name"] or node.args[:1]
            for value in given:
                first = value.values[0] if isinstance(value, ast.JoinedStr) else value
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    yield first.value


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_every_module_says_what_it_is_and_is_not_too_long(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)), "no docstring"
    assert len(text.splitlines()) <= MOST_LINES


def test_every_module_has_its_tests() -> None:
    elsewhere = {module for modules in _tested_elsewhere().values() for module in modules}
    untested = []
    for path in MODULES:
        if path.name == "__init__.py" or not parsed(path).body[1:] or path in elsewhere:
            continue
        mirror = _mirror(path)
        if not mirror.is_file() or "def test_" not in mirror.read_text(encoding="utf-8"):
            untested.append(name_of(path))
    assert untested == []


def test_modules_that_are_tested_elsewhere_are_there_and_have_no_test_file_of_their_own() -> None:
    for test, modules in _tested_elsewhere().items():
        assert "def test_" in test.read_text(encoding="utf-8")
        for module in modules:
            assert module.is_file() and not _mirror(module).exists(), name_of(module)


def _mirror(module: Path) -> Path:
    return REPO / "tests" / module.parent.relative_to(REPO) / f"test_{module.name}"


def _tested_elsewhere() -> dict[Path, list[Path]]:
    return {
        REPO / "tests" / f"{test}.py": [(REPO / test).parent.joinpath(f"{module}.py").resolve() for module in modules]
        for test, modules in TESTED_ELSEWHERE.items()
    }


@pytest.mark.parametrize("package", PACKAGES)
def test_the_plain_names_lead_to_this_project(package: str) -> None:
    found = import_module(package).__file__
    assert found is not None and Path(found).resolve() == REPO / package / "__init__.py"
    owners = {name.lower() for name in metadata.packages_distributions().get(package, [])}
    assert owners <= {"benchwright"}, f"{owners} bring a package named {package}"


def test_the_plain_names_lead_here_from_any_folder_too(tmp_path: Path) -> None:
    code = f"import {', '.join(PACKAGES)}; print(*(p.__file__ for p in ({', '.join(PACKAGES)})), sep='\\n')"
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, timeout=120, check=True
    )
    assert said.stdout.splitlines() == [str(REPO / package / "__init__.py") for package in PACKAGES]


def test_kernels_import_nothing_heavy() -> None:
    modules = [module.removesuffix(".py").replace("/", ".") for module, _ in kernels()]
    code = (
        f"import sys, importlib\nfor name in {modules!r}: importlib.import_module(name)\n"
        f"print(sorted({HEAVY - {'sklearn'}!r} & set(sys.modules)))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert said.stdout == "[]\n"


# The digest of a sample is that of its files; what they were written from needs no version.
TEMPLATES = [path for path in sorted((REPO / "templates").rglob("*.yaml")) if "samples" not in path.parts]


@pytest.mark.parametrize("path", TEMPLATES, ids=name_of)
def test_templates_carry_a_version(path: Path) -> None:
    assert yaml.safe_load(path.read_text(encoding="utf-8"))["version"] >= 1


@pytest.mark.parametrize("name", names())
def test_a_dataset_is_one_folder_with_its_files(name: str) -> None:
    folder = REPO / "pipelines" / name
    missing = [
        file for file in ("pipeline.py", "params.yaml", "README.md", "CITATION.bib") if not (folder / file).is_file()
    ]
    assert missing == []
