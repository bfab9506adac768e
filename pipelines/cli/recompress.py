"""`benchwright recompress`: a large file that one worker has to read alone, made into one that all read."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from tqdm import tqdm

from manifests.storage import Storage
from stages.core.contract import StageError
from stages.io.recompress import recompress as write_frames


@click.command()
@click.argument("file", metavar="FILE")
@click.argument("out", metavar="OUT")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def recompress(file: str, out: str, quiet: bool) -> None:
    """Write the content of FILE to OUT in a form that many workers read at once.

    FILE is a path or an address, gzip, bzip2, Zstandard or plain; OUT a local file of Zstandard frames with a list of
    them at its end, which any Zstandard program unpacks. Broken off, the same command goes on from where it was.

    \b
    benchwright recompress latest-all.json.gz latest-all.json.zst
    """
    if not Storage.at(file).exists(""):
        raise StageError(f"FILE {file}: no such file")
    if not out.strip() or "://" in out:
        raise StageError(f"OUT {out!r}: expected a local file; copy it elsewhere once it is written")
    target = Path(out)
    if target.is_dir() or not target.absolute().parent.is_dir():
        raise StageError(f"{out}: expected the name of a file in a folder that is there")
    with tqdm(unit="B", unit_scale=True, disable=quiet or not sys.stderr.isatty(), leave=False) as bar:
        frames = write_frames(file, target, bar.update)
    if not quiet:
        click.echo(f"{out}: {frames:,} frames, {target.stat().st_size:,} bytes")
