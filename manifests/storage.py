"""The one filesystem layer: local folders, `s3://` and `gs://`, all through pyarrow.fs.

Nothing above this module knows where a root lives. No operation renames on an object
store: a file is put there in one piece, and appears whole or not at all. On a local
disk the same promise is kept by writing beside the target and replacing it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

import pyarrow as pa
from pyarrow import fs

from manifests.secrets import Masked

_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_SCHEMES = ("s3", "gs", "gcs", "file")
_OBJECT_STORES = ("s3", "gcs")
_CHUNK = 1 << 20


class StorageError(Masked):
    """A path cannot be read or written; the message names it and what helps."""


@dataclass(frozen=True)
class Storage:
    """A folder on some filesystem; every path given to it is relative to that folder.

    Picklable, so that workers elsewhere can be handed the same folder.
    """

    filesystem: fs.FileSystem
    base: str

    @classmethod
    def at(cls, uri: str | Path) -> Storage:
        """The folder at a local path or a URI; it need not exist yet.

        Raises:
            StorageError: an unknown scheme, or a URI that the filesystem refuses.
        """
        filesystem, base = _resolve(str(uri))
        return cls(filesystem, base.rstrip("/"))

    @property
    def is_local(self) -> bool:
        return isinstance(self.filesystem, fs.LocalFileSystem)

    def full(self, path: str) -> str:
        """The absolute path of a relative one; a path that leaves the folder is refused."""
        parts = path.split("/")
        if path.startswith("/") or ".." in parts or "\x00" in path or "\\" in path:
            raise StorageError(f"{path!r}: not a path inside {self.base}")
        return f"{self.base}/{path}" if path else self.base

    def sub(self, path: str) -> Storage:
        return Storage(self.filesystem, self.full(path))

    def read_bytes(self, path: str) -> pa.Buffer:
        """Raises StorageError: there is no such file, or it is a pipe or the like, which might never end."""
        with self.open_input(path) as file:
            return file.read_buffer()

    def open_input(self, path: str) -> pa.NativeFile:
        """A seekable file for reading; raises as `read_bytes`."""
        if self.is_local and self.size(path) is None:
            # Opening a pipe waits for whoever writes to it.
            raise StorageError(f"{self.full(path)}: {'not a file' if self.is_blocked(path) else 'no such file'}")
        try:
            return self.filesystem.open_input_file(self.full(path))
        except FileNotFoundError as error:
            raise StorageError(f"{self.full(path)}: no such file") from error

    def write_bytes(self, path: str, data: bytes | pa.Buffer, durable: bool = False) -> None:
        """Writes a whole file, atomically. durable: survive a power cut, not only a kill.

        Raises:
            StorageError: the disk is full, the folder cannot be written, the store refuses.
        """
        target = self.full(path)
        try:
            if self.is_local:
                _replace_file(Path(target), data, durable)
            else:
                self._put(target, data)
        except OSError as error:
            raise StorageError(f"{target}: cannot be written ({error}); choose another --root or free space") from error

    def _put(self, target: str, data: bytes | pa.Buffer) -> None:
        # Object stores have no folders, and asking for one costs a request per level of the path.
        if self.filesystem.type_name not in _OBJECT_STORES:
            self.filesystem.create_dir(target.rsplit("/", 1)[0], recursive=True)
        with self.filesystem.open_output_stream(target) as stream:
            stream.write(data)

    def size(self, path: str) -> int | None:
        """Bytes of a file; None where there is no such file."""
        info = self.filesystem.get_file_info(self.full(path))
        return info.size if info.type == fs.FileType.File else None

    def exists(self, path: str) -> bool:
        return self.size(path) is not None

    def is_folder(self, path: str) -> bool:
        return bool(self.filesystem.get_file_info(self.full(path)).type == fs.FileType.Directory)

    def is_blocked(self, path: str) -> bool:
        """Whether something else than a file stands at a path, such as a folder or a pipe."""
        return self.filesystem.get_file_info(self.full(path)).type not in (fs.FileType.File, fs.FileType.NotFound)

    def files(self, path: str = "") -> list[str]:
        """Relative paths of all files below a folder, sorted; no link to a folder is followed."""
        prefix = len(self.base) + 1
        return sorted(file.path[prefix:] for file in self._below(path))

    def folders(self, path: str = "", links: bool = True) -> list[str]:
        """Names of the folders directly inside a folder, sorted. links: whether links to folders count.

        What no path can name here, as nothing that was written here, is left out.
        """
        target = self.full(path)
        if self.is_local:
            inside = _scanned(target)
            return sorted(entry.name for entry in inside if _is_folder(entry, links))
        found = self.filesystem.get_file_info(fs.FileSelector(target, allow_not_found=True))
        return sorted(info.base_name for info in found if info.type == fs.FileType.Directory)

    def names(self, path: str = "") -> list[str]:
        """Names of the files directly inside a folder, whatever they are.

        Raises:
            StorageError: one is not UTF-8: no manifest and no terminal could name it.
        """
        target = self.full(path)
        if not self.is_local:
            found = self.filesystem.get_file_info(fs.FileSelector(target, allow_not_found=True))
            return [info.base_name for info in found if info.type == fs.FileType.File]
        with os.scandir(target) as inside:
            names = [entry.name for entry in inside if entry.is_file()]
        if odd := next((name for name in names if not is_unicode(name)), None):
            raise StorageError(f"the name of the file {os.fsencode(odd)!r} is not UTF-8; rename it")
        return names

    def changed(self, path: str) -> datetime | None:
        """When the newest file below a folder was last changed; None where there is none."""
        return max((file.modified for file in self._below(path)), default=None)

    def _below(self, path: str) -> Iterator[_File]:
        target = self.full(path)
        if self.is_local:
            yield from _walked(target)
            return
        for info in self.filesystem.get_file_info(fs.FileSelector(target, allow_not_found=True, recursive=True)):
            if info.type == fs.FileType.File:
                yield _File(info.path, info.mtime.astimezone(UTC) if info.mtime else datetime.min.replace(tzinfo=UTC))

    def link_above(self, path: str) -> str | None:
        """The outermost link among the folders below the root that lead to a path; what lies behind may be others'."""
        above = [] if not self.is_local else [*reversed(PurePosixPath(path).parents)][1:]
        return next((str(folder) for folder in above if Path(self.full(str(folder))).is_symlink()), None)

    def delete_file(self, path: str) -> None:
        """Of a link only the link itself goes.

        Raises:
            FileNotFoundError: it is gone already.
            StorageError: it may not be removed.
        """
        with _removing(self.full(path)):
            if self.is_local:
                Path(self.full(path)).unlink()
            else:
                self.filesystem.delete_file(self.full(path))

    def delete_folder(self, path: str) -> None:
        """Removes a folder and all in it; nothing happens where there is none. Of a link only the link itself goes.

        Raises:
            FileNotFoundError: something in it was removed meanwhile.
            StorageError: it may not be removed.
        """
        target = self.full(path)
        with _removing(target):
            if self.is_local and Path(target).is_symlink():
                Path(target).unlink()
            elif self.is_folder(path):
                # pyarrow's own would remove what a link inside leads to.
                shutil.rmtree(target) if self.is_local else self.filesystem.delete_dir(target)


@contextmanager
def _removing(target: str) -> Iterator[None]:
    """The system's own message names a file without its folder."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        said = error.strerror or error
        raise StorageError(f"{target}: cannot be removed ({said}); check who may write there") from error


@dataclass(frozen=True)
class _File:
    path: str
    modified: datetime


def _walked(folder: str) -> Iterator[_File]:
    """The files below a local folder. Links to folders are not followed: they may lead anywhere, and in circles."""
    for entry in _scanned(folder):
        if entry.is_dir(follow_symlinks=False):
            yield from _walked(entry.path)
        elif entry.is_file():
            yield _File(entry.path, datetime.fromtimestamp(entry.stat().st_mtime, UTC))


def _is_folder(entry: os.DirEntry[str], links: bool) -> bool:
    try:
        return entry.is_dir(follow_symlinks=links)
    except OSError:
        # A link that leads to itself.
        return False


def _scanned(folder: str) -> list[os.DirEntry[str]]:
    """What stands in a local folder and has a name that a path here can have; nothing where there is no such folder."""
    try:
        with os.scandir(folder) as found:
            return [entry for entry in found if is_unicode(entry.name) and "\\" not in entry.name]
    except (FileNotFoundError, NotADirectoryError):
        return []


def is_unicode(name: str) -> bool:
    """Whether a name on a disk is UTF-8, as everything is that this project writes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def open_input(uri: str) -> BinaryIO:
    """A seekable binary file for a single local path or URI.

    Raises:
        StorageError: there is no such file, or the scheme is unknown.
    """
    filesystem, path = _resolve(uri)
    if isinstance(filesystem, fs.LocalFileSystem) and filesystem.get_file_info(path).type == fs.FileType.Unknown:
        raise StorageError(f"{uri}: not a regular file; a pipe can be read only once, so write it to a file first")
    try:
        # NativeFile has all of BinaryIO that readers use; pyarrow does not say so in its types.
        return cast(BinaryIO, filesystem.open_input_file(path))
    except (FileNotFoundError, IsADirectoryError) as error:
        raise StorageError(f"{uri}: no such file; check --source") from error


def size(uri: str) -> int:
    """Bytes of a single file at a local path or URI."""
    filesystem, path = _resolve(uri)
    info = filesystem.get_file_info(path)
    if info.type != fs.FileType.File:
        raise StorageError(f"{uri}: no such file; check --source")
    return int(info.size)


@dataclass(frozen=True)
class Stamp:
    """What tells one state of a file from a later one without reading it. inode: "" in an object store.

    version: an object's generation or ETag, of stores whose times are whole seconds; "" on a disk.
    The time of the last change of a file's name or mode is left out: a backup that links to the file changes it.
    """

    bytes: int
    modified: int
    inode: str = ""
    version: str = ""


def stamp(uri: str) -> Stamp:
    """The state of a single file at a local path or URI.

    Raises:
        StorageError: there is no such file, or the scheme is unknown.
    """
    filesystem, path = _resolve(uri)
    info = filesystem.get_file_info(path)
    if info.type != fs.FileType.File:
        raise StorageError(f"{uri}: no such file; check --source")
    if not isinstance(filesystem, fs.LocalFileSystem):
        return Stamp(info.size, info.mtime_ns, version=_version(filesystem, path))
    found = Path(path).stat()
    return Stamp(found.st_size, found.st_mtime_ns, f"{found.st_dev}:{found.st_ino}")


def _version(filesystem: fs.FileSystem, path: str) -> str:
    """The generation of an object, or else its ETag; "" where the store tells neither."""
    # Of a seekable file pyarrow waits for ever for what Google's store says of it.
    with filesystem.open_input_stream(path) as stream:
        told = {name.lower(): value.decode() for name, value in (stream.metadata() or {}).items()}
    return next((told[name] for name in ("generation", "etag") if told.get(name)), "")


def file_sha256(uri: str) -> str:
    """sha256 of a single file at a local path or URI, read in pieces.

    Raises:
        StorageError: there is no such file, or the scheme is unknown.
    """
    digest = hashlib.sha256()
    with open_input(uri) as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _resolve(uri: str) -> tuple[fs.FileSystem, str]:
    if not _SCHEME.match(uri):
        return fs.LocalFileSystem(), str(Path(uri).expanduser().absolute())
    scheme = uri.split("://", 1)[0].lower()
    if scheme not in _SCHEMES:
        raise StorageError(f"{uri}: unknown scheme {scheme!r}; expected a local path, s3:// or gs://")
    try:
        filesystem, path = fs.FileSystem.from_uri(uri)
    except (ValueError, OSError, pa.ArrowException) as error:
        raise StorageError(f"{uri}: not a usable address ({error})") from error
    if not path.strip("/") and filesystem.type_name in _OBJECT_STORES:
        raise StorageError(f"{uri}: not a usable address (it names no bucket)")
    return filesystem, path


def _replace_file(target: Path, data: bytes | pa.Buffer, durable: bool) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f".{target.name}.{uuid.uuid4().hex[:12]}")
    try:
        with beside.open("wb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        beside.replace(target)
        if durable:
            _sync_folder(target.parent)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _sync_folder(folder: Path) -> None:
    """A new name survives a power cut only when its folder is written out too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
