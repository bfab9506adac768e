"""The manifests: what a stage published, and what a build is made of.

A stage manifest lists every shard of every table with its rows, bytes and digest,
beside all that the result depends on. A build manifest lists the stages of one
dataset's build in order. Both are JSON, checked against `manifests/schema` whenever
they are read or written; what is true only of one run (time, host) stands under `run`
and enters no comparison.

A file of either ends with a `checksum` of all that it holds, so that whoever reads it
knows that nothing was altered or lost since; and what it says of a table has to add up.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import jsonschema_rs

from manifests.digest import canonical_json, combine, json_digest
from manifests.names import alternatives
from manifests.secrets import Masked

FORMAT = 2
REJECTS = "rejects"
CHECKSUM = "checksum"


class ManifestError(Masked):
    """A manifest cannot be read: the message names the file and the first thing wrong in it."""


class OtherFormatError(ManifestError):
    """A manifest of another version of this program: whole, but not for this one to read, mend or take away."""


@dataclass(frozen=True)
class Shard:
    """One Parquet file, and the digests of its bytes and its rows."""

    path: str
    rows: int
    bytes: int
    sha256: str
    rows_digest: str
    stable_digest: str


@dataclass(frozen=True)
class Table:
    """One published table. `digest` covers all columns, `stable_digest` leaves the `inexact` ones out."""

    name: str
    schema: dict[str, str]
    key: list[str]
    bucket_by: list[str]
    rows: int
    digest: str
    stable_digest: str
    shards: list[Shard]
    inexact: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class StageManifest:
    """All that a stage's result depends on, and the result. code: digest of the code that made it."""

    stage: str
    code: str
    shape: str
    about: str
    fingerprint: str
    parameters: dict[str, Any]
    inputs: dict[str, str]
    templates: dict[str, str]
    models: dict[str, str]
    licences: dict[str, str]
    tables: dict[str, Table]
    rejects: dict[str, int]
    metrics: dict[str, float]
    packages: dict[str, str]
    run: dict[str, Any] = field(default_factory=dict)
    format: int = FORMAT

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], where: str) -> StageManifest:
        """Raises ManifestError: the data does not follow the schema, or does not add up."""
        check(data, "stage", where)
        tables = {name: _table(table) for name, table in data["tables"].items()}
        for name, table in tables.items():
            if problems := _contradictions(name, table, pinned=not data["run"]):
                raise ManifestError(f"{where}: table {name}: {'; '.join(problems)}")
        return cls(**{**data, "tables": tables})


@dataclass(frozen=True)
class BuildManifest:
    """One dataset's build: its stages in order. `version` is a digest of all that is compared.

    about: what the user calls the dataset that comes of it, by name, version, licence, citation and authors.
    """

    dataset: str
    parameters: dict[str, Any]
    sources: dict[str, str]
    stages: list[StageManifest]
    outputs: list[str]
    notes: list[str] = field(default_factory=list)
    about: dict[str, str] = field(default_factory=dict)
    complete: bool = True
    run: dict[str, Any] = field(default_factory=dict)
    format: int = FORMAT

    @cached_property
    def version(self) -> str:
        return json_digest(self.comparable())[:16]

    def comparable(self) -> dict[str, Any]:
        """The manifest without what is true only of one run or one machine."""
        data = {**self._own(), "run": {}, "stages": []}
        return {**_as_read(data), "stages": [comparable(stage) for stage in self.stages]}

    def _own(self) -> dict[str, Any]:
        """By field; what the user says of the dataset is left out where nothing is said."""
        return _values(self, *([] if self.about else ["about"]))

    def table(self, name: str) -> Table:
        """The table of a name, in its last version."""
        for stage in reversed(self.stages):
            if name in stage.tables:
                return stage.tables[name]
        known = sorted({table for stage in self.stages for table in stage.tables})
        hint = alternatives(name, known, f"`benchwright show {self.dataset}`")
        raise ManifestError(f"the build of {self.dataset} has no table {name!r}; {hint}")

    def pinned(self) -> dict[str, Any]:
        """The manifest as it is committed for comparison: without times, hosts and file paths."""
        data = {**self.to_dict(), "run": {}}
        for stage in data["stages"]:
            stage["run"] = {}
            for table in stage["tables"].values():
                table["shards"] = []
        return data

    def to_dict(self) -> dict[str, Any]:
        data = {**asdict(self), "version": self.version}
        return data if self.about else {name: value for name, value in data.items() if name != "about"}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], where: str) -> BuildManifest:
        """Raises ManifestError: the data does not follow the schema, or does not add up."""
        check(data, "build", where)
        stages = [
            StageManifest.from_dict(stage, f"{where}, stages[{number}]") for number, stage in enumerate(data["stages"])
        ]
        manifest = cls(**{**{key: value for key, value in data.items() if key != "version"}, "stages": stages})
        if manifest.version != data["version"]:
            raise ManifestError(
                f"{where}: its version is {data['version']}, but that of what it holds is {manifest.version}"
            )
        return manifest


def is_rejects(table: str) -> bool:
    """Whether a table holds rejects: of a stage, or of a step of a chain of stages."""
    return table == REJECTS or table.startswith(f"{REJECTS}_")


def comparable(stage: StageManifest) -> dict[str, Any]:
    """A stage manifest as `diff` sees it: no run, no file layout, no code or package versions, no inexact digits."""
    data = _values(stage, "run", "fingerprint", "code", "packages", "inputs")
    tables = {name: _values(table, "shards", "digest") for name, table in stage.tables.items()}
    return _as_read({**data, "tables": tables})


def dumps(data: Mapping[str, Any]) -> bytes:
    """A manifest as it is written: readable, keys in a fixed order, with its checksum."""
    sealed = {**data, CHECKSUM: json_digest(_as_read(dict(data)))}
    return (json.dumps(sealed, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def loads(data: bytes, where: str) -> dict[str, Any]:
    """A manifest as it was before it was written, without its checksum.

    Raises:
        ManifestError: no manifest, or not the one that was written.
    """
    try:
        parsed = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ManifestError(f"{where}: not JSON ({error})") from error
    if not isinstance(parsed, dict):
        raise ManifestError(f"{where}: a manifest is a JSON object, not a {type(parsed).__name__}")
    _check_seal(parsed, parsed.pop(CHECKSUM, None), where)
    return parsed


def _check_seal(data: Mapping[str, Any], checksum: object, where: str) -> None:
    """Manifests of other versions of this program may have none, and those that were pinned by one."""
    foreign = data.get("format", FORMAT) != FORMAT or not data.get("run", True)
    if checksum is None and foreign:
        return
    if checksum is None:
        raise ManifestError(f"{where}: it has no {CHECKSUM}; it was altered, or written by an earlier version")
    if checksum != json_digest(data):
        raise ManifestError(
            f"{where}: it was altered after it was written: its {CHECKSUM} is not that of what it holds"
        )


def check(data: Mapping[str, Any], kind: str, where: str) -> None:
    """Raises ManifestError where the data does not follow `manifests/schema/{kind}.json`."""
    if data.get("format", FORMAT) != FORMAT:
        raise OtherFormatError(
            f"{where}: manifest format {data['format']!r}, this version reads format {FORMAT}; use the version of "
            "benchwright that made it, or build into another --root"
        )
    errors = sorted(_validator(kind).iter_errors(data), key=lambda error: list(map(str, error.instance_path)))
    if errors:
        spot = "/".join(map(str, errors[0].instance_path)) or "top level"
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        raise ManifestError(f"{where}: {spot}: {errors[0].message[:200]}{more}")


@cache
def _validator(kind: str) -> jsonschema_rs.Draft202012Validator:
    path = Path(__file__).parent / "schema" / f"{kind}.json"
    return jsonschema_rs.Draft202012Validator(json.loads(path.read_text(encoding="utf-8")))


def _values(manifest: StageManifest | BuildManifest | Table, *left_out: str) -> dict[str, Any]:
    """By field, as they are: `asdict` copies thousands of shards."""
    return {item.name: getattr(manifest, item.name) for item in fields(manifest) if item.name not in left_out}


def _as_read(data: dict[str, Any]) -> dict[str, Any]:
    """The data as it comes back from a file, so that one just made compares equal to one read."""
    read: dict[str, Any] = json.loads(canonical_json(data))
    return read


def _contradictions(name: str, table: Table, pinned: bool) -> list[str]:
    """What a table's entry says against itself. pinned: the manifest was written without its shards."""
    found = [] if table.name == name else [f"it is called {table.name}"]
    unknown = sorted({*table.key, *table.bucket_by, *table.inexact} - set(table.schema))
    found += [f"it has no column {column}" for column in unknown]
    if pinned and not table.shards:
        return found
    if sum(shard.rows for shard in table.shards) != table.rows:
        found.append("the rows of its shards do not add up to its own")
    if combine([shard.rows_digest for shard in table.shards]) != table.digest:
        found.append("its digest is not that of its shards")
    if combine([shard.stable_digest for shard in table.shards]) != table.stable_digest:
        found.append("its stable digest is not that of its shards")
    return found


def _table(data: Mapping[str, Any]) -> Table:
    return Table(**{**data, "shards": [Shard(**shard) for shard in data["shards"]]})
