"""The hand-worked cases: no wrong value, and what is declined is declined for the right reason."""

from __future__ import annotations

from collections import Counter

import pytest

from stages.normalise import Kind, normalise
from tests.stages.normalise.gold_rows import Case, cases, entity_cases, outcome, wiki


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.place)
def test_case(case: Case) -> None:
    result = normalise(case.text, case.passage)
    assert (str(result.kind), outcome(result)) == (case.kind, case.expected)


@pytest.mark.parametrize("case", entity_cases(), ids=lambda case: case.place)
def test_title(case: Case) -> None:
    result = normalise(case.text, case.passage, wiki())
    assert (str(result.kind), outcome(result)) == (case.kind, case.expected)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.place)
def test_canonical_forms_are_their_own(case: Case) -> None:
    result = normalise(case.text, case.passage)
    if result.value is None:
        return
    again = normalise(result.value, expect=result.kind)
    assert (again.kind, again.value) == (result.kind, result.value)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.place)
def test_every_form_leads_to_a_form_of_its_own(case: Case) -> None:
    """A form without its unit is a number, so that kinds may differ; a form that cannot be read is none."""
    for form in normalise(case.text, case.passage).forms:
        first = normalise(form.text)
        if first.value is not None:
            assert normalise(first.value, expect=first.kind).value == first.value


@pytest.mark.parametrize("case", entity_cases(), ids=lambda case: case.place)
def test_titles_are_their_own(case: Case) -> None:
    result = normalise(case.text, case.passage, wiki())
    if result.value is not None and result.kind is Kind.ENTITY:
        assert normalise(result.value, titles=wiki(), expect=Kind.ENTITY).value == result.value


def test_the_gold_covers_every_kind_and_repeats_nothing() -> None:
    rows = [*cases(), *entity_cases()]
    assert len(cases()) >= 400
    assert {case.kind for case in rows} == {str(kind) for kind in Kind}
    passages = [(case.text, case.passage) for case in rows if case not in entity_cases()]
    assert [key for key, count in Counter(passages).items() if count > 1] == []
