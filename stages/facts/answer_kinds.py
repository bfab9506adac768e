"""Of which kinds the subjects of statements are: the answer classes of typed relations, the noun of untyped ones.

A typed relation takes the classes that a subject reaches by P31/P279*, as `wikidata.classes` walks it.
An untyped one calls its answers by one noun ("who"), and the classes at hand may not lead there; what
counts against a subject is that its classes are of other sorts.

Entities have several classes, and some of them say little: a university may be a publisher, too. A
class counts for a kind as long as none of another sort is NEARER steps nearer to a class with a sort.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from stages.core.sql import sql
from stages.wikidata.sorts import Sorts, fitting

NEARER = 2


@dataclass(frozen=True)
class AnswerKinds:
    """What relations ask for.

    typed: the answer classes of typed relations; untyped: of each other one the class that names its answers, None
    where any subject will do; sorts: of classes, see `stages.wikidata.sorts`.
    """

    typed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    untyped: Mapping[str, str | None] = field(default_factory=dict)
    sorts: Sorts = field(default_factory=dict)

    def wanted(self) -> pa.Table:
        """Rows (property, class, typed)."""
        pairs = [(pid, qid, True) for pid, classes in self.typed.items() for qid in classes]
        pairs += [(pid, qid, False) for pid, qid in self.untyped.items() if qid is not None]
        rows = [dict(zip(_WANTED.names, row, strict=True)) for row in sorted(pairs)]
        return pa.Table.from_pylist(rows, _WANTED)


_WANTED = pa.schema([("property", pa.string()), ("class", pa.string()), ("typed", pa.bool_())])


def of_subjects(
    subjects: pa.Table, entities: pa.Table, class_ancestors: pa.Table, class_sorts: pa.Table, kinds: AnswerKinds
) -> pa.Table:
    """Rows (subject, property, class) for each answer class of a typed relation that a subject is of, and one without
    class for each untyped relation of which a subject may be an answer.

    subjects: subject, property, in any number of rows.
    """
    wanted = kinds.wanted()
    judged = _judge(subjects, entities, class_ancestors, class_sorts, wanted, kinds.sorts)
    return sql(
        """
        WITH asked AS (SELECT DISTINCT subject, property FROM subjects)
        SELECT a.subject, a.property, w.class FROM asked a
        JOIN wanted w ON w.property = a.property AND w.typed
        JOIN judged j ON j.subject = a.subject AND j.class = w.class AND j.reached AND NOT j.other
        UNION ALL
        SELECT a.subject, a.property, NULL FROM asked a
        LEFT JOIN wanted w ON w.property = a.property
        LEFT JOIN judged j ON j.subject = a.subject AND j.class = w.class
        WHERE NOT coalesce(w.typed, false) AND NOT coalesce(j.other, false)
        """,
        subjects=subjects,
        wanted=wanted,
        judged=judged,
    )


def _judge(
    subjects: pa.Table,
    entities: pa.Table,
    class_ancestors: pa.Table,
    class_sorts: pa.Table,
    wanted: pa.Table,
    sorts: Sorts,
) -> pa.Table:
    """Per subject and class that is asked for: whether it is reached, and whether the subject is of another sort."""
    return sql(
        """
        WITH pairs AS (SELECT DISTINCT s.subject, w.class FROM subjects s JOIN wanted w ON w.property = s.property),
        types AS (
            SELECT qid AS subject, unnest(types) AS type FROM entities WHERE qid IN (SELECT subject FROM pairs)
        ),
        placed AS (
            SELECT t.subject, t.type, s.sort, s.steps FROM types t JOIN class_sorts s ON s.class = t.type
        ),
        counted AS (
            SELECT p.subject, p.class, c.type, any_value(c.steps) AS steps, bool_or(f.sort IS NOT NULL) AS fit
            FROM pairs p JOIN placed c ON c.subject = p.subject
            LEFT JOIN fitting f ON f.class = p.class AND f.sort = c.sort
            WHERE p.class IN (SELECT class FROM fitting) GROUP BY ALL
        ),
        nearest AS (
            SELECT subject, class, min(steps) FILTER (NOT fit) AS others FROM counted GROUP BY ALL
        ),
        counts AS (
            SELECT p.subject, p.class, t.type, coalesce(c.fit, true) AS fit, a.class IS NOT NULL AS reached,
                coalesce(c.steps < n.others + nearer, true) AS near, n.others IS NOT NULL AS against
            FROM pairs p LEFT JOIN types t ON t.subject = p.subject
            LEFT JOIN counted c ON c.subject = p.subject AND c.class = p.class AND c.type = t.type
            LEFT JOIN nearest n ON n.subject = p.subject AND n.class = p.class
            LEFT JOIN class_ancestors a ON a.class = t.type AND a.ancestor = p.class, nearer
        )
        SELECT subject, class, bool_or(reached AND fit AND near) AS reached,
            bool_or(against) AND NOT bool_or(fit AND near AND type IN (SELECT class FROM class_sorts)) AS other
        FROM counts GROUP BY subject, class
        """,
        subjects=subjects,
        entities=entities.select(["qid", "types"]),
        class_ancestors=class_ancestors,
        class_sorts=class_sorts,
        wanted=wanted,
        fitting=fitting(sorts, tuple(wanted["class"].to_pylist())),
        nearer=pa.table({"nearer": pa.array([NEARER], pa.int32())}),
    )
