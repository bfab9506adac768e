"""Generated pages, and names to look for on them.

Names per page are spread as over the pages of a real extract (median 5 entities, 99 % at
most 141, the page of a country 492, with 4 to 5 names each); pages have 4 to 200 sentences.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from stages.facts.evidence_requests import REQUESTS
from stages.wikipedia.segment import SENTENCES

_SYLLABLES = ("ka", "lo", "mir", "ten", "sa", "vor", "di", "nel", "gu", "pra", "os", "el", "ri", "to", "bas", "hem")


def tables(pages: int) -> dict[str, pa.Table]:
    """requests and sentences of some pages; the sizes of both follow a power law."""
    rng = np.random.default_rng(pages)
    words = [_word(rng) for _ in range(3000)]
    names = [f"{_word(rng).title()} {_word(rng).title()}" for _ in range(4000)]
    sentences, requests = [], []
    for number in range(pages):
        qid, title = f"Q{number}", f"Page {number}"
        about = [int(n) for n in rng.integers(0, len(names), min(492, 2 + int(rng.pareto(1.3) * 4)))]
        for index in range(min(200, 4 + int(rng.pareto(1.0) * 8))):
            text = _sentence(rng, words, names, about)
            row = {"title": title, "index": index, "qid": qid, "passage": index // 5, "text": text}
            sentences.append(row)
        requests += [_request(qid, entity, names[entity]) for entity in sorted(set(about))]
    return {"requests": REQUESTS.table(requests), "sentences": SENTENCES.table(sentences)}


def _word(rng: np.random.Generator) -> str:
    return "".join(_SYLLABLES[n] for n in rng.integers(0, len(_SYLLABLES), int(rng.integers(1, 4))))


def _sentence(rng: np.random.Generator, words: list[str], names: list[str], about: list[int]) -> str:
    parts = [words[n] for n in rng.integers(0, len(words), int(rng.integers(8, 30)))]
    if rng.random() < 0.3:
        parts.insert(int(rng.integers(0, len(parts))), names[about[int(rng.integers(0, len(about)))]])
    return f"{' '.join(parts).capitalize()}."


def _request(page: str, entity: int, name: str) -> dict[str, Any]:
    first, last = name.split(" ")
    return {
        "page": page,
        "subject": page,
        "property": "P1",
        "object": f"Q9{entity:06}",
        "unit": "",
        "object_kind": "item",
        "side": "subject",
        "surfaces": [name, f"{first[0]}. {last}", f"{last}, {first}", f"{first} of {last}"],
        "subject_label": f"label {page}",
        "object_label": name,
        "hypotheses": [f"{page} goes with {name}."],
    }
