from __future__ import annotations

import json
from typing import Any

import pytest

from stages.live.service import Busy, Cut, Foreign
from stages.live.wiki_answers import WikiFault, answered, checked, leads_of, page_of, warnings_of

PAGE = {
    "pageid": 7,
    "ns": 0,
    "title": "Alpha",
    "revisions": [{"revid": 9, "timestamp": "2024", "slots": {"main": {"contentmodel": "wikitext", "content": "x"}}}],
}


def body(said: Any) -> bytes:
    return json.dumps(said).encode()


@pytest.mark.parametrize("data", [b"", b'{"query": {', b'[{"a": 1}', b"\xff", b"[" * 100_000])
def test_what_is_no_whole_answer(data: bytes) -> None:
    with pytest.raises(Cut):
        answered(data)


@pytest.mark.parametrize("data", [b"[]", b"null", b'"x"'])
def test_whole_json_that_no_wiki_answers(data: bytes) -> None:
    with pytest.raises(Foreign, match="than a wiki's"):
        answered(data)


@pytest.mark.parametrize("code", ["maxlag", "ratelimited", "readonly", "internal_api_error_DBQueryError"])
def test_a_wiki_that_wants_to_be_asked_later_says_so_in_either_form(code: str) -> None:
    for said in ({"error": {"code": code, "info": "later"}}, {"errors": [{"code": code, "text": "later"}]}):
        with pytest.raises(Busy, match=code):
            answered(body(said))


@pytest.mark.parametrize(
    "said", [{"error": {"code": "invalidtitle", "info": "Bad"}}, {"errors": [{"code": "invalidtitle", "text": "Bad"}]}]
)
def test_a_refusal_is_an_answer_that_some_take(said: dict[str, Any]) -> None:
    assert answered(body(said)) == said
    with pytest.raises(WikiFault) as caught:
        checked(body(said))
    assert caught.value.args == ("invalidtitle", "Bad")


def test_a_warning_that_the_next_part_mends_is_none() -> None:
    cut = {"code": "truncatedresult", "text": "cut", "module": "result"}
    assert list(warnings_of({"warnings": [cut], "continue": {"rvcontinue": "1"}})) == []
    assert list(warnings_of({"warnings": [cut]})) == ["result: cut"]


def test_leads_in_other_unicode_and_to_other_wikis() -> None:
    said = {
        "normalized": [{"fromencoded": True, "from": "E%CC%81", "to": "É"}],
        "redirects": [{"from": "Away", "to": "Alpha", "tointerwiki": "de"}, {"from": "First", "to": "Alpha"}],
    }
    assert dict(leads_of(said)) == {"E\u0301": "É", "First": "Alpha"}


def test_a_page() -> None:
    page = page_of(PAGE)
    assert page is not None and (page.title, page.page_id, page.revision, page.text) == ("Alpha", 7, 9, "x")


@pytest.mark.parametrize("more", [{"missing": True}, {"invalid": True}, {"special": True}, {"ns": -1}])
def test_what_is_no_page(more: dict[str, Any]) -> None:
    assert page_of({**PAGE, **more}) is None


def test_a_text_that_nobody_may_read_and_one_that_did_not_come() -> None:
    assert page_of({**PAGE, "revisions": [{"revid": 9, "slots": {"main": {"texthidden": True}}}]}) is None
    for revisions in ([], [{"revid": 9, "slots": {"main": {}}}]):
        with pytest.raises(Cut, match="Alpha"):
            page_of({**PAGE, "revisions": revisions})


def page_with(**more: Any) -> dict[str, Any]:
    return {"query": {"pages": [{**PAGE, **more}]}}


def revision_with(**more: Any) -> dict[str, Any]:
    return page_with(revisions=[{"revid": 9, **more}])


ODD_FORMS: list[tuple[dict[str, Any], str]] = [
    ({"query": []}, "`$.query`"),
    ({"query": {"pages": {"7": PAGE}}}, "`$.query.pages`"),
    ({"query": {"pages": [None]}}, "`$.query.pages[0]`"),
    ({"query": {"pages": [{"pageid": 7, "ns": 0}]}}, "missing required field `title`"),
    ({"query": {"pages": [{"title": "Alpha", "ns": 0}]}}, "the page 'Alpha' has no `pageid`"),
    (page_with(title=7), "`$.query.pages[0].title`"),
    (page_with(pageid="7"), "`$.query.pages[0].pageid`"),
    (page_with(title="\ud800"), "surrogate"),
    (page_with(redirects=["First"]), "`$.query.pages[0].redirects[0]`"),
    (page_with(revisions={"0": {}}), "`$.query.pages[0].revisions`"),
    (revision_with(slots=None), "slots`"),
    (revision_with(slots={"main": []}), "slots[...]`"),
    (revision_with(slots={"main": {"content": 7}}), "content`"),
    (revision_with(timestamp=7), "timestamp`"),
    ({"query": {"redirects": [{"from": "A"}]}}, "missing required field `to`"),
    ({"query": {"normalized": "A"}}, "`$.query.normalized`"),
    ({"query": {"interwiki": [{}]}}, "missing required field `title`"),
    ({"query": {"search": {"title": "A"}}}, "`$.query.search`"),
    ({"query": {"general": {"sitename": "A"}}}, "missing required field `base`"),
    ({"query": {"namespaces": []}}, "`$.query.namespaces`"),
    ({"continue": ["rvcontinue"]}, "`$.continue`"),
    ({"continue": {"rvcontinue": [1]}}, "`$.continue[...]`"),
    ({"warnings": 7}, "`$.warnings`"),
    ({"errors": {"code": "x"}}, "`$.errors`"),
]


@pytest.mark.parametrize(("said", "place"), ODD_FORMS)
def test_another_form_is_named(said: dict[str, Any], place: str) -> None:
    with pytest.raises(Foreign, match="^answers in another form than a wiki's: ") as caught:
        checked(body(said))
    assert place in str(caught.value)
