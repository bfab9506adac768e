"""Builds the toy pipeline with the Beam options given; run from a folder without the source.

python driver.py ROOT INPUT [BEAM OPTION ...]
"""

from __future__ import annotations

import sys
from contextlib import nullcontext

import stages
from manifests.storage import Storage
from pipelines.runner import Runner
from stages.beam.options import BeamOptions
from tests import toy

if __name__ == "__main__":
    root, source, *arguments = sys.argv[1:]
    runner = Runner(Storage.at(root), BeamOptions(1, tuple(arguments)), lambda stage, job: nullcontext())
    manifest = runner.build(toy.pipeline([source], buckets=2), lambda step: None)
    print(f"package: {stages.__file__}")
    print(f"version: {manifest.version}")
