"""The tables of single-hop questions.

A hop is one question that one paragraph answers. A relational hop is written "subject >> relation",
which asks for the relation's value of the subject.
"""

from __future__ import annotations

import pyarrow as pa

from stages.core.columns import flag, number, text, texts
from stages.core.contract import TableSpec

READ_HOPS = TableSpec(
    name="read_hops",
    schema=pa.schema(
        [
            text("content"),
            text("source"),
            text("given_id"),
            text("question"),
            text("answer"),
            texts("answer_aliases"),
            text("title"),
            text("text"),
            pa.field("answer_start", pa.int32()),
        ]
    ),
    key=("content", "source", "given_id"),
    on_duplicate="reject",
)
"""One row per question that a file states, tidied but not judged.

content: 12 hex digits over question, answer and paragraph in their normal forms, so that what two files
    both hold meets in one bucket; source: the data set's name, a word; given_id: the record's own id, or "".
answer_aliases: other spellings of the answer, sorted, without the answer itself.
answer_start: the position in `text` that the record states for its answer, where it states one.
"""

SINGLE_HOPS = TableSpec(
    name="single_hops",
    schema=pa.schema(
        [
            text("hop"),
            text("given_id"),
            text("source"),
            text("question"),
            flag("relational"),
            pa.field("subject", pa.string()),
            pa.field("relation", pa.string()),
            text("answer"),
            texts("answer_aliases"),
            number("answer_start"),
            text("title"),
            text("paragraph"),
            text("text"),
            number("words"),
            number("tokens"),
        ]
    ),
    key=("hop",),
)
"""One row per usable hop.

hop: "{source}:{12 hex digits of the content}", without "_", so that ids can be joined by it; given_id: the
    source's own id, or "".
subject, relation: the two sides of a relational hop's ">>"; null for others.
answer_start: character position of the answer's occurrence in `text`, where the record stated a right one, else
    of its first. The answer may be spelt there with other spaces, punctuation or case.
paragraph: 16 hex digits over the words of title and text: whatever is told apart by paragraphs is told apart by it.
    Until `musique.copies` has chosen one text for each, rows with one id may type title and text differently.
words: of the paragraph; tokens: words of the question.
"""

GOLD_PARAGRAPHS = TableSpec(
    name="gold_paragraphs",
    schema=pa.schema([text("paragraph"), text("title"), text("text")]),
    key=("paragraph",),
)
"""One row per distinct paragraph of the usable hops, typed in one way."""
