"""The sample build: what it yields, and that order, split and workers do not change a byte of it."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from contextlib import nullcontext
from pathlib import Path

import pytest

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.datasets import dataset
from pipelines.params import load
from pipelines.runner import Runner
from stages.beam.options import BeamOptions
from stages.core.shards import read_shards
from stages.io.detect import detect
from stages.qampari.cleaning import QUESTIONS
from stages.qampari.release.records import RECORDS

pytestmark = pytest.mark.slow
QAMPARI = dataset("qampari")


def build(root: Path, paths: list[str], workers: int = 1, settings: tuple[str, ...] = ()) -> BuildManifest:
    pipeline = QAMPARI.pipeline(load(QAMPARI.defaults, None, settings), detect(paths))
    return Runner(Storage.at(root), BeamOptions(workers=workers), lambda *_: nullcontext()).build(
        pipeline, lambda step: None
    )


def digests(manifest: BuildManifest) -> dict[str, list[str]]:
    return {
        f"{stage.stage}/{name}": [shard.sha256 for shard in table.shards]
        for stage in manifest.stages
        for name, table in stage.tables.items()
    }


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, BuildManifest]:
    root = tmp_path_factory.mktemp("plain")
    return root, build(root, list(QAMPARI.sample()))


def shuffled(folder: Path, seed: int) -> list[str]:
    """The sample's dumps with their records in another order, over two files each."""
    chance = random.Random(seed)
    json_path, xml_path = sorted(map(Path, QAMPARI.sample()))
    lines = [line.rstrip(",") for line in json_path.read_text(encoding="utf-8").splitlines() if line not in "[]"]
    text = xml_path.read_text(encoding="utf-8")
    head, pages = text[: text.index("<page>")], re.findall(r"<page>.*?</page>", text, re.DOTALL)
    chance.shuffle(lines)
    chance.shuffle(pages)
    paths = []
    for number, (some, more) in enumerate(((lines[:300], pages[:99]), (lines[300:], pages[99:]))):
        first, second = folder / f"{number}.json", folder / f"{number}.xml"
        first.write_text("\n".join(some) + "\n", encoding="utf-8")
        second.write_text(head + "\n".join(more) + "\n</mediawiki>\n", encoding="utf-8")
        paths += [str(second), str(first)]
    return paths


def test_the_sample_yields_questions_of_all_three_kinds(plain: tuple[Path, BuildManifest]) -> None:
    root, manifest = plain
    questions = read_shards(Storage.at(root), manifest.table("questions").shards, QUESTIONS.schema)
    kinds = Counter(questions["kind"].to_pylist())
    assert kinds["simple"] >= 40 and kinds["intersection"] >= 8 and kinds["composition"] >= 8
    assert len(set(questions["question"].to_pylist())) == questions.num_rows


def test_every_record_holds_its_proofs(plain: tuple[Path, BuildManifest]) -> None:
    root, manifest = plain
    records = read_shards(Storage.at(root), manifest.table("records").shards, RECORDS.schema)
    for text in records["record"].to_pylist():
        answers = json.loads(text)["answer_list"]
        assert len(answers) >= 5
        assert all(answer["proof"] and answer["answer_text"] in answer["aliases"] for answer in answers)


def test_order_and_split_of_the_dumps_do_not_change_a_byte(plain: tuple[Path, BuildManifest], tmp_path: Path) -> None:
    other = build(tmp_path / "root", shuffled(tmp_path, seed=1))
    assert digests(other) == digests(plain[1])


def test_two_workers_do_not_change_a_byte(plain: tuple[Path, BuildManifest], tmp_path: Path) -> None:
    other = build(tmp_path / "root", list(QAMPARI.sample()), workers=2)
    assert digests(other) == digests(plain[1])


def test_more_buckets_do_not_change_a_question(plain: tuple[Path, BuildManifest], tmp_path: Path) -> None:
    root, manifest = plain
    other = build(tmp_path / "root", list(QAMPARI.sample()), settings=("build.buckets=3",))
    rows = [
        sorted(read_shards(Storage.at(where), built.table("records").shards, RECORDS.schema)["record"].to_pylist())
        for where, built in ((root, manifest), (tmp_path / "root", other))
    ]
    assert rows[0] == rows[1]


def test_the_real_extract_yields_questions_of_all_three_kinds(shared_data: Path, tmp_path: Path) -> None:
    manifest = build(tmp_path, [str(shared_data / "wikidata")], workers=2)
    questions = read_shards(Storage.at(tmp_path), manifest.table("questions").shards, QUESTIONS.schema)
    kinds = Counter(questions["kind"].to_pylist())
    assert questions.num_rows >= 60 and set(kinds) == {"simple", "intersection", "composition"}
    simple = [row for row in questions.to_pylist() if row["kind"] == "simple"]
    relations = Counter(row["properties"][0] for row in simple)
    assert max(relations.values()) <= max(0.02, 3 / len(relations)) * len(simple)
    # No company is an overseas department, no work a record label or a genre, no club a nonprofit organization; nobody
    # asks which settlement is a largest city, or one of the cities, of which Wikidata knows more than can be listed.
    asked = set(questions["query"].to_pylist())
    assert not asked & {"P31:Q202216:Q783794", "P31:Q18127:Q17537576", "P31:Q11399:Q17537576"}
    assert not asked & {"P31:Q17156793:Q163740", "P31:Q51929311:Q486972", "P31:Q515:Q486972"}
    again = build(tmp_path, [str(shared_data / "wikidata")], workers=2)
    assert again.comparable() == manifest.comparable()
