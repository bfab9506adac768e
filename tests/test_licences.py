"""Licences of all that is installed with the project, and lock files that hold on any machine."""

from __future__ import annotations

import hashlib
import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from tests.tools import locks
from tests.tools.locks import entries

REPO = Path(__file__).resolve().parent.parent
LOCKS = ("requirements.lock", "requirements-test.lock")
# Constraints for a machine whose torch is not the build for CPUs.
CONSTRAINTS = "requirements-torch.lock"
PIN = re.compile(r"[a-z0-9][a-z0-9.-]*==[0-9][0-9a-z.]* \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")
PROJECT = tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PERMISSIVE = re.compile(
    r"Apache|MIT\b|BSD|0BSD|ISC\b|PSF|Python Software Foundation|Zlib|Unlicense|CC0|W3C|BSL-1\.0|CNRI-Python|TCL\b",
    re.IGNORECASE,
)
COPYLEFT = re.compile(r"\bA?L?GPL|GNU |Affero|EUPL|SSPL|CDDL|Commons Clause|Business Source", re.IGNORECASE)
# Their copyleft reaches single files of theirs, which this project neither changes nor ships.
WEAK = {"certifi": "MPL-2.0", "tqdm": "MPL-2.0 AND MIT", "hypothesis": "MPL-2.0", "pathspec": "MPL-2.0"}
# Packages whose metadata says nothing, with the licence whose text they hold.
SILENT = {"label-studio-sdk": "Apache-2.0"}


def locked(file: str) -> dict[str, str]:
    """Version per package of a lock file."""
    lines = (REPO / file).read_text(encoding="utf-8").splitlines()
    pins = [line.removesuffix(" \\").split("==") for line in lines if "==" in line and not line.startswith((" ", "#"))]
    return {normal(name): version for name, version in pins}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def requirement(text: str) -> str:
    return normal(re.match(r"[A-Za-z0-9._-]+", text)[0])  # type: ignore[index]


def licence(name: str) -> str:
    """What a distribution's metadata says of its licence, from the clearest place to the vaguest."""
    about = metadata.metadata(name)
    if about.get("License-Expression"):
        return str(about["License-Expression"])
    classified = [text for text in about.get_all("Classifier") or [] if text.startswith("License")]
    return "; ".join([*classified, str(about.get("License") or "")[:200]])


ALL = sorted({name for file in LOCKS for name in locked(file)})
INSTALLED = [name for name in ALL if any(True for _ in metadata.distributions(name=name))]


@pytest.mark.parametrize("name", INSTALLED)
def test_the_licence_is_permissive(name: str) -> None:
    text = licence(name)
    assert not COPYLEFT.search(text), text
    if name in SILENT:
        assert not text, "it says its licence now; take it out of SILENT"
    elif name in WEAK:
        assert "MPL" in text or "Mozilla" in text
    else:
        assert PERMISSIVE.search(text), text
        assert not re.search(r"MPL|Mozilla", text), text


def test_nearly_all_of_the_locked_packages_were_looked_at() -> None:
    assert len(INSTALLED) > 0.9 * len(ALL)


@pytest.mark.parametrize("file", [*LOCKS, CONSTRAINTS, "requirements-browser.lock"])
def test_a_lock_names_packages_versions_and_hashes_and_no_place(file: str) -> None:
    text = (REPO / file).read_text(encoding="utf-8")
    for line in text.splitlines():
        assert not re.search(r"://|@ |^-|--index|--find-links|\.whl|/home|/tmp", line), line
        if line.lstrip().startswith("-"):
            assert HASH.fullmatch(line), line
        elif line and not line.startswith((" ", "#")):
            assert PIN.fullmatch(line), f"{line}: a local build tag, no pin, or no hash"
    assert all("    --hash=sha256:" in entry for entry in entries(text))


def test_both_builds_of_torch_are_known_by_their_hashes_and_what_one_of_them_asks_for() -> None:
    (torch,) = (entry for entry in entries((REPO / LOCKS[1]).read_text("utf-8")) if entry.startswith("torch=="))
    # The files of the release for ten kinds of Python on four systems, and the build for CPUs of one.
    assert torch.count("--hash=") == 25
    apart = locked(CONSTRAINTS)
    assert {"setuptools", "triton", "nvidia-cublas", "nvidia-cudnn-cu13"} < apart.keys()
    assert not apart.keys() & locked(LOCKS[1]).keys()


def test_the_makefile_installs_by_hashes_alone_and_all_of_an_extra() -> None:
    text = (REPO / "Makefile").read_text(encoding="utf-8")
    assert "INSTALL := $(BIN)/python -m pip install --quiet --require-hashes\n" in text
    (names,) = re.findall(r"^TEXT +:= (.+)$", text, re.MULTILINE)
    assert sorted(names.split()) == sorted(map(requirement, PROJECT["optional-dependencies"]["text"]))
    # pip itself, and this project.
    others = re.findall(r"^\t(?:PYTHONWARNINGS=ignore )?\$\(BIN\)/(?:python -m )?pip install --quiet (.+)$", text, re.M)
    assert others == ["pip-tools", "--upgrade pip", "--no-deps --editable ."]


def test_all_that_the_project_asks_for_is_locked() -> None:
    main, test = (locked(file) for file in LOCKS)
    wanted = {requirement(text) for text in PROJECT["dependencies"]}
    assert sorted(wanted - main.keys()) == []
    # `lock` holds the tool that writes the lock files; tests that start servers bring their own environments.
    extras = PROJECT["optional-dependencies"]
    included = {requirement(text) for text in extras["test"]} | {
        requirement(text) for extra in re.findall(r"\w+", extras["test"][0].partition("[")[2]) for text in extras[extra]
    }
    assert sorted(included - test.keys() - {"benchwright"}) == []


def test_both_locks_agree_and_the_main_one_is_lean() -> None:
    main, test = (locked(file) for file in LOCKS)
    assert {name: version for name, version in main.items() if test.get(name) != version} == {}
    assert main.keys() & {"torch", "transformers", "spacy", "moto", "pytest", "scikit-learn", "hypothesis"} == set()


@pytest.mark.parametrize("file", LOCKS)
def test_what_is_installed_is_what_is_locked(file: str) -> None:
    pins = locked(file)
    installed = {name: metadata.version(name).partition("+")[0] for name in INSTALLED if name in pins}
    assert {name: version for name, version in installed.items() if version != pins[name]} == {}


def test_the_project_says_its_own_licence() -> None:
    assert PROJECT["license"] == "Apache-2.0"
    assert "Apache License" in (REPO / "LICENSE").read_text(encoding="utf-8")


def test_a_lock_that_was_resolved_for_all_builds_of_torch_is_divided_and_knows_a_file_of_this_machine(
    tmp_path: Path,
) -> None:
    digest = "\\\n    --hash=sha256:" + 64 * "a"
    lock, apart = tmp_path / "lock", tmp_path / "apart"
    lock.write_text(
        f"benchwright @ file:///somewhere\n    # via benchwright\nnvidia-cublas==1.0 {digest}\n    # via torch\n"
        f"numpy==2.0 {digest}\n    # via\n    #   torch\ntorch==2.0 {digest}\n    # via benchwright\n"
    )
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "torch-2.0+cpu.whl").write_bytes(b"torch")
    locks.main(lock, apart, tmp_path / "files")
    own = hashlib.sha256(b"torch").hexdigest()
    assert lock.read_text() == (
        f"numpy==2.0 {digest}\n    # via\n    #   torch\n"
        f"torch==2.0 \\\n    --hash=sha256:{own} {digest}\n    # via benchwright\n"
    )
    assert apart.read_text() == f"{locks.HEAD}nvidia-cublas==1.0 {digest}\n"
