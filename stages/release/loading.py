"""What a card says about loading the release with the tools of the field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stages.core.splits import TEST

_FOLDER = "FOLDER"


def loading(present: Mapping[str, Sequence[str]], judged: Mapping[str, Sequence[str]], tasks: Sequence[str]) -> str:
    """A paragraph and a line of code each. present, judged: as in `front_matter`; tasks: names of the harness."""
    lines = []
    for config, splits in [held for held in present.items() if held[1]][:1]:
        chosen = f', "{config}"' if config else ""
        lines.append(f'datasets.load_dataset("{_FOLDER}"{chosen}, split="{splits[-1]}")')
    for config, splits in list(judged.items())[:1]:
        chosen = f', qrels_folder="qrels/{config}"' if config else ""
        lines.append(f'beir.datasets.data_loader.GenericDataLoader("{_FOLDER}"{chosen}).load("{_last(splits)}")')
    lines += [f'datasets.load_dataset("json", data_files="{_FOLDER}/corpus.jsonl")'] * bool(judged)
    lines.append(f'mlcroissant.Dataset("{_FOLDER}/croissant.json")')
    lines += [f"lm_eval --include_path {_FOLDER}/lm_eval --tasks {','.join(tasks)} --model hf ..."] * bool(tasks)
    return "\n".join(f"    {line}" for line in lines)


def _last(splits: Sequence[str]) -> str:
    return TEST if TEST in splits else splits[-1]
