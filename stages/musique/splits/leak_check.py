"""Stage `musique.leak_check`: what the splits of composed questions share, counted apart from who made them.

No single hop, no answer of a hop in any spelling and no paragraph may be both in train
and in dev or test. Dev and test may share some, which is counted. What is one answer is
told by joins here, of every spelling with the pool's hops that list it and with the
alias table; the form of a spelling, and the installed list of other names, are what the makers of the splits take as
well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import pyarrow as pa

from stages.core.columns import number, text
from stages.core.contract import Output, Stage, StageError, TableSpec, Whole
from stages.core.splits import DEV, SPLITS, TEST, TRAIN
from stages.core.sql import sql
from stages.musique.bridges.tables import KNOWN_NAMES
from stages.musique.graphs.tables import COMPOSED_HOPS
from stages.musique.single_hops.tables import SINGLE_HOPS
from stages.musique.spellings.answer_forms import digests, forms, names, things
from stages.musique.splits.splits import GRAPH_SPLITS

KINDS = ("hop", "answer", "listing", "page", "thing", "paragraph")

SEPARATION = TableSpec(
    name="separation",
    schema=pa.schema([text("kind"), text("value"), number(TRAIN), number(DEV), number(TEST)]),
    key=("kind", "value"),
    buckets=1,
)
"""What is in more than one split. train, dev, test: questions.

kind: hop; answer, a form of a spelling; listing, a hop's answer and aliases with " | " between, to which a spelling of
both belongs; page, of which both have a name; thing, by the first of its names in the installed list; paragraph.
"""


@dataclass(frozen=True)
class SeparationCheckParams:
    """allow: whether train may share something with dev and test, which is then counted and no error.
    spellings: whether answers are one under all their spellings; without it only in the hops' own.
    """

    allow: bool = False
    spellings: bool = True


def separation(
    composed_hops: pa.Table,
    graph_splits: pa.Table,
    single_hops: pa.Table,
    known_names: pa.Table,
    *,
    params: SeparationCheckParams,
) -> Output:
    """SEPARATION from COMPOSED_HOPS, GRAPH_SPLITS, SINGLE_HOPS and KNOWN_NAMES.

    Metrics per kind, plural ({kind}s_): in_train_and_evaluation, in_dev_and_test; and per split the questions of each
    number of hops ({split}_{hops}_hops) and those that use each source ({split}_from_{source}).
    Raises StageError where something is in train and in dev or test, if params do not allow it.
    """
    rows = sql(
        "SELECT c.*, s.split FROM c JOIN s USING (graph)",
        c=composed_hops.select(["graph", "hops", "hop_answers", "hop_aliases", "paragraphs", "sources"]),
        s=graph_splits.select(["graph", "split"]),
    )
    if rows.num_rows != graph_splits.num_rows:
        raise StageError(f"musique.leak_check: {graph_splits.num_rows - rows.num_rows} questions have no graph")
    shared = _shared(rows, _tied(rows, single_hops, known_names, params.spellings))
    leaks = shared.filter(pa.compute.greater(shared[TRAIN], 0))
    if leaks.num_rows and not params.allow:
        first = leaks.sort_by([("kind", "ascending"), ("value", "ascending")]).slice(0, 1).to_pylist()[0]
        raise StageError(
            f"musique.leak_check: {leaks.num_rows} values are in train and in dev or test, the first: "
            f"{first['kind']} {first['value']!r}"
        )
    metrics = {f"{kind}s_in_train_and_evaluation": _count(leaks, kind) for kind in KINDS}
    both = shared.filter(pa.compute.and_(pa.compute.greater(shared[DEV], 0), pa.compute.greater(shared[TEST], 0)))
    metrics |= {f"{kind}s_in_dev_and_test": _count(both, kind) for kind in KINDS}
    return Output({SEPARATION.name: shared}, metrics=metrics | _proportions(rows))


def _tied(rows: pa.Table, single_hops: pa.Table, known_names: pa.Table, spellings: bool) -> pa.Table:
    """graph, split, kind, value: what each question's answers are, by every way to tell."""
    listed = "list_concat(hop_answers, flatten(hop_aliases))" if spellings else "hop_answers"
    spelt = sql(f"SELECT DISTINCT graph, split, unnest({listed}) AS spelling FROM rows", rows=rows)  # noqa: S608
    answers = sql(
        "SELECT DISTINCT graph, split, 'answer' AS kind, form AS value FROM spelt JOIN forms USING (spelling)",
        spelt=spelt,
        forms=_forms(spelt["spelling"], forms),
    )
    if not spellings:
        return answers
    named = sql(
        "SELECT DISTINCT graph, split, 'thing' AS kind, form AS value FROM spelt JOIN forms USING (spelling)",
        spelt=spelt,
        forms=_forms(spelt["spelling"], things),
    )
    return pa.concat_tables([answers, named, _listings(answers, single_hops), _pages(spelt, known_names)])


def _forms(spellings: pa.ChunkedArray, told: Callable[[str], Sequence[str]]) -> pa.Table:
    """spelling, form: one row per form of each."""
    pairs = [(spelling, form) for spelling in spellings.unique().to_pylist() for form in told(spelling)]
    columns = zip(*pairs, strict=True) if pairs else ((), ())
    return pa.table([pa.array(column, pa.string()) for column in columns], names=["spelling", "form"])


def _listings(answers: pa.Table, single_hops: pa.Table) -> pa.Table:
    listed = sql(
        """
        SELECT DISTINCT concat_ws(' | ', answer, array_to_string(answer_aliases, ' | ')) AS value,
            unnest(list_prepend(answer, answer_aliases)) AS spelling
        FROM single_hops WHERE len(answer_aliases) > 0
        """,
        single_hops=single_hops.select(["answer", "answer_aliases"]),
    )
    return sql(
        """
        SELECT DISTINCT graph, split, 'listing' AS kind, l.value
        FROM answers a JOIN forms f ON f.form = a.value JOIN listed l USING (spelling)
        """,
        answers=answers,
        listed=listed,
        forms=_forms(listed["spelling"], forms),
    )


def _pages(spelt: pa.Table, known_names: pa.Table) -> pa.Table:
    """A name's page is the only one that bears it as its title, else by redirect, else as an alias."""
    return sql(
        """
        WITH ranked AS (
            SELECT name, target, array_position(['title', 'redirect', 'alias'], kind) AS place
            FROM known SEMI JOIN forms ON form = name
        ), first AS (
            SELECT name, target FROM ranked QUALIFY place = min(place) OVER (PARTITION BY name)
        ), pages AS (SELECT name, min(target) AS page FROM first GROUP BY name HAVING count(DISTINCT target) = 1)
        SELECT DISTINCT graph, split, 'page' AS kind, page AS value
        FROM spelt JOIN forms USING (spelling) JOIN pages ON name = form
        """,
        spelt=spelt,
        known=known_names.select(["name", "target", "kind"]),
        forms=_forms(spelt["spelling"], names),
    )


def _shared(rows: pa.Table, tied: pa.Table) -> pa.Table:
    counts = ", ".join(f"count(DISTINCT graph) FILTER (split = '{split}')::INTEGER AS {split}" for split in SPLITS)
    return sql(
        f"""
        WITH listed AS (
            SELECT graph, split, kind, value FROM tied
            UNION ALL SELECT graph, split, 'hop', unnest(hops) FROM rows
            UNION ALL SELECT graph, split, 'paragraph', unnest(paragraphs) FROM rows
        )
        SELECT kind, value, {counts} FROM listed GROUP BY kind, value HAVING count(DISTINCT split) > 1
        """,  # noqa: S608
        rows=rows,
        tied=tied,
    ).cast(SEPARATION.schema)


def _count(table: pa.Table, kind: str) -> float:
    return float(table["kind"].to_pylist().count(kind))


def _proportions(rows: pa.Table) -> dict[str, float]:
    found = sql(
        """
        SELECT split || '_' || len(hops) || '_hops' AS name, count(*) AS questions FROM rows GROUP BY name
        UNION ALL SELECT split || '_from_' || source AS name, count(*) FROM (
            SELECT split, unnest(list_distinct(sources)) AS source FROM rows
        ) GROUP BY name ORDER BY name
        """,
        rows=rows,
    )
    return {row["name"]: float(row["questions"]) for row in found.to_pylist()}


def stage(params: SeparationCheckParams | None = None, hops: str = SINGLE_HOPS.name) -> Stage:
    params = params or SeparationCheckParams()
    return Stage(
        name="musique.leak_check",
        shape=Whole(),
        kernel=partial(separation, params=params),
        inputs=(COMPOSED_HOPS.name, GRAPH_SPLITS.name, hops, KNOWN_NAMES.name),
        outputs=(SEPARATION,),
        templates=digests(),
        about="Section 5.1: what train has in common with dev and test, which is nothing.",
    )
