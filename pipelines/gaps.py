"""What a finished build lacks of its benchmark: all questions, or splits that no question fell to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from manifests.manifest import BuildManifest, StageManifest
from stages.core.splits import SPLITS

Stages = Mapping[str, StageManifest]
"""The finished stages of a build by name; some are missing where it stops early."""
RECORDS = "records"
"""The table of every dataset that its release is written from."""
NOTHING = "There is no question: "
_TASKS, _RECEIVED = "tasks_", "received"
_MOST_REASONS = 5


def no_questions(dataset: str, stages: Stages, path: Mapping[str, str]) -> list[str]:
    """A note for the manifest where nothing came of a whole build: which stage kept nothing, why, and what to do.

    path: the tables without which there is no question, in order, each with the advice where it is the first to be
    empty. What a stage dropped is told along with what was dropped before it of the tables that it found empty.
    """
    rows = _rows(stages)
    if rows.get(RECORDS, 1):
        return []
    return [_said(dataset, stages, next((table for table in path if rows.get(table) == 0), RECORDS), path)]


def no_way(dataset: str, stages: Stages, path: Mapping[str, str]) -> str:
    """Why an unfinished build can have no question, whatever its stages after these do; empty where it may have one.

    path: as above, but of tables only that nothing else can stand for. A build that has something to ask people goes
    on: its tasks are what it is made for.
    """
    rows = _rows(stages)
    lost = next((table for table in path if rows.get(table) == 0), "")
    if not lost or _waits(rows):
        return ""
    return f"{_said(dataset, stages, lost, path)} The stages after it were not run."


def _said(dataset: str, stages: Stages, lost: str, path: Mapping[str, str]) -> str:
    """Which stage lost all, what it dropped, and what to do."""
    rows, made = _rows(stages), _makers(stages)
    dropped = _dropped(made[lost], made, rows).most_common()
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in dropped[:_MOST_REASONS]) or "nothing"
    others = sum(count for _, count in dropped[_MOST_REASONS:])
    more = f", others {others:,}" if others else ""
    advice = path.get(lost, "look at the stages before it")
    if _waits(rows):
        advice += f"; or send out the tasks (`benchwright tasks {dataset}`) and build with --annotations"
    return f"{NOTHING}{made[lost].stage} left no row in {lost} (dropped: {reasons}{more}); {advice}."


def _makers(stages: Stages) -> dict[str, StageManifest]:
    """By table the stage that makes it: of its versions the first that is empty, or else the last."""
    made, counts = dict[str, StageManifest](), dict[str, int]()
    for stage in stages.values():
        for table, count in _rows({stage.stage: stage}).items():
            if counts.get(table, 1):
                made[table], counts[table] = stage, count
    return made


def why_nothing(manifest: BuildManifest) -> str:
    """The note of `no_questions`, or another sentence where a build from before there was one holds no question.

    Empty where there are questions, or the build stops before there could be.
    """
    noted = next((note for note in manifest.notes if note.startswith(NOTHING)), "")
    empty_ones = _rows({stage.stage: stage for stage in manifest.stages}).get(RECORDS, 1) == 0
    return noted or (f"{NOTHING}its table {RECORDS} is empty." if empty_ones else "")


def waits_for_people(manifest: BuildManifest) -> bool:
    """Whether a build asks people something, and nobody has answered yet."""
    return _waits(_rows({stage.stage: stage for stage in manifest.stages}))


def _waits(rows: Mapping[str, int]) -> bool:
    return not rows.get(_RECEIVED, 0) and any(count for name, count in rows.items() if name.startswith(_TASKS))


def _rows(stages: Stages) -> dict[str, int]:
    inside = {name: rows for stage in stages.values() for name, rows in _inside(stage).items()}
    return {**inside, **{name: table.rows for stage in stages.values() for name, table in stage.tables.items()}}


def _inside(stage: StageManifest) -> dict[str, int]:
    """Rows of the tables within a chain, which it tells among its metrics as "step.rows.table"."""
    told = ((name.partition(".rows.")[2], rows) for name, rows in stage.metrics.items() if stage.shape == "chain")
    return {table: int(rows) for table, rows in told if table}


def _dropped(stage: StageManifest, made: Stages, rows: Mapping[str, int]) -> Counter[str]:
    """Rejects of a stage and of those before it that left it nothing to read, each once."""
    found, seen, waiting = Counter[str](), set[str](), [stage]
    while waiting:
        one = waiting.pop()
        if one.stage not in seen:
            seen.add(one.stage)
            for reason, count in one.rejects.items():
                found[reason.rpartition(".")[2]] += count
            waiting += [made[name] for name in one.inputs if name in made and rows[name] == 0]
    return Counter(dict(sorted(found.items())))


def counted(stages: Stages, stage: str, names: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Questions per split by a stage's metrics; empty where it has not run.

    names: per split the metrics that add up to its questions; one that is not there stands for none.
    """
    if stage not in stages:
        return {}
    found = stages[stage].metrics
    return {split: int(sum(found.get(name, 0) for name in metrics)) for split, metrics in names.items()}


def empty(counts: Mapping[str, int]) -> list[str]:
    """The splits without a question beside others that have some; none where there is no question at all."""
    return [split for split in SPLITS if split in counts and not counts[split]] if any(counts.values()) else []


def no_splits(counts: Mapping[str, int], why: str, benchmark: str = "") -> list[str]:
    """A note for the manifest where a split is empty.

    why: what keeps a question out of a split, as the end of a sentence; benchmark: which of several it is about.
    """
    missing = empty(counts)
    if not missing:
        return []
    inside = f" in {benchmark}" if benchmark else ""
    return [f"There is no {' and no '.join(missing)} set{inside}: {why}."]
