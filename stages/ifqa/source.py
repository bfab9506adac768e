"""Files of questions as a source: JSON records, each with the name of the file it stands in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

import pyarrow as pa

from manifests.storage import file_sha256
from stages.io.json_files import RECORDS, DumpPart
from stages.io.json_records import JsonRecords

# file: the name without its folder and endings.
NAMED_RECORDS = RECORDS.append(pa.field("file", pa.string(), nullable=False))


@dataclass(frozen=True)
class QuestionFiles(JsonRecords):
    """JSON records in any layout; tables of {data, error, file}.

    A file's name tells which split a record was in, so the names count as part of the input.
    """

    kind: str = "questions"

    @property
    def schema(self) -> pa.Schema:
        return NAMED_RECORDS

    def read(self, part: DumpPart) -> Iterator[pa.Table]:
        """Tables of NAMED_RECORDS; error rows as in `stages.io.json_files`."""
        name = self._name(part.file.uri, self._stems())
        for table in super().read(part):
            yield table.append_column(NAMED_RECORDS.field("file"), pa.array([name] * table.num_rows, pa.string()))

    def identity(self) -> Mapping[str, str]:
        """sha256 of each file under its name."""
        stems = self._stems()
        return {f"{self.kind}:{self._name(path, stems)}": file_sha256(path) for path in map(str, self.paths)}

    def _name(self, path: str, stems: Counter[str]) -> str:
        """The name of a path; files of one name and other content are told apart by their digest."""
        stem = _stem(path)
        return stem if stems[stem] == 1 else f"{stem}-{file_sha256(path)[:8]}"

    def _stems(self) -> Counter[str]:
        return Counter(_stem(str(path)) for path in self.paths)


def _stem(path: str) -> str:
    return PurePosixPath(path.replace("\\", "/")).name.partition(".")[0] or "unnamed"
