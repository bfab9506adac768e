"""MediaWiki XML exports (pages-articles and the like) as a source of raw pages.

Files are read in parts where their form allows (see `stages.io.ranges`); a part that starts in
the middle takes the namespaces from the head of its file. A file with a DOCTYPE is
refused whole: an export has none, and entities declared there could expand without
end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote, urlsplit
from xml.parsers import expat

import pyarrow as pa

from stages.core.canonical import PLACE
from stages.io import sample
from stages.io.compression import InputFault, open_decompressed
from stages.io.ranges import PART_BYTES, FilePart, open_part, parts_of
from stages.wikipedia.page_xml import MAX_PAGE_BYTES, DoctypeError, PageCutter, elements, parse_page
from stages.wikipedia.raw import RAW_SCHEMA, RawRow, batches, digests, error_row
from stages.wikipedia.titles import CATEGORY, FILE, MEDIA, Namespaces

MAX_HEAD_BYTES = 1024 * 1024
_NUMBER = re.compile(r"-?\d{1,9}")
WIKIPEDIA_LICENCE = "CC BY-SA 4.0"
UNSTATED = "not stated by the file"
# What MediaWiki leaves as it is in a page's address, beside letters, digits and "-_.~".
_PLAIN = ";@$!*(),/:"


@dataclass(frozen=True)
class SiteInfo:
    """What the head of an export says; `error` ("reason", "detail") where the file is no export.

    base: the wiki's address; generator: the program that wrote the file.
    """

    namespaces: Namespaces
    base: str = ""
    generator: str = ""
    error: tuple[str, str] | None = None

    @property
    def hidden(self) -> list[str]:
        """Names of the namespaces whose links show nothing in a page."""
        names = {name for number in (MEDIA, FILE, CATEGORY) for name in self.namespaces.names_of(number)}
        return sorted(names)


@dataclass(frozen=True)
class MediaWikiDump:
    """Source over MediaWiki XML exports.

    paths: local paths or URIs of .xml, .xml.bz2, .xml.gz or .xml.zst files.
    max_record_bytes: a page of more bytes (of XML, decompressed) becomes an error row.
    part_bytes: bytes of the stored file per part, where its format can be split.
    """

    paths: Sequence[str] = field(metadata=PLACE)
    max_record_bytes: int = MAX_PAGE_BYTES
    part_bytes: int = PART_BYTES
    schema: pa.Schema = field(default=RAW_SCHEMA, init=False, repr=False)

    def parts(self) -> list[FilePart]:
        return [part for path in self.paths for part in parts_of(str(path), self.part_bytes)]

    def read(self, part: FilePart) -> Iterator[pa.Table]:
        """Tables of RAW_SCHEMA, without the columns that a dump does not know (qid).

        Error reasons: not_a_dump, doctype, malformed_xml, no_title, other_model, oversized_page,
        unclosed_page, truncated_input, corrupt_input, rest_unread.

        Raises:
            StorageError: there is no such file.
        """
        yield from batches(self._rows(part))

    def _rows(self, part: FilePart) -> Iterator[RawRow]:
        site = read_siteinfo(part.uri)
        if site.error is not None:
            if part.start == 0:
                yield error_row(*site.error)
            return
        hidden, (_, licence), folder = site.hidden, _licence(site), page_folder(site.base)
        with open_part(part) as reader:
            for page in PageCutter(reader, self.max_record_bytes):
                row = parse_page(page)
                if row.get("namespace") is None and row.get("error") is None:
                    row["namespace"], _ = site.namespaces.split(row["title"])
                if row.get("error") is None:
                    row |= {"url": page_address(folder, row["title"]), "licence": licence or None}
                yield row | {"hidden": hidden}

    def identity(self) -> Mapping[str, str]:
        return digests(str(path) for path in self.paths)

    def licences(self) -> Mapping[str, str]:
        found = sorted(_licence(read_siteinfo(str(path))) for path in self.paths)
        return {source: licence or UNSTATED for source, licence in found}


def _licence(site: SiteInfo) -> tuple[str, str]:
    """Whose texts an export holds, and under which licence; "" where nobody says."""
    if sample.is_sample(site.generator):
        return sample.SOURCE, sample.LICENCE
    host = _host(site.base)
    if not host:
        return "pages of a wiki without a name", ""
    if host == "wikipedia.org" or host.endswith(".wikipedia.org"):
        return "Wikipedia", WIKIPEDIA_LICENCE
    return host, f"as stated at {site.base}"


def _host(base: str) -> str:
    """The host of an address of the web; "" of what is none."""
    try:
        found = urlsplit(base)
    except ValueError:
        return ""
    return (found.hostname or "") if found.scheme in ("http", "https") else ""


def page_folder(base: str) -> str:
    """The address that a wiki's pages stand below, told by that of its main page; "" where it tells none."""
    return base.rpartition("/")[0] if _host(base) else ""


def page_address(folder: str, title: str) -> str | None:
    """The address of a page, as the wiki itself writes it; None where it is not known under which it stands."""
    return f"{folder}/{quote(title.replace(' ', '_'), safe=_PLAIN)}" if folder else None


def read_siteinfo(uri: str) -> SiteInfo:
    """The namespaces and address in the head of an export; those of any wiki where it has no siteinfo.

    Raises:
        StorageError: there is no such file.
    """
    with open_decompressed(uri) as file:
        try:
            head = b""
            while len(head) < MAX_HEAD_BYTES and b"<page>" not in head and (data := file.read()):
                head += data
        except InputFault as fault:
            if b"<page>" not in head:
                return SiteInfo(Namespaces.of(), error=(fault.reason, str(fault)))
    return _siteinfo(head.partition(b"<page>")[0])


def _siteinfo(head: bytes) -> SiteInfo:
    try:
        found = elements(head, whole=False, deepest=4)
    except DoctypeError:
        return SiteInfo(Namespaces.of(), error=("doctype", "the file declares a DOCTYPE, which no export has"))
    except expat.ExpatError as error:
        return SiteInfo(Namespaces.of(), error=("not_a_dump", f"the head of the file is not XML: {error}"))
    root = found[0].path if found else ""
    if root != "mediawiki":
        return SiteInfo(Namespaces.of(), error=("not_a_dump", f"the root element is {root!r}, expected 'mediawiki'"))
    said = {one.path.rpartition("/")[2]: one.text.strip() for one in found}
    spaces = [(one.attributes.get("key", ""), one.text.strip()) for one in found if one.path.endswith("/namespace")]
    names = [(int(key), name) for key, name in spaces if _NUMBER.fullmatch(key)]
    return SiteInfo(Namespaces.of(names), said.get("base", ""), said.get("generator", ""))
