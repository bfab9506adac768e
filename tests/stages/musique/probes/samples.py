"""Multi-hop records by hand."""

from __future__ import annotations

from typing import Any


def marked(name: str, question: str, answer: str, *paragraphs: tuple[str, str, bool], **more: Any) -> dict[str, Any]:
    """A record whose paragraphs say themselves whether they support the answer."""
    listed = [
        {"idx": number, "title": title, "paragraph_text": text, "is_supporting": supporting}
        for number, (title, text, supporting) in enumerate(paragraphs)
    ]
    return {"id": name, "question": question, "answer": answer, "paragraphs": listed, **more}


def cited(name: str, question: str, answer: str, *paragraphs: tuple[str, str, bool]) -> dict[str, Any]:
    """A record that cites its supporting paragraphs by their titles."""
    return {
        "_id": name,
        "question": question,
        "answer": answer,
        "context": [[title, [text]] for title, text, _ in paragraphs],
        "supporting_facts": [[title, 0] for title, _, supporting in paragraphs if supporting],
    }


PARAGRAPHS = (
    ("Song", "Imagine was sung by Ann Lee.", True),
    ("Other", "Nothing to see.", False),
    ("Singer", "Ann Lee was born in Bergen.", True),
)
