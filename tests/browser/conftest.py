"""Debian's Chromium, driven by Playwright: `make test-browser` installs both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from manifests.storage import Storage
from pipelines.datasets import dataset
from pipelines.lineage import Lineage, Trail, TrailStep
from pipelines.report.site import write_report
from tests.pipelines import made
from tests.pipelines.qampari.made_build import build

CHROMIUM = Path("/usr/bin/chromium")
# Nothing may leave the machine, whatever the browser would like to fetch for itself.
SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
RECORDS = 100_000
DESKTOP, PHONE = {"width": 1280, "height": 860}, {"width": 360, "height": 740}
Open = Callable[..., Any]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed; `make test-browser` does it")
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not there; `make test-browser` installs it")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(SWITCHES))
        yield browser
        browser.close()


@pytest.fixture
def show(chromium: Any) -> Iterator[Open]:
    """Opens a page of a report; at the end nothing may have been asked of anywhere, refused by policy, or run."""
    contexts, faults = [], []

    def opened(
        path: Path, place: str = "", size: dict[str, int] = DESKTOP, scheme: str = "light", until: str = "load"
    ) -> Any:
        context = chromium.new_context(viewport=size, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: faults.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: _local(request.url, faults))
        page.goto(path.as_uri() + place, wait_until=until)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert faults == []


def _local(url: str, faults: list[str]) -> None:
    if not url.startswith(("file:", "data:")):
        faults.append(f"request: {url}")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of forty questions, all of them of dev but the first."""
    folder = tmp_path_factory.mktemp("site")
    root = Storage.at(folder / "root")
    before = Storage.at(folder / "before")
    write_report(
        dataset("qampari"),
        (root, build(root, questions=40, answers=3)),
        folder / "site",
        against=(before, build(before, questions=41)),
    )
    return folder / "site"


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of as many records as the largest benchmark has, and more."""
    folder = tmp_path_factory.mktemp("large")

    def trails(*_: Any) -> Iterator[Trail]:
        for number in range(RECORDS):
            step = TrailStep("step", ("stage",), (("number", str(number)),))
            yield Trail(
                key=f"k{number}",
                record=f"k{number}",
                question=f"Which of the films by director number {number} were made before the war?",
                answers=tuple(f"Film {number}.{answer}" for answer in range(12)),
                split=("train", "dev", "test")[number % 3],
                kind=("simple", "composition")[number % 2],
                tags=(f"relation {number % 50}",),
                confirmed=number % 10 == 0,
                steps=(step,),
            )

    described = replace(dataset("qampari"), lineage=Lineage(trails, tags="relation"))
    write_report(described, (Storage.at(folder), made.build("qampari", made.stage("toy"))), folder / "site")
    return folder / "site"
