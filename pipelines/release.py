"""Writes a build's release from its published tables."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.gaps import why_nothing
from pipelines.published import iterate_table, read_table
from stages.corpus.passages import WORD_PASSAGES
from stages.influence.explain import EXPLANATIONS
from stages.release.card import CardText, render_card
from stages.release.choice_card import render_choice_card
from stages.release.choice_records import CHOICE_QUESTIONS, CHOICE_RECORDS
from stages.release.corpus import find_repeats
from stages.release.counterfactual_card import render_counterfactual_card
from stages.release.counterfactual_export import export_counterfactuals
from stages.release.counterfactual_records import CONTEXTS, COUNTERFACTUAL_RECORDS
from stages.release.export import CHOICES, export_release
from stages.release.format import ReleaseError
from stages.release.multihop_card import render_multihop_card
from stages.release.multihop_export import export_multihop
from stages.release.multihop_records import COMPOSITIONS, MULTIHOP_RECORDS
from stages.release.records import RECORDS, SIDECAR


def write_release(
    root: Storage, manifest: BuildManifest, folder: Path, title: str, force: bool = False
) -> Sequence[Path]:
    """JSONL and Parquet per split, the sidecar and the card; replaces an earlier release in the folder whole.

    force: as for all of these, whether files of a release's names may be replaced that no export wrote.
    Raises ReleaseError: there is no question.
    """
    _need_questions(manifest)
    records = read_table(root, manifest, RECORDS)
    sidecar = read_table(root, manifest, SIDECAR)
    card = render_card(_text(manifest, title), records, sidecar)
    exported = export_release(records, sidecar, folder, card, replace=True, force=force)
    return [exported.folder / file for file in exported.files]


def write_choices(
    root: Storage, manifest: BuildManifest, folder: Path, title: str, force: bool = False
) -> Sequence[Path]:
    """JSONL and Parquet per split, the questions and their explanations as tables, and the card.

    Raises ReleaseError: there is no question yet, as in a build whose graphs people have still to fill.
    """
    _need_questions(manifest)
    questions = read_table(root, manifest, CHOICE_QUESTIONS)
    exported = export_release(
        read_table(root, manifest, CHOICE_RECORDS),
        read_table(root, manifest, EXPLANATIONS),
        folder,
        render_choice_card(_text(manifest, title), questions),
        replace=True,
        layout=CHOICES,
        extra={"questions": questions.sort_by("question")},
        force=force,
    )
    return [exported.folder / file for file in exported.files]


def write_counterfactuals(
    root: Storage, manifest: BuildManifest, folder: Path, title: str, force: bool = False
) -> Sequence[Path]:
    """JSON and Parquet per benchmark and split, the corpus to search, and the card.

    Raises ReleaseError: there is no question yet, as in a build whose questions people have still to write.
    """
    _need_questions(manifest)
    records = read_table(root, manifest, COUNTERFACTUAL_RECORDS)
    has_corpus = any(WORD_PASSAGES.name in stage.tables for stage in manifest.stages)
    texts = iterate_table(root, manifest, WORD_PASSAGES, ["text"]) if has_corpus else ()
    repeats = find_repeats(texts)
    card = render_counterfactual_card(_text(manifest, title), records, repeated=repeats.passages)
    corpus = iterate_table(root, manifest, WORD_PASSAGES, ["passage", "title", "text"]) if has_corpus else ()
    contexts = read_table(root, manifest, CONTEXTS)
    return export_counterfactuals(records, contexts, corpus, folder, card, repeats, force)


def write_multihop(
    root: Storage, manifest: BuildManifest, folder: Path, title: str, force: bool = False
) -> Sequence[Path]:
    """JSONL and Parquet per benchmark and split, how each question was composed, and the card.

    Raises ReleaseError: no question came about, as of hops that have no bridge.
    """
    _need_questions(manifest)
    compositions = read_table(root, manifest, COMPOSITIONS)
    card = render_multihop_card(_text(manifest, title), compositions)
    return export_multihop(read_table(root, manifest, MULTIHOP_RECORDS), compositions, folder, card, force)


def _need_questions(manifest: BuildManifest) -> None:
    if why := why_nothing(manifest):
        raise ReleaseError(f"this build of {manifest.dataset} cannot be released. {why}")


def _text(manifest: BuildManifest, title: str) -> CardText:
    return CardText(
        name=manifest.dataset,
        description="\n\n".join((f"{title}.", *manifest.notes)),
        version=metadata.version("benchwright"),
        licences={name: text for stage in manifest.stages for name, text in stage.licences.items()},
    )
