"""The stage contract: what a stage is, and what its kernel returns.

A stage has a name, input tables, output tables and one kernel. The kernel is a plain
function on Arrow tables: it knows neither Beam nor files, and takes what it needs beside
its tables (parameters, templates) as keyword arguments that the stage has bound with
`functools.partial`. Whatever is bound has a canonical form (`stages.core.canonical`), so that
the stage's identity covers it.

There are four shapes of kernels, and the executor in `stages/beam` knows no others:

    Map     one shard of the input in, rows out
    Join    one bucket of each input in (bucketed on the join key), rows out
    Whole   every row of every input in, on one worker
    Score   a model over the distinct pairs of the input

and a Chain of such stages, which is one stage to whoever reads the build.

Whatever the shape, a kernel returns an `Output`: rows per output table, the
rejects with their reasons, and additive metrics. A metric "family:name" is one of a
family whose names come from the input; the manifest keeps the largest of each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import pyarrow as pa

from manifests.secrets import Masked
from stages.core.canonical import PLACE, Canonical, NoCanonicalFormError, canonical
from stages.core.overlay import Overlay, current, using
from stages.core.rejects import empty_rejects

FAMILY = ":"
"""Between the name of a family of metrics and the name of one in it."""
_ON_DUPLICATE = ("raise", "reject", "sum")


class StageError(Masked):
    """A stage cannot go on; the message names what, where and which option helps."""


@dataclass(frozen=True)
class TableSpec:
    """One table: its schema and how its rows are keyed, sorted and sharded.

    key: columns that identify a row; shards are sorted by them, and a repeated key
        is an error unless `on_duplicate` says otherwise.
    bucket_by: columns whose hash picks the shard (default: the first key column).
    buckets: number of shards; None takes the build's own (`build.buckets`).
    on_duplicate: "raise", or "reject" (for records from outside: identical rows
        and all but the first of different ones become rejects, reason `duplicate`), or "sum"
        (for counts: rows of one key are one row, whose other columns are added up).
    inexact: float columns that may differ in their last digits between processors;
        they stay out of the digest that `diff` compares.
    """

    name: str
    schema: pa.Schema
    key: tuple[str, ...]
    bucket_by: tuple[str, ...] = ()
    buckets: int | None = None
    on_duplicate: str = "raise"
    inexact: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.key:
            raise StageError(f"table {self.name}: a key of at least one column tells its rows apart, and it has none")
        unknown = {*self.key, *self.bucket_by, *self.inexact} - set(self.schema.names)
        if unknown:
            raise StageError(f"table {self.name}: columns {sorted(unknown)} are not in its schema")
        if self.on_duplicate not in _ON_DUPLICATE:
            raise StageError(
                f"table {self.name}: on_duplicate is 'raise', 'reject' or 'sum', not {self.on_duplicate!r}"
            )
        if self.on_duplicate == "sum" and (odd := [name for name in self.added if not _is_count(self.schema, name)]):
            raise StageError(f"table {self.name}: columns {odd} are to be added up, and are no whole numbers")

    @property
    def bucket_columns(self) -> tuple[str, ...]:
        return self.bucket_by or self.key[:1]

    @property
    def added(self) -> list[str]:
        """The columns that "sum" adds up."""
        return [name for name in self.schema.names if name not in self.key]

    def empty(self) -> pa.Table:
        return self.schema.empty_table()

    def table(self, rows: list[dict[str, Any]]) -> pa.Table:
        """The rows as a table of exactly this schema."""
        return pa.Table.from_pylist(rows, schema=self.schema)


def _is_count(schema: pa.Schema, column: str) -> bool:
    return bool(pa.types.is_integer(schema.field(column).type))


@dataclass(frozen=True)
class Output:
    """What a kernel returns.

    tables: rows per output table name, of the declared schema, in any order.
    rejects: see `stages.core.rejects`.
    metrics: additive numbers; the executor sums them over all kernel calls.
    """

    tables: Mapping[str, pa.Table]
    rejects: pa.Table = field(default_factory=empty_rejects)
    metrics: Mapping[str, float] = field(default_factory=dict)


Kernel = Callable[..., Output]


class Source(Protocol):
    """Records from outside the build, in parts that can be read apart.

    `read` yields tables of the raw schema that the kernel expects; it never raises
    on bad content (it yields a row with its `error` set), only where the part
    cannot be opened at all.
    """

    @property
    def schema(self) -> pa.Schema: ...

    @property
    def paths(self) -> Sequence[str]:
        """The input files, for an estimate of the work."""

    def parts(self) -> list[Any]:
        """Picklable descriptions of the parts, cheap to make."""

    def read(self, part: Any) -> Iterator[pa.Table]: ...

    def identity(self) -> Mapping[str, str]:
        """Digest per input file; enters the fingerprint without the file's path."""

    def licences(self) -> Mapping[str, str]:
        """Licence per kind of source, for the manifest."""


@dataclass(frozen=True)
class Map:
    """One shard (or one batch of a source's part) in, rows out."""


@dataclass(frozen=True)
class Join:
    """One bucket of each input in; `on` gives the join columns of each input, in order."""

    on: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Whole:
    """Everything on one worker."""


@dataclass(frozen=True)
class Score:
    """A model over distinct pairs.

    first, second: the text columns of the input, in the order the model reads them;
    pair: the column that identifies a pair (see `stages.facts.nli_pairs.pair_id`).
    The only output table has the columns (pair, score).
    """

    pair: str
    first: str
    second: str


@dataclass(frozen=True)
class Chain:
    """Stages one after another that are one step of the paper: `stages.core.chain` makes a stage of them."""

    steps: tuple[Stage, ...]


class Scorer(Protocol):
    """A model for the Score shape: picklable until loaded."""

    @property
    def identity(self) -> str:
        """Digest of weights, tokenizer and settings: scores are cached under it."""

    @property
    def name(self) -> str: ...

    def load(self) -> Callable[[list[str], list[str]], list[float]]:
        """The scoring function of two equally long lists of texts."""


@dataclass(frozen=True)
class Stage:
    """One step of a build.

    name: "folder.step", unique in a pipeline, and the folder it publishes under.
    inputs: names of tables, one kernel argument each (or one `source`).
    side: names of small tables, given whole to every kernel call after the inputs.
    templates: digest per template file that the kernel was bound to.
    about: the paper's step in a few words, for the funnel and `plan`.
    own: template files of the user's own that held when the stage was made, and hold while its kernel runs.
    forms: the canonical form of the kernel, the source and the model, with all that is bound to them.

    Raises StageError: inputs, shape and model do not go together, or something bound has no canonical form.
    """

    name: str
    shape: Map | Join | Whole | Score | Chain
    kernel: Kernel | None
    outputs: tuple[TableSpec, ...]
    inputs: tuple[str, ...] = ()
    side: tuple[str, ...] = ()
    source: Source | None = None
    templates: Mapping[str, str] = field(default_factory=dict)
    scorer: Scorer | None = None
    about: str = ""
    # The fingerprint covers the files among them that the stage's code reads.
    own: Overlay = field(default_factory=current, repr=False, metadata=PLACE)
    forms: Canonical = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "forms", canonical((self.kernel, self.source, self.scorer, self.steps)))
        except NoCanonicalFormError as error:
            raise StageError(f"stage {self.name}: {error}") from error
        if bool(self.inputs) == (self.source is not None):
            raise StageError(f"stage {self.name}: needs either input tables or a source")
        if isinstance(self.shape, Join) and len(self.shape.on) != len(self.inputs):
            raise StageError(f"stage {self.name}: one tuple of join columns per input, got {len(self.shape.on)}")
        if isinstance(self.shape, Score) != (self.scorer is not None):
            raise StageError(f"stage {self.name}: a scorer goes with the Score shape, and only there")
        if len({spec.name for spec in self.outputs}) != len(self.outputs):
            raise StageError(f"stage {self.name}: two output tables of one name")

    @property
    def bound(self) -> dict[str, Any]:
        """What is bound to the kernel: keyword to value."""
        return dict(getattr(self.kernel, "keywords", {}))

    @property
    def steps(self) -> tuple[Stage, ...]:
        """The stages of a chain; none for other shapes."""
        return self.shape.steps if isinstance(self.shape, Chain) else ()

    @property
    def on(self) -> tuple[tuple[str, ...], ...]:
        """The join columns of each input; none for other shapes."""
        return self.shape.on if isinstance(self.shape, Join) else ()

    @property
    def pair_columns(self) -> tuple[str, str, str]:
        """The columns (pair, first, second) of a Score stage's input."""
        if not isinstance(self.shape, Score):
            raise StageError(f"stage {self.name}: has no pairs to score")
        return self.shape.pair, self.shape.first, self.shape.second

    def call(self, *tables: pa.Table) -> Output:
        """The kernel's output for some tables."""
        if self.kernel is None:
            raise StageError(f"stage {self.name}: has no kernel to run")
        with using(self.own):
            return self.kernel(*tables)

    def model(self) -> Scorer:
        if self.scorer is None:
            raise StageError(f"stage {self.name}: has no model to score with")
        return self.scorer
