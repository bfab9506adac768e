"""One question asked twice: typed queries of one relation and entity whose answers are the same.

"Which film ..." and "Which creative work ..." are two questions only where their answers
differ. The one with the most specific class stays: by the breadth that the templates
give the classes, then by how many of the classes asked for lie above it, then by its id.
"""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from stages.core.sql import sql


def asked_twice(
    queries: pa.Table, members: pa.Table, class_ancestors: pa.Table, breadths: Mapping[str, int]
) -> pa.Table:
    """The queries (query, chosen) that say no more than `chosen`, which stays.

    queries: query, property, entity, answer_class; all queries of one relation and entity. Those without a class
        are left alone.
    members: query, subject; the answers of each query.
    class_ancestors: class, ancestor, as `wikidata.classes` publishes them.
    breadths: 1 to 3 per class, narrow to vague.
    """
    return sql(
        """
        WITH sets AS (
            SELECT q.query, q.property, q.entity, q.answer_class, list(m.subject ORDER BY m.subject) AS answers
            FROM queries q JOIN members m ON m.query = q.query WHERE q.answer_class IS NOT NULL GROUP BY ALL
        ),
        depths AS (SELECT class AS answer_class, count(*) AS depth FROM class_ancestors GROUP BY class),
        chosen AS (
            SELECT s.query, first_value(s.query) OVER (
                PARTITION BY s.property, s.entity, s.answers
                ORDER BY coalesce(b.breadth, 0), coalesce(d.depth, 0) DESC, s.answer_class
            ) AS chosen
            FROM sets s LEFT JOIN breadths b ON b.answer_class = s.answer_class
            LEFT JOIN depths d ON d.answer_class = s.answer_class
        )
        SELECT query, chosen FROM chosen WHERE query <> chosen
        """,
        queries=queries.select(["query", "property", "entity", "answer_class"]),
        members=members.select(["query", "subject"]),
        class_ancestors=class_ancestors,
        breadths=pa.table(
            {
                "answer_class": pa.array(list(breadths), pa.string()),
                "breadth": pa.array(list(breadths.values()), pa.int32()),
            }
        ),
    )
