"""Labelled rows for `benchwright calibrate` from Re-DocRED and FewRel data beside the checkout.

    python -m tests.bench.calibration_rows ../shared/data/relations out

writes out/redocred.jsonl, which chooses thresholds, and out/fewrel.jsonl, which tests them.

The pairs of evidence_calibration.jsonl.gz come with hypotheses from other templates than
the project's. Subject and object are recovered from them: each premise lies in exactly one
document, positives show how each property was worded, and a row is kept only where one
pair of the document's entities fits the wording and the document's labels agree with the
row's own kind. FewRel's held-out relations give further rows: sentences of the relation
as stated, subject and object exchanged, and the same ends under another relation (which no
knowledge base would hold of them: a harder test than false alignments are).
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from stages.facts.calibration.labelled import Labelled

DOCUMENTS = slice(350, 500)
FEWREL = ("P177", "P412", "P413", "P921")
PER_RELATION = 100

# What the document's labels must say of (subject, property, object), by kind of row.
_MUST_HOLD = {
    "pos1": True,
    "posw": True,
    "posm": True,
    "b_false_align": True,
    "b_false_align_w": True,
    "e_absent": True,
}


def letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)


def main(folder: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for name, rows in (("redocred", list(redocred_rows(folder))), ("fewrel", list(fewrel_rows(folder)))):
        lines = (json.dumps(asdict(row), ensure_ascii=False) for row in rows)
        (out / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        print(f"{name}: {len(rows)} rows, {sum(row.stated for row in rows)} stated")


def redocred_rows(folder: Path) -> Iterator[Labelled]:
    with gzip.open(folder / "redocred-dev_revised.json.gz", "rt", encoding="utf-8") as file:
        documents = json.load(file)[DOCUMENTS]
    with gzip.open(folder / "evidence_calibration.jsonl.gz", "rt", encoding="utf-8") as file:
        pairs = [json.loads(line) for line in file]
    texts = [letters("".join("".join(sentence) for sentence in document["sents"])) for document in documents]
    homes = [next(i for i, text in enumerate(texts) if letters(pair["premise"]) in text) for pair in pairs]
    wordings = _wordings(pairs, [documents[home] for home in homes])
    for pair, home in zip(pairs, homes, strict=True):
        ends = _ends(pair, documents[home], wordings[pair["property"]])
        if ends is not None:
            yield _labelled(pair, documents[home], *ends)


def _wordings(pairs: list[dict[str, Any]], documents: list[dict[str, Any]]) -> dict[str, Counter[str]]:
    """Per property the templates seen in its positives, with how often."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for pair, document in zip(pairs, documents, strict=True):
        if pair["stated"]:
            forms = [
                form
                for label in document["labels"]
                if label["r"] == pair["property"]
                for form in _forms(pair, document, label)
            ]
            if forms:
                seen[pair["property"]][min(forms, key=lambda form: (len(form), form))] += 1
    return seen


def _forms(pair: dict[str, Any], document: dict[str, Any], label: dict[str, Any]) -> Iterator[str]:
    text = pair["hypothesis"]
    for subject in _names(document, label["h"]):
        for object_ in _names(document, label["t"]):
            first, second = _locate(subject, text), _locate(object_, text)
            if first and second and (first[1] <= second[0] or second[1] <= first[0]):
                (a, b, left), (c, d, right) = sorted([(*first, "{s}"), (*second, "{o}")])
                yield re.sub(r"\b[Tt]he (?=\{)", "", text[:a] + left + text[b:c] + right + text[d:])


def _names(document: dict[str, Any], entity: int) -> list[str]:
    return sorted({mention["name"] for mention in document["vertexSet"][entity]})


def _locate(name: str, text: str) -> tuple[int, int] | None:
    pattern = r"\s*".join(re.escape(part) for part in re.findall(r"\w+|[^\w\s]", name))
    match = re.search(rf"(?<!\w){pattern}(?!\w)", text)
    return match.span() if match else None


def _ends(pair: dict[str, Any], document: dict[str, Any], wordings: Counter[str]) -> tuple[int, int, str, str] | None:
    """(subject entity, object entity, their names) by the commonest wording that fits and agrees with the labels."""
    owners = {
        letters(mention["name"]).casefold(): i for i, vertex in enumerate(document["vertexSet"]) for mention in vertex
    }
    for wording, _ in sorted(wordings.items(), key=lambda item: (-item[1], item[0])):
        pattern = re.escape(wording)
        for slot in ("s", "o"):
            pattern = pattern.replace(rf"\{{{slot}\}}", rf"(?:[Tt]he )?(?P<{slot}>.+)")
        match = re.fullmatch(pattern, pair["hypothesis"])
        if match is None:
            continue
        found = owners.get(letters(match["s"]).casefold()), owners.get(letters(match["o"]).casefold())
        if None not in found and found[0] != found[1] and _agrees(pair, document, *found):
            return *found, match["s"], match["o"]
    return None


def _agrees(pair: dict[str, Any], document: dict[str, Any], subject: int, object_: int) -> bool:
    facts = {(label["h"], label["r"], label["t"]) for label in document["labels"]}
    if pair["kind"] == "a_swap" and (object_, pair["property"], subject) not in facts:
        return False
    return ((subject, pair["property"], object_) in facts) == _MUST_HOLD.get(pair["kind"], False)


def _labelled(pair: dict[str, Any], document: dict[str, Any], subject: int, object_: int, *ends: str) -> Labelled:
    return Labelled(
        subject=ends[0],
        object=ends[1],
        property=pair["property"],
        premise=pair["premise"],
        stated=bool(pair["stated"]),
        sentence=last_sentence(pair["premise"], document),
        kind=pair["kind"],
        group=document["title"],
        subject_names=tuple(_names(document, subject)),
        object_names=tuple(_names(document, object_)),
    )


def last_sentence(premise: str, document: dict[str, Any]) -> str:
    """The part of the premise that is the document's sentence it ends in."""
    best = ""
    for sentence in document["sents"]:
        ending = letters("".join(sentence))
        if ending and letters(premise).endswith(ending):
            start, left = len(premise), len(ending)
            while left:
                start -= 1
                left -= len(letters(premise[start]))
            best = max(best, premise[start:], key=len)
    return best or premise


def fewrel_rows(folder: Path) -> Iterator[Labelled]:
    with gzip.open(folder / "fewrel-val_wiki.json.gz", "rt", encoding="utf-8") as file:
        relations = json.load(file)
    for index, pid in enumerate(FEWREL):
        other = FEWREL[(index + 1) % len(FEWREL)]
        for number, row in enumerate(relations[pid][:PER_RELATION]):
            text = " ".join(row["tokens"])
            head, tail = (" ".join(row["tokens"][i] for i in row[end][2][0]) for end in ("h", "t"))
            group = f"{row['h'][1]} {number}"
            yield Labelled(head, tail, pid, text, True, text, "fewrel stated", group)
            yield Labelled(tail, head, pid, text, False, text, "fewrel swap", group)
            yield Labelled(head, tail, other, text, False, text, "fewrel other relation", group)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
