"""The runner on a toy pipeline of all four shapes: results, caching, determinism, failures."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from backports import zstd

from manifests.manifest import BuildManifest, ManifestError, StageManifest
from manifests.registry import latest_build
from manifests.storage import Storage
from pipelines.model import Pipeline
from pipelines.runner import PlannedStage, Runner
from stages.beam.options import BeamOptions
from stages.core.chain import chain
from stages.core.contract import Map, Output, Source, Stage, StageError
from stages.core.rejects import REJECTS_SCHEMA, Rejects
from stages.core.shards import read_shards
from stages.wikidata import parse
from stages.wikidata.source import WikidataDump
from stages.wikipedia import pages
from stages.wikipedia.dump import MediaWikiDump
from stages.wikipedia.prepared import PreparedPages
from tests import toy


def build(root: Path, pipeline: Pipeline, workers: int = 1, **how: str) -> tuple[BuildManifest, list[PlannedStage]]:
    steps: list[PlannedStage] = []
    runner = Runner(Storage.at(root), BeamOptions(workers=workers), lambda stage, job: nullcontext())
    manifest = runner.build(pipeline, steps.append, **how)
    return manifest, steps


def rows(root: Path, manifest: BuildManifest, table: str, schema: object) -> list[dict[str, object]]:
    return read_shards(Storage.at(root), manifest.table(table).shards, schema).to_pylist()


def shard_digests(manifest: BuildManifest) -> dict[str, list[str]]:
    return {
        f"{stage.stage}/{name}": [shard.sha256 for shard in table.shards]
        for stage in manifest.stages
        for name, table in stage.tables.items()
    }


def test_all_four_shapes_give_the_rows_worked_out_by_hand(tmp_path: Path) -> None:
    root = tmp_path / "root"
    manifest, _ = build(root, toy.pipeline(toy.write_lines(tmp_path / "in", [toy.LINES])))
    counts = {row["word"]: row["lines"] for row in rows(root, manifest, "counts", toy.COUNTS.schema)}
    assert counts["sea"] == 3 and counts["the"] == 5 and counts["bridge"] == 2 and "a" not in counts
    assert rows(root, manifest, "total", toy.TOTAL.schema) == [{"name": "lines", "value": sum(counts.values())}]
    scores = rows(root, manifest, "scores", toy.SCORES.schema)
    assert {row["score"] for row in scores} == {0.5} and len(scores) == len(counts)
    words = manifest.stages[0]
    assert words.rejects == {"duplicate": 4 + 1, "too_short": 4}
    assert words.metrics == {"records": 7, "bad_records": 0}
    assert words.licences == {"lines": "CC0-1.0"}


def test_a_second_build_runs_nothing_and_gives_the_same_version(tmp_path: Path) -> None:
    pipeline = toy.pipeline(toy.write_lines(tmp_path / "in", [toy.LINES]))
    first, _ = build(tmp_path / "root", pipeline)
    second, steps = build(tmp_path / "root", pipeline)
    assert [step.state for step in steps] == ["cached"] * 6
    assert second.version == first.version and second.comparable() == first.comparable()


def test_order_and_split_of_the_input_do_not_change_a_byte(tmp_path: Path) -> None:
    one, _ = build(tmp_path / "a", toy.pipeline(toy.write_lines(tmp_path / "in1", [toy.LINES])))
    back = list(reversed(toy.LINES))
    two, _ = build(tmp_path / "b", toy.pipeline(toy.write_lines(tmp_path / "in2", [back[:3], back[3:4], back[4:]])))
    assert shard_digests(one) == shard_digests(two)


def test_an_earlier_build_that_was_altered_is_told_before_anything_runs(tmp_path: Path) -> None:
    storage, paths = Storage.at(tmp_path / "root"), toy.write_lines(tmp_path / "in", [toy.LINES])
    build(tmp_path / "root", toy.pipeline(paths))
    before = storage.files("stages")
    latest = storage.read_bytes("builds/toy/latest.json").to_pybytes()
    storage.write_bytes("builds/toy/latest.json", latest.replace(b'"complete": true', b'"complete": false'))
    with pytest.raises(ManifestError, match=r"latest.json: it was altered after it was written.*verify --repair"):
        build(tmp_path / "root", toy.pipeline([*paths], toy.WordParams(shortest=1)))
    assert storage.files("stages") == before


def test_two_worker_processes_do_not_change_a_byte(tmp_path: Path) -> None:
    pipeline = toy.pipeline(toy.write_lines(tmp_path / "in", [toy.LINES[:4], toy.LINES[4:]]))
    one, _ = build(tmp_path / "a", pipeline, workers=1)
    two, _ = build(tmp_path / "b", pipeline, workers=2)
    assert shard_digests(one) == shard_digests(two)


def test_a_changed_parameter_runs_what_depends_on_it_and_says_so(tmp_path: Path) -> None:
    paths = toy.write_lines(tmp_path / "in", [toy.LINES])
    build(tmp_path / "root", toy.pipeline(paths))
    _, steps = build(tmp_path / "root", toy.pipeline([*paths], toy.WordParams(shortest=1)))
    assert [step.state for step in steps if step.state != "run"] == ["built"] * 6
    assert steps[0].why == "changed since the last build: parameter params.shortest (2 -> 1)"


def test_equal_rows_from_other_files_take_the_rest_from_cache(tmp_path: Path) -> None:
    build(tmp_path / "root", toy.pipeline(toy.write_lines(tmp_path / "in", [toy.LINES])))
    again = toy.pipeline(toy.write_lines(tmp_path / "other", [toy.LINES[:2], toy.LINES[2:]]))
    _, steps = build(tmp_path / "root", again)
    assert [step.state for step in steps] == ["run", "built"] + ["cached"] * 5


def test_scores_are_taken_over_from_an_earlier_build(tmp_path: Path) -> None:
    log = tmp_path / "scored"
    paths = toy.write_lines(tmp_path / "in", [toy.LINES])
    build(tmp_path / "root", toy.pipeline(paths, log=str(log)))
    first = sum(map(int, log.read_text().split()))
    more = toy.write_lines(tmp_path / "more", [[*toy.LINES, "one new word"]])
    manifest, _ = build(tmp_path / "root", toy.pipeline(more, log=str(log)))
    assert sum(map(int, log.read_text().split())) - first == 3
    fresh, _ = build(tmp_path / "fresh", toy.pipeline(more))
    assert manifest.table("scores").digest == fresh.table("scores").digest


def test_a_failing_kernel_says_its_own_words_and_leaves_no_files(tmp_path: Path) -> None:
    pipeline = toy.pipeline(toy.write_lines(tmp_path / "in", [["fine", "explode"]]))
    with pytest.raises(StageError, match="take it out of the source"):
        build(tmp_path / "root", pipeline)
    assert Storage.at(tmp_path / "root").files() == []
    assert latest_build(Storage.at(tmp_path / "root"), "toy") is None


def test_until_stops_and_from_needs_what_is_before_it(tmp_path: Path) -> None:
    pipeline = toy.pipeline(toy.write_lines(tmp_path / "in", [toy.LINES]))
    with pytest.raises(StageError, match="stage toy.words before it is not built"):
        build(tmp_path / "root", pipeline, start="toy.lengths")
    manifest, _ = build(tmp_path / "root", pipeline, until="toy.total")
    assert [stage.stage for stage in manifest.stages] == ["toy.words", "toy.counts", "toy.total"]
    assert not manifest.complete
    with pytest.raises(StageError, match="has no stage 'toy.nothing'"):
        build(tmp_path / "root", pipeline, until="toy.nothing")


def test_a_build_ends_at_the_stage_after_which_no_question_can_come(tmp_path: Path) -> None:
    def no_way(stages: Mapping[str, StageManifest]) -> str:
        return "There is no question: no words." if "toy.counts" in stages else ""

    pipeline = replace(toy.pipeline(toy.write_lines(tmp_path / "in", [toy.LINES])), no_way=no_way)
    manifest, steps = build(tmp_path / "root", pipeline)
    assert [stage.stage for stage in manifest.stages] == ["toy.words", "toy.counts"]
    assert (manifest.complete, manifest.notes) == (False, ["There is no question: no words."])
    assert (steps[-1].number, steps[-1].of) == (2, 6)
    # Who asks for a later stage gets it, and the last stage has nothing after it.
    manifest, _ = build(tmp_path / "root", pipeline, until="toy.lengths")
    assert len(manifest.stages) == 4 and manifest.notes == []
    last = replace(pipeline, no_way=lambda stages: "nothing" if "toy.score" in stages else "")
    assert build(tmp_path / "root", last)[0].complete


def test_plan_names_what_changed_and_what_waits(tmp_path: Path) -> None:
    paths = toy.write_lines(tmp_path / "in", [toy.LINES])
    runner = Runner(Storage.at(tmp_path / "root"), BeamOptions(), lambda stage, job: nullcontext())
    states = [(step.state, step.why) for step in runner.plan(toy.pipeline(paths))]
    assert states[0] == ("run", "never built here")
    assert {state for state, _ in states[1:]} == {"waits"}
    build(tmp_path / "root", toy.pipeline(paths))
    assert {step.state for step in runner.plan(toy.pipeline(paths))} == {"cached"}


def test_too_many_bad_records_stop_the_build(tmp_path: Path) -> None:
    pipeline = toy.pipeline(toy.write_lines(tmp_path / "in", [["fine", "", "good", "", "last"]]))
    runner = Runner(Storage.at(tmp_path / "r"), BeamOptions(1), lambda stage, job: nullcontext(), reject_limit=0.1)
    with pytest.raises(StageError, match="2 of 5 records are bad"):
        runner.build(pipeline, lambda step: None)


def only(stage: Stage, root: Path, cut_sources: bool = False) -> BuildManifest:
    pipeline = Pipeline("one", (stage,), outputs=(), parameters={}, sources={}, buckets=2)
    runner = Runner(
        Storage.at(root), BeamOptions(1), lambda stage, job: nullcontext(), reject_limit=0.05, cut_sources=cut_sources
    )
    return runner.build(pipeline, lambda step: None)


@pytest.mark.parametrize(
    ("make", "source", "good"),
    [
        (parse.stage, WikidataDump, '{"id": "Q%d", "type": "item", "labels": {"en": {"value": "one"}}}'),
        (pages.stage, PreparedPages, '{"title": "Page %d", "text": "A page."}'),
    ],
)
@pytest.mark.parametrize(("bad", "stops"), [(1, False), (2, True)])
def test_a_few_broken_records_are_rejected_and_many_stop_the_build(
    tmp_path: Path, make: Callable[[Source], Stage], source: Callable[..., Source], good: str, bad: int, stops: bool
) -> None:
    path = tmp_path / "lines.json"
    broken = [f'{{"id": "Q{number}", "title": ' for number in range(bad)]
    path.write_text("\n".join([good % number for number in range(1, 21)] + broken) + "\n", encoding="utf-8")
    stage = make(source((str(path),)))
    if stops:
        with pytest.raises(
            StageError,
            match=rf"{stage.name}: 2 of 22 records are bad, .*limit of 5%; .*broken_json.* "
            r"\(such as sha256:.*build.bad_records",
        ):
            only(stage, tmp_path / "root")
        assert not list((tmp_path / "root").rglob("manifest.json"))
    else:
        (built,) = only(stage, tmp_path / "root").stages
        assert (built.rejects, built.metrics["bad_records"]) == ({"broken_json": 1}, 1)


def test_a_build_that_stops_early_does_not_hide_a_whole_one(tmp_path: Path) -> None:
    paths = toy.write_lines(tmp_path / "in", [toy.LINES])
    whole, _ = build(tmp_path / "root", toy.pipeline(paths))
    build(tmp_path / "root", toy.pipeline(paths), until="toy.total")
    latest = latest_build(Storage.at(tmp_path / "root"), "toy")
    assert latest is not None and latest.complete and latest.version == whole.version


@pytest.mark.parametrize("files", [1, 2])
def test_a_source_without_a_record_is_told_in_the_notes(files: int, tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.json" for number in range(files)]
    for path in paths:
        path.write_text("[]\n" * files)
    manifest = only(parse.stage(WikidataDump(tuple(map(str, paths)))), tmp_path / "root")
    told = {1: "its file holds", 2: "its 2 files hold"}[files]
    assert manifest.notes == [f"The source of wikidata.parse is empty: {told} no record."]


LINES = [f'{{"id": "Q{n}", "type": "item", "labels": {{"en": {{"value": "one"}}}}}}' for n in range(1, 3000)]
PAGE = "<page><title>A%d</title><ns>0</ns><id>%d</id><revision><text>word</text></revision></page>"


def cut_entities(data: bytes) -> Callable[[Path], Stage]:
    def write(path: Path) -> Stage:
        path.write_bytes(data)
        return parse.stage(WikidataDump((str(path),)))

    return write


def cut_export(path: Path) -> Stage:
    path.write_text("<mediawiki>" + "".join(PAGE % (n, n) for n in range(1, 90)))
    return pages.stage(MediaWikiDump((str(path),)))


def damaged_table(path: Path) -> Stage:
    """The second of three row groups is lost."""
    rows = pa.table({"title": [f"P{n}" for n in range(90)], "qid": ["Q1"] * 90, "text": ["word " * 9] * 90})
    pq.write_table(rows, path, row_group_size=30, compression="none")
    data = bytearray(path.read_bytes())
    at = pq.ParquetFile(path).metadata.row_group(1).column(0).dictionary_page_offset
    data[at : at + 40] = b"\xff" * 40
    path.write_bytes(data)
    return pages.stage(PreparedPages((str(path),)))


JSONL = "\n".join(LINES).encode()
CUT: dict[str, tuple[Callable[[Path], Stage], str]] = {
    "array": (cut_entities(f"[{','.join(LINES)}"[:-20].encode()), "truncated_input 1"),
    "array without its end": (cut_entities(f"[\n{(',' + chr(10)).join(LINES)}".encode()), "truncated_input 1"),
    "lines": (cut_entities(JSONL[:-20]), "truncated_input 1"),
    "gzip": (cut_entities(gzip.compress(JSONL)[:-40]), "truncated_input 1"),
    "bzip2": (cut_entities(bz2.compress(JSONL, 1)[:-40]), "truncated_input 1"),
    "Zstandard": (cut_entities(zstd.compress(JSONL)[:-40]), "truncated_input 1"),
    "export": (cut_export, "truncated_input 1"),
    "Parquet": (damaged_table, "bad_parquet 1"),
}


@pytest.mark.parametrize("form", CUT)
def test_a_cut_source_is_built_from_only_where_that_is_wanted_and_told_in_the_notes(form: str, tmp_path: Path) -> None:
    write, said = CUT[form]
    stage, root = write(tmp_path / "cut"), tmp_path / "root"
    with pytest.raises(StageError) as caught:
        only(stage, root)
    told = str(caught.value)
    assert told.startswith(f"stage {stage.name}: a source is cut or damaged ({said} (such as ")
    assert told.endswith("get the file whole, or build from what can be read of it with --set build.cut_sources=true")
    assert Storage.at(root).files() == []
    manifest = only(stage, root, cut_sources=True)
    assert manifest.notes == [
        f"A source of {stage.name} is cut or damaged ({said}): only what was readable is in this build."
    ]
    # What such a build has published is no way around.
    with pytest.raises(StageError, match="a source is cut or damaged"):
        only(stage, root)


def chained(paths: list[str]) -> Pipeline:
    """The toy pipeline, with its three stages on words as one."""
    words, counts, total, lengths, *rest = toy.stages(paths)
    measured = chain("toy.measured", counts, total, lengths, publish=("lengths", "total"), about="Measures words.")
    return Pipeline("toy", (words, measured, *rest), ("scores", "total"), {}, {"lines": "CC0-1.0"}, 4)


def test_a_chain_of_stages_publishes_what_they_would_have_and_only_what_is_read(tmp_path: Path) -> None:
    paths = toy.write_lines(tmp_path / "in", [toy.LINES])
    single, _ = build(tmp_path / "single", toy.pipeline(paths))
    manifest, steps = build(tmp_path / "chained", chained(paths))
    assert [step.stage.name for step in steps if step.state == "built"] == [
        "toy.words", "toy.measured", "toy.pairs", "toy.score",
    ]  # fmt: skip
    for name in ("lengths", "total", "scores"):
        assert manifest.table(name).digest == single.table(name).digest
    measured = manifest.stages[1]
    assert sorted(measured.tables) == ["lengths", "rejects_counts", "rejects_lengths", "rejects_total", "total"]
    assert measured.metrics == {"counts.rows.counts": single.table("counts").rows}
    kept = {path for path in Storage.at(tmp_path / "chained").files("stages/toy.measured") if path.endswith(".parquet")}
    assert kept == {shard.path for table in measured.tables.values() for shard in table.shards}


def test_rejects_and_metrics_of_a_chain_name_the_step(tmp_path: Path) -> None:
    def odd(counts: pa.Table) -> Output:
        rejects = Rejects()
        rejects.add("sea", "too_salty", "brine")
        return Output({"total": toy.TOTAL.table([{"name": "none", "value": 0}])}, rejects.table(), {"seen": 2})

    paths = toy.write_lines(tmp_path / "in", [toy.LINES])
    words, counts, total, *_ = toy.stages(paths)
    summed = chain("toy.summed", counts, replace(total, kernel=odd), publish=("total",), about="Sums.")
    manifest, _ = build(tmp_path / "root", Pipeline("toy", (words, summed), ("total",), {}, {}, 2))
    found = manifest.stages[1]
    assert found.rejects == {"total.too_salty": 1}
    assert found.metrics == {"counts.rows.counts": found.metrics["counts.rows.counts"], "total.seen": 2}
    shards = found.tables["rejects_total"].shards
    rows = read_shards(Storage.at(tmp_path / "root"), shards, REJECTS_SCHEMA).to_pylist()
    assert rows == [{"key": "sea", "reason": "too_salty", "detail": "brine", "count": 1}]


def test_a_step_of_a_chain_that_fails_leaves_nothing_and_is_named(tmp_path: Path) -> None:
    def fails(counts: pa.Table) -> Output:
        raise StageError("no total today")

    paths = toy.write_lines(tmp_path / "in", [toy.LINES])
    words, counts, total, *_ = toy.stages(paths)
    summed = chain("toy.summed", counts, replace(total, kernel=fails), publish=("total",), about="Sums.")
    with pytest.raises(StageError, match=r"stage toy\.total: no total today"):
        build(tmp_path / "root", Pipeline("toy", (words, summed), ("total",), {}, {}, 2))
    assert not [path for path in Storage.at(tmp_path / "root").files("stages/toy.summed") if "parquet" in path]


def test_a_filter_writes_the_next_version_of_the_table_that_it_reads(tmp_path: Path) -> None:
    def without_sea(words: pa.Table) -> Output:
        return Output({"words": words.filter(pc.not_equal(words["word"], "sea"))})

    paths = toy.write_lines(tmp_path / "in", [toy.LINES])
    words, counts, *rest = toy.stages(paths)
    dry = Stage("toy.dry", Map(), without_sea, (toy.WORDS,), inputs=("words",))
    made = Pipeline("toy", (words, dry, counts, *rest), ("scores",), {}, {}, 2)
    manifest, _ = build(tmp_path / "root", made)
    found = {row["word"] for row in rows(tmp_path / "root", manifest, "counts", toy.COUNTS.schema)}
    assert "river" in found and "sea" not in found
    assert manifest.table("words") == manifest.stages[1].tables["words"]


def test_a_stage_says_what_it_took_outside_of_all_digests(tmp_path: Path) -> None:
    paths = toy.write_lines(tmp_path / "in", [toy.LINES])
    made, _ = build(tmp_path / "out", toy.pipeline(paths))
    taken = {stage.stage: stage.run for stage in made.stages}
    assert taken["toy.words"]["read_bytes"] == sum(Path(path).stat().st_size for path in paths)
    shards = (shard.bytes for name in ("counts", "words") for shard in made.table(name).shards)
    assert taken["toy.lengths"]["read_bytes"] == sum(shards)
    for run in taken.values():
        assert run["cpu_seconds"] >= 0 and run["spilled_bytes"] > 0 and run["peak_bytes"] > 10_000_000
