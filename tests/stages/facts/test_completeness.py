import pyarrow as pa
import pytest

from stages.core.contract import StageError
from stages.facts.completeness import CORPUS, CorpusParams, corpus, stage


def _articles(n: int) -> pa.Table:
    return pa.table({"title": [f"T{i}" for i in range(n)], "qid": [f"Q{i}" for i in range(n)]})


@pytest.mark.parametrize(
    ("answers", "pages", "partial", "own_page"),
    [
        ("auto", 9, True, True),
        ("auto", 10, False, False),
        ("all", 9, True, False),
        ("own_page", 10, False, True),
        ("auto", 0, True, True),
    ],
)
def test_what_is_decided_for_a_corpus(answers: str, pages: int, partial: bool, own_page: bool) -> None:
    output = corpus(_articles(pages), params=CorpusParams(answers, complete_corpus_pages=10))
    assert output.tables["corpus"].to_pylist() == [{"articles": pages, "partial": partial, "own_page": own_page}]
    assert output.tables["corpus"].schema == CORPUS.schema
    assert output.metrics == {"articles": pages, "partial": partial, "own_page": own_page}


def test_a_misspelt_choice_names_the_right_ones() -> None:
    with pytest.raises(StageError, match="'own', .* one of all, own_page, auto"):
        CorpusParams("own")


def test_the_stage_sees_the_whole_corpus() -> None:
    assert stage().bound["params"] == CorpusParams("auto", 5_000_000)
    assert stage().inputs == ("articles",)
