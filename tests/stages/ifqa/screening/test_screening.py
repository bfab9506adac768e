"""The screen: which passages are kept, why others are not, and which are looked at more closely."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.ifqa.passages import WORD_PASSAGES
from stages.ifqa.screening.lexicon import load_lexicon, read_lexicon
from stages.ifqa.screening.screening import SCREENED, ScoresParams, scores, stage
from stages.ifqa.screening.tense import Tagged, spacy_tagger

LEXICON = read_lexicon(
    {
        "version": 2,
        "past": 1.0,
        "reasons": {"plan": {"planned": 1}, "origin": {"originally": 2}, "cause": {"due to": 1}},
        "terms": {"such as": -0.5, "once": 0.5},
    }
)
PARAMS = ScoresParams(min_score=2.5, min_past=0.3)


@dataclass
class ByWord:
    """Takes "was" for the past and "is" for the present; seen: what it was asked about."""

    name: str = "by_word"
    identity: str = "f" * 64
    seen: list[str] = field(default_factory=list)

    def load(self):
        return self._tag

    def _tag(self, texts: Sequence[str]) -> Iterator[Tagged]:
        self.seen += texts
        tags = {"was": "VBD", "is": "VBZ"}
        yield from ([(word, tags.get(word, "NN")) for word in text.split()] for text in texts)


def table(texts: dict[str, str]):
    return WORD_PASSAGES.table(
        [
            {
                "passage": key,
                "title": key.split("#")[0],
                "number": int(key.split("#")[1]),
                "wrapped": False,
                "text": text,
            }
            for key, text in texts.items()
        ]
    )


def run(texts: dict[str, str], params: ScoresParams = PARAMS, tagger: ByWord | None = None):
    return scores(table(texts), lexicon=LEXICON, tagger=tagger or ByWord(), params=params)


def rejects(texts: dict[str, str]) -> list[tuple[str, str, int]]:
    return [(row["key"], row["reason"], row["count"]) for row in run(texts).rejects.to_pylist()]


def test_a_passage_is_kept_with_its_reasons() -> None:
    [row] = (
        run({"A#2": "it was originally planned and was moved due to rain ; it is gone"})
        .tables["screened_passages"]
        .to_pylist()
    )
    assert row == {
        "passage": "A#2",
        "title": "A",
        "number": 2,
        "text": "it was originally planned and was moved due to rain ; it is gone",
        "score": 4.666667,
        "cues": ["due to", "originally", "planned"],
        "past": pytest.approx(2 / 3),
        "reasons": ["cause", "origin", "plan"],
    }


def test_terms_count_for_and_against_but_are_no_reason() -> None:
    texts = {"A#0": "it was planned once , once due to rain", "A#1": "it was planned due to rain such as sleet"}
    texts |= {"A#2": "it was once", "A#3": "it was planned due to rain"}
    kept = run(texts, ScoresParams(min_score=2.6)).tables["screened_passages"].to_pylist()
    assert [(row["passage"], row["score"], row["cues"]) for row in kept] == [
        ("A#0", 3.5, ["due to", "planned"]),
        ("A#3", 3.0, ["due to", "planned"]),
    ]
    assert rejects({"A#2": texts["A#2"]}) == [("A", "no_cue", 1)]
    low = ScoresParams(min_score=-1.0, min_past=0.0)
    [row] = run({"A#0": "planned such as such as"}, low).tables["screened_passages"].to_pylist()
    assert row["score"] == 0.5


def test_rejects_say_why_and_are_counted_per_page() -> None:
    texts = {
        "A#0": "it was a mill",
        "A#1": "a mill",
        "A#2": "it was planned",
        "B#0": "it is originally planned",
        "B#1": "it was originally planned was",
        "B#2": "originally it was and it is and it is",
    }
    assert rejects(texts) == [("A", "low_score", 1), ("A", "no_cue", 2), ("B", "low_score", 1), ("B", "not_past", 1)]


def test_only_what_could_be_kept_is_tagged() -> None:
    tagger = ByWord()
    output = run({"A#0": "it was", "A#1": "was planned", "A#2": "was originally"}, tagger=tagger)
    assert tagger.seen == ["was originally"]
    assert output.metrics == {"passages": 3.0, "with_cues": 2.0, "tagged": 1.0, "screened": 1.0}


def test_no_model_is_loaded_for_a_shard_without_cues() -> None:
    class Broken(ByWord):
        def load(self):
            raise AssertionError("not needed")

    assert run({"A#0": "it was"}, tagger=Broken()).metrics["tagged"] == 0
    assert run({}, tagger=Broken()).tables["screened_passages"].schema == SCREENED.schema


TEXTS = st.lists(st.sampled_from(["was", "is", "originally", "planned", "due to", "rain", "."]), max_size=8).map(
    " ".join
)


@given(st.dictionaries(st.from_regex(r"[AB]#[0-9]", fullmatch=True), TEXTS), st.floats(0, 4), st.floats(0, 1))
def test_every_passage_is_kept_or_counted_and_grouping_does_not_matter(
    texts: dict[str, str], least: float, past: float
) -> None:
    params = ScoresParams(min_score=least, min_past=past)
    whole = run(texts, params)
    kept = whole.tables["screened_passages"].to_pylist()
    assert len(kept) + sum(whole.rejects["count"].to_pylist()) == len(texts)
    assert all(row["score"] >= least and row["past"] >= past and row["cues"] for row in kept)
    apart = [run({key: text}, params).tables["screened_passages"].to_pylist() for key, text in reversed(texts.items())]
    assert sorted((row for rows in apart for row in rows), key=str) == sorted(kept, key=str)


def test_hostile_texts_with_the_real_model_and_lexicon() -> None:
    texts = {
        "A#0": "\u202e originally \x00 due to \u05d0\u05d1 was",
        "A#1": "originally " * 100,
        "A#2": "x" * 1_000_000 + " originally planned to",
        "A#3": "",
    }
    output = scores(table(texts), lexicon=load_lexicon(), tagger=spacy_tagger(), params=ScoresParams(-10.0, 0.0))
    assert sorted(output.tables["screened_passages"]["passage"].to_pylist()) == ["A#0", "A#1", "A#2"]


def test_params_are_checked() -> None:
    with pytest.raises(StageError, match="min_past: expected a share"):
        ScoresParams(min_past=1.5)
    with pytest.raises(StageError, match="min_score: expected a number between -1000 and 1000"):
        ScoresParams(min_score=float("nan"))


def test_lexicon_and_tagger_enter_the_fingerprint() -> None:
    made = stage(load_lexicon(), ByWord())
    assert made.templates == {**load_lexicon().digests, "tagger/by_word": "f" * 64}
    assert (made.name, made.inputs, made.outputs) == ("ifqa.screening", ("word_passages",), (SCREENED,))
