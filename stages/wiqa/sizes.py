"""Stage `wiqa.sizes`: how much each paragraph brings to a split."""

from __future__ import annotations

import hashlib

import pyarrow as pa

from stages.core.contract import Join, Output, Stage
from stages.core.sql import sql
from stages.core.texts import form
from stages.wiqa.influence_graphs import GRAPHS
from stages.wiqa.splits import TOPIC_SIZES
from stages.wiqa.tables import PATH_STRATA


def sizes(graphs: pa.Table, path_strata: pa.Table) -> Output:
    """TOPIC_SIZES from one bucket of graphs and of their counted questions, both by para_id."""
    found = sql(
        """
        SELECT para_id, topic, any_value(sentences) AS sentences, coalesce(any_value(n.size), 0)::INTEGER AS size
        FROM (SELECT DISTINCT para_id, topic, sentences FROM graphs)
        LEFT JOIN (SELECT para_id, topic, sum(questions) AS size FROM path_strata GROUP BY ALL) n USING (para_id, topic)
        GROUP BY para_id, topic
        """,
        graphs=graphs.select(["para_id", "topic", "sentences"]),
        path_strata=path_strata,
    )
    digests = pa.array([text_digest(sentences) for sentences in found["sentences"].to_pylist()], pa.string())
    return Output({TOPIC_SIZES.name: found.append_column("text_digest", digests).select(TOPIC_SIZES.schema.names)})


def text_digest(sentences: list[str]) -> str:
    """Equal for paragraphs that differ only in case and spaces."""
    return hashlib.sha256(form(" ".join(sentences)).encode()).hexdigest()[:32]


def stage() -> Stage:
    return Stage(
        name="wiqa.sizes",
        shape=Join(on=(("para_id",), ("para_id",))),
        kernel=sizes,
        inputs=(GRAPHS.name, PATH_STRATA.name),
        outputs=(TOPIC_SIZES,),
        about="Section 3.4: the number of questions per paragraph and topic.",
    )
