"""Stage linking.link: the invariant, against a brute-force reading of the rules, and on real data."""

from __future__ import annotations

import gzip
import pickle
from collections import Counter
from pathlib import Path

import msgspec
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.linking import claims, link, sitelinks
from stages.linking.link import ARTICLES, LINK_AUDIT
from stages.linking.statuses import ACCEPTED, STATUSES
from stages.wikipedia import pages, redirects, segment
from stages.wikipedia.pages import PagesParams, clean_pages
from stages.wikipedia.prepared import PreparedPages
from stages.wikipedia.redirects import RedirectsParams, resolve_redirects
from stages.wikipedia.titles import normalise_title
from tests.stages.linking.cases import World


def test_a_sitelink_beats_other_pages_that_name_the_entity() -> None:
    world = World({"Q1": "A"}, {"A": None, "B": "Q1"})
    assert world.audit() == {("Q1", "A"): "linked", ("Q1", "B"): "conflict"}
    assert world.articles() == {"A": "Q1"}


def test_a_page_s_own_id_counts_where_the_sitelink_s_page_is_missing() -> None:
    world = World({"Q1": "A. B."}, {"A.B.": "Q1"})
    assert world.audit() == {("Q1", "A. B."): "missing_page", ("Q1", "A.B."): "page_qid_only"}
    assert world.articles() == {"A.B.": "Q1"}


def test_two_pages_that_name_one_entity_are_both_left_out() -> None:
    world = World({}, {"A": "Q1", "B": "Q1"})
    assert world.audit() == {("Q1", "A"): "ambiguous", ("Q1", "B"): "ambiguous"}
    assert world.articles() == {}


def test_schemas_and_a_count_for_every_status() -> None:
    output = World({"Q1": "A"}, {"A": None}).link()
    assert output.tables["articles"].schema == ARTICLES.schema
    assert output.tables["link_audit"].schema == LINK_AUDIT.schema
    assert output.metrics == {f"status_{status}": float(status == "linked") for status in STATUSES}


def test_the_stages_fit_together_and_travel_to_workers() -> None:
    stages = [pages.stage(PreparedPages(["x"])), redirects.stage(), sitelinks.stage(), claims.stage(), link.stage()]
    stages.append(segment.stage())
    made = {spec.name for stage in stages for spec in stage.outputs} | {"entities"}
    assert {name for stage in stages for name in stage.inputs} <= made
    assert [pickle.loads(pickle.dumps(stage)).name for stage in stages] == [stage.name for stage in stages]  # noqa: S301


def brute_force(world: World) -> dict[str, str]:
    """Articles by the rules as they are told: sitelinks first, straight ones before redirected, then pages' own ids."""
    articles: dict[str, str] = {}
    linked = {qid: title for qid, title in world.entities.items() if title is not None}
    claimed = {world.redirects.get(title, title) for title in linked.values()}
    for page, own in world.pages.items():
        straight = [qid for qid, title in linked.items() if title == page and title not in world.redirects]
        redirected = [qid for qid, title in linked.items() if world.redirects.get(title) == page]
        best = straight or redirected
        if len(best) == 1:
            articles[page] = best[0]
        elif own in best:
            articles[page] = str(own)
    taken = set(articles.values())
    for page, own in world.pages.items():
        free = [title for title, qid in world.pages.items() if qid == own and title not in claimed]
        if own is not None and own not in taken and free == [page]:
            articles[page] = own
    return articles


QIDS, TITLES = st.sampled_from(["Q1", "Q2", "Q3", "Q4"]), st.sampled_from("ABCD")
WORLDS = st.builds(
    World,
    st.dictionaries(QIDS, st.none() | TITLES | st.sampled_from("RS")),
    st.dictionaries(TITLES, st.none() | QIDS),
    st.dictionaries(st.sampled_from("RS"), TITLES),
)


@settings(max_examples=300, deadline=None)
@given(WORLDS)
def test_articles_are_those_of_the_rules_and_everything_is_accounted_for(world: World) -> None:
    articles, audit = world.articles(), world.audit()
    assert articles == brute_force(world)
    assert len(set(articles.values())) == len(articles)
    assert {title: qid for (qid, title), status in audit.items() if status in ACCEPTED} == articles
    assert set(world.pages) <= {title for _, title in audit}
    sitelinks = {(qid, world.redirects.get(title, title)) for qid, title in world.entities.items() if title}
    owned = {(qid, title) for title, qid in world.pages.items() if qid}
    nothing = {("", title) for title in world.pages if ("", title) in audit}
    assert set(audit) <= sitelinks | owned | nothing
    assert sitelinks <= set(audit)
    assert owned <= set(audit)


class _Sitelink(msgspec.Struct):
    title: str


class _Entity(msgspec.Struct):
    id: str
    sitelinks: dict[str, _Sitelink] = {}


def real_world(folder: Path) -> World:
    decoder = msgspec.json.Decoder(_Entity)
    with gzip.open(folder / "entities.json.gz") as file:
        entities = [decoder.decode(line.rstrip(b",\n")) for line in file if len(line) > 3]
    source = PreparedPages([str(folder / "pages.jsonl.gz"), str(folder / "redirects.jsonl.gz")])
    outputs = [clean_pages(raw, params=PagesParams()) for part in source.parts() for raw in source.read(part)]
    pages = pa.concat_tables(output.tables["pages"] for output in outputs)
    redirects = pa.concat_tables(output.tables["redirects"] for output in outputs)
    targets = resolve_redirects(redirects, params=RedirectsParams()).tables["redirect_targets"].to_pylist()
    return World(
        {e.id: normalise_title(e.sitelinks["enwiki"].title) if "enwiki" in e.sitelinks else None for e in entities},
        dict(zip(pages["title"].to_pylist(), pages["qid"].to_pylist(), strict=True)),
        {row["source"]: row["target"] for row in targets},
    )


def test_the_real_extract(shared_data: Path) -> None:
    """100,730 entities with 32,561 sitelinks (4 of them to project pages), 33,569 articles."""
    world = real_world(shared_data / "wikidata")
    audit = world.audit()
    counts = Counter(audit.values())
    assert counts == {"linked": 20_235, "missing_page": 12_318, "ambiguous": 4, "no_entity": 13_334}
    assert counts["linked"] + counts["missing_page"] + counts["ambiguous"] == 32_561 - 4
    assert counts["linked"] + counts["no_entity"] == len(world.pages) == 33_569
    assert audit["Q100", "Boston"] == "linked"
    assert audit["Q11707850", "Motor neuron disease"] == "ambiguous"
