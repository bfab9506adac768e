"""The tables of `wikidata.parse`, and their rows as columns while a kernel collects them."""

from __future__ import annotations

import pyarrow as pa

from stages.core.contract import TableSpec
from stages.wikidata.statements import Fact


def _column(name: str, kind: pa.DataType, nullable: bool = False) -> pa.Field:
    return pa.field(name, kind, nullable=nullable)


_STRINGS = pa.list_(pa.field("item", pa.string(), nullable=False))

# aliases: sorted, without the label; types: truthy P31 values, sorted; title: on the chosen wiki.
ENTITIES = TableSpec(
    name="entities",
    schema=pa.schema(
        [
            _column("qid", pa.string()),
            _column("label", pa.string()),
            _column("aliases", _STRINGS),
            _column("description", pa.string(), nullable=True),
            _column("types", _STRINGS),
            _column("title", pa.string(), nullable=True),
        ]
    ),
    key=("qid",),
    on_duplicate="reject",
)

# value_kind, value, unit, precision: see stages.wikidata.values.Literal. The unit is part of the key: 100 m and
# 100 ft are two values.
# start, end, point_in_time: qualifiers P580, P582, P585 as ISO times.
STATEMENTS = TableSpec(
    name="statements",
    schema=pa.schema(
        [
            _column("subject", pa.string()),
            _column("property", pa.string()),
            _column("value_kind", pa.string()),
            _column("value", pa.string()),
            _column("unit", pa.string()),
            _column("precision", pa.int32(), nullable=True),
            _column("start", pa.string(), nullable=True),
            _column("end", pa.string(), nullable=True),
            _column("point_in_time", pa.string(), nullable=True),
        ]
    ),
    key=("subject", "property", "value", "unit"),
    bucket_by=("subject",),
    on_duplicate="reject",
)

SUBCLASSES = TableSpec(
    name="subclasses",
    schema=pa.schema([_column("child", pa.string()), _column("parent", pa.string())]),
    key=("child", "parent"),
    on_duplicate="reject",
)


class Rows:
    """Rows of the three tables, kept as flat lists of plain values.

    Millions of small tuples would keep the garbage collector busy; a flat list is one object.
    """

    def __init__(self) -> None:
        self._entities: list[object] = []
        self._statements: list[object] = []
        self._subclasses: list[object] = []

    def entity(
        self,
        *,
        qid: str,
        label: str,
        aliases: list[str],
        description: str | None,
        types: list[str],
        title: str | None,
    ) -> None:
        self._entities += (qid, label, aliases, description, types, title)

    def statement(self, subject: str, property_id: str, fact: Fact) -> None:
        value, *period = fact
        self._statements += (subject, property_id, *value, *period)

    def subclass(self, child: str, parent: str) -> None:
        self._subclasses += (child, parent)

    def tables(self) -> dict[str, pa.Table]:
        return {
            ENTITIES.name: _table(self._entities, ENTITIES),
            STATEMENTS.name: _table(self._statements, STATEMENTS),
            SUBCLASSES.name: _table(self._subclasses, SUBCLASSES),
        }


def _table(cells: list[object], spec: TableSpec) -> pa.Table:
    width = len(spec.schema)
    arrays = [pa.array(cells[number::width], type=field.type) for number, field in enumerate(spec.schema)]
    return pa.Table.from_arrays(arrays, schema=spec.schema)
