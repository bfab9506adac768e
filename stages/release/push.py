"""Uploads a release to a dataset repository of the Hugging Face Hub, as one commit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
from huggingface_hub.errors import HfHubHTTPError, HFValidationError
from huggingface_hub.utils import validate_repo_id

from stages.release.export import LISTING, files_in, listed_files
from stages.release.format import ReleaseError


@dataclass(frozen=True)
class Upload:
    """repository: "owner/name" on the Hub; files: bytes by path inside the release's folder."""

    repository: str
    folder: Path
    private: bool
    files: Mapping[str, int]

    def lines(self) -> list[str]:
        """What a dry run says: a line a file, and one in all."""
        kind = "private" if self.private else "public"
        total = f"{len(self.files):,} files, {sum(self.files.values()):,} bytes"
        return [
            *(f"{size:>12,}  {path}" for path, size in self.files.items()),
            f"{total} to {self.repository} ({kind})",
        ]


def need_repository(repository: str) -> None:
    """Raises ReleaseError: the name is none of a repository."""
    try:
        validate_repo_id(repository)
    except HFValidationError as error:
        raise ReleaseError(f"--push-to-hub {repository}: expected owner/name: {error}") from error
    if "/" not in repository:
        raise ReleaseError(f"--push-to-hub {repository}: expected owner/name, as the Hub calls a repository")


def plan_upload(folder: Path, repository: str, private: bool = False) -> Upload:
    """All files of the release in a folder; asks nobody. Raises ReleaseError: the name is none of a repository."""
    need_repository(repository)
    paths = [*files_in(folder), Path(LISTING)]
    return Upload(repository, folder, private, {path.as_posix(): (folder / path).stat().st_size for path in paths})


def push(upload: Upload) -> str:
    """Makes the repository where it is missing and uploads the release as one commit; returns the commit's address.

    Files of an earlier release that this one has not are taken away; any others in the repository stay.
    The hub is that of the environment: HF_ENDPOINT, else the public one.

    Raises ReleaseError: the hub refuses or cannot be reached; nothing of the release is there then.
    """
    api = HfApi()
    name = upload.repository
    try:
        api.create_repo(name, repo_type="dataset", private=upload.private, exist_ok=True)
        gone = sorted(set(_earlier(api, name)) - upload.files.keys())
        added = [CommitOperationAdd(path, upload.folder / path) for path in upload.files]
        taken = [CommitOperationDelete(path) for path in gone]
        made = api.create_commit(name, [*added, *taken], commit_message="Release by Benchwright", repo_type="dataset")
    except (HfHubHTTPError, OSError) as error:
        raise ReleaseError(
            f"--push-to-hub {name}: {' '.join(str(error).split())} `hf auth login` or HF_TOKEN says who you are, "
            "HF_ENDPOINT which hub is meant"
        ) from error
    return str(made.commit_url)


def _earlier(api: HfApi, name: str) -> Sequence[str]:
    """The files of the release that the repository holds, as far as they are still there."""
    there = set(api.list_repo_files(name, repo_type="dataset"))
    if LISTING not in there:
        return []
    listing = Path(api.hf_hub_download(name, LISTING, repo_type="dataset"))
    return [path for path in listed_files(listing) if path in there]
