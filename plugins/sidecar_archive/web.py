"""Archives of web pages (WARC 1.1, ISO 28500): each page or file that a server answered with is a member, by its
address. Of one that was fetched several times the last is given; what pages are made of is listed and not opened."""

import gzip
import mimetypes
import re
import zlib
from typing import IO, Final, NamedTuple
from urllib.parse import unquote, urlsplit

from sidecar.api import DamagedError, LimitError, Limits, Source, UnsupportedError
from sidecar_archive.base import MIN_RATED, Archive, Member, number_of
from sidecar_archive.names import inside

MAGIC: Final = b"WARC/"
_MAX_HEAD: Final = 2**16
"""Bytes of the headers of a record, or of an answer; longer ones are damage."""
_USUAL_HEAD: Final = 2**12
_MAX_RECORDS: Final = 200_000
_RESPONSES: Final = ("response", "resource", "conversion")
_FOUND: Final = 200
_MADE_OF: Final = re.compile(
    r"(?:image|video|audio|font)/|text/(?:css|javascript)|application/(?:x-)?(?:java|ecma)script"
)
_SIZE_DIGITS: Final = 15
_STATUS: Final = re.compile(rb"HTTP/[\d.]+ (\d{3})")
_CHUNK_SIZE: Final = re.compile(rb"\s*([0-9a-fA-F]{1,8})[^\r\n]{0,200}\r?\n")


class _Record(NamedTuple):
    """Where the bytes of a record lie, and whether they begin with the headers of an answer."""

    start: int
    size: int
    is_answer: bool


class WarcArchive(Archive):
    """A WARC, whose records are read where they lie."""

    def __init__(self, source: Source, file: IO[bytes]) -> None:
        self._file = file
        self._name = source.name
        found: dict[str, tuple[_Record, str, str]] = {}
        is_cut = self._read(found)
        if not found:
            raise DamagedError(f"{source.name} holds no page.")
        self._records = [record for record, _, _ in found.values()]
        members = [
            Member(
                str(number), name, -1, date.removesuffix("Z"),
                "part of how a page looks" if _MADE_OF.match(kind) else "",
            )
            for number, (name, (_, kind, date)) in enumerate(found.items())
        ]  # fmt: skip
        super().__init__("warc", members, is_cut=is_cut)

    def read(self, ref: str, limits: Limits) -> bytes:
        """See `Archive.read`."""
        record = self._records[number_of(ref, len(self._records))]
        if record.size > limits.max_file_bytes:
            raise LimitError(f"A page has {record.size:,} bytes; max_file_bytes is {limits.max_file_bytes:,}.")
        self._file.seek(record.start)
        data = self._file.read(record.size)
        if not record.is_answer:
            return data
        _, heads, body = _answer(data)
        if "chunked" in heads.get("transfer-encoding", ""):
            body = _joined(body)
        return _unpacked(body, heads.get("content-encoding", "").strip(), limits)

    def _read(self, found: dict[str, tuple[_Record, str, str]]) -> bool:
        """Gathers the records by the names their pages have; whether the file ends in damage."""
        at = 0
        for _ in range(_MAX_RECORDS):
            self._file.seek(at)
            head = self._file.read(_USUAL_HEAD)
            if b"\r\n\r\n" not in head.lstrip(b"\r\n"):
                head += self._file.read(_MAX_HEAD)
            head, at = head.lstrip(b"\r\n"), at + len(head) - len(head.lstrip(b"\r\n"))
            if not head:
                return False
            end = head.find(b"\r\n\r\n")
            heads = _heads(head[: max(end, 0)])
            size = heads.get("content-length", "")
            if not head.startswith(MAGIC) or end < 0 or not size.isdecimal() or len(size) > _SIZE_DIGITS:
                return True
            start = at + end + 4
            kind = heads.get("warc-type", "")
            if kind in _RESPONSES and (address := heads.get("warc-target-uri", "").strip("<>")):
                self._add_record(found, address, _Record(start, int(size), kind == "response"), heads)
            at = start + int(size)
        return True

    def _add_record(
        self, found: dict[str, tuple[_Record, str, str]], address: str, record: _Record, heads: dict[str, str]
    ) -> None:
        kind = heads.get("content-type", "")
        if record.is_answer:
            if not kind.startswith("application/http"):
                return
            self._file.seek(record.start)
            status, answered, _ = _answer(self._file.read(min(record.size, _MAX_HEAD)))
            if status != _FOUND:
                return
            kind = answered.get("content-type", "")
        name = _member_name(address, kind.partition(";")[0].strip().lower())
        found.pop(name, None)
        found[name] = record, kind.lower(), heads.get("warc-date", "")


def _heads(data: bytes) -> dict[str, str]:
    """Headers by their names in small letters."""
    lines = data.decode("utf-8", "replace").replace("\r\n ", " ").replace("\r\n\t", " ").split("\r\n")
    pairs = (line.partition(":") for line in lines[1:])
    return {name.strip().lower(): value.strip() for name, colon, value in pairs if colon}


def _answer(data: bytes) -> tuple[int, dict[str, str], bytes]:
    """An answer's status (0 where it is none), headers and body."""
    status = _STATUS.match(data)
    head, _, body = data.partition(b"\r\n\r\n")
    return int(status[1]) if status else 0, _heads(head), body


def _joined(body: bytes) -> bytes:
    """A body sent in chunks (RFC 9112, 7.1), as far as it goes."""
    out, at = bytearray(), 0
    while (found := _CHUNK_SIZE.match(body, at)) and (size := int(found[1], 16)):
        out += body[found.end() : found.end() + size]
        at = found.end() + size
    return bytes(out) if at else body


def _unpacked(body: bytes, coding: str, limits: Limits) -> bytes:
    """A body as it was before it was packed for its way. Raises LimitError, UnsupportedError, DamagedError."""
    if coding in ("", "identity"):
        return body
    if coding not in ("gzip", "x-gzip", "deflate"):
        raise UnsupportedError(f"The page is packed with {coding}, which is not supported.")
    window = {b"\x1f": 31, b"\x78": 15}.get(body[:1], -15)  # some servers say deflate and leave its frame out
    most = min(limits.max_file_bytes, max(len(body) * limits.max_ratio, MIN_RATED))
    try:
        data = zlib.decompressobj(window).decompress(body, most + 1)
    except (zlib.error, gzip.BadGzipFile) as error:
        raise DamagedError("The page is damaged and cannot be unpacked.") from error
    if len(data) > most:
        raise LimitError(f"The page unpacks to more than {most:,} bytes.")
    return data


def _member_name(address: str, kind: str) -> str:
    """An address as a way down from the archive, with a suffix that says what is there."""
    parts = urlsplit(address) if "://" in address else None
    if parts is None:
        return inside(address)
    path = unquote(parts.path)
    path = f"{path}index" if path.endswith("/") or not path else path
    stem, dot, ending = path.rpartition("/")[2].rpartition(".")
    suffix = mimetypes.guess_extension(kind) or ""
    if parts.query:
        path += f"_{unquote(parts.query)[:80].replace('/', '_')}"
    if suffix and (parts.query or not (dot and stem and mimetypes.guess_type(f"x.{ending}")[0])):
        path += suffix
    return inside(f"{parts.hostname or ''}/{path.lstrip('/')}")
