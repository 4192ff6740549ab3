"""Open Packaging Conventions (ECMA-376 part 2): a zip of parts joined by relationships and content types (§6.5, §7.3),
read under limits. Not responsible for what any part means.

XML is parsed without entities, network or DTDs; huge text nodes are allowed, since the zip limits bound them."""

import io
import posixpath
import struct
import zipfile
import zlib
from collections.abc import Callable, Hashable, Iterator
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple, TypeVar
from urllib.parse import unquote

from sidecar.api import DamagedError, EncryptedError, LimitError, Limits, Source
from sidecar.toolkit.ole import OLE_MAGIC
from sidecar.toolkit.ooxml.namespaces import parse_part, transitional
from sidecar.toolkit.text.cut_parts import cut_parts, tell_cut
from sidecar.toolkit.xml import RATIO_FLOOR, TREE_FACTOR, XmlElement, check_tree, parse_xml
from sidecar.toolkit.zip_recovery import is_cut, recovered


class Relationship(NamedTuple):
    """One relationship; `type` is the last path segment of its type URI ("image", "chart", "hyperlink", …).

    `target` is an absolute part name without leading slash ("word/media/image1.png") or, when `external`, the URL."""

    id: str
    type: str
    target: str
    external: bool


def _read_types(data: bytes, what: str, _: str) -> tuple[dict[str, str], dict[str, str]]:
    """Content types by extension and by part name (§7.3)."""
    defaults: dict[str, str] = {}
    overrides: dict[str, str] = {}
    for node, name in _children(data, what):
        kind = node.get("ContentType", "")
        if name == "Default":
            defaults[node.get("Extension", "").lower()] = kind
        else:
            overrides[node.get("PartName", "").lstrip("/").lower()] = kind
    return defaults, overrides


def read_relationships(data: bytes, what: str, folder: str) -> dict[str, Relationship]:
    """The relationships of a part that lies in `folder` (§6.5), by id."""
    found: dict[str, Relationship] = {}
    for node, name in _children(data, what):
        if name == "Relationship":
            key, target, external = node.get("Id", ""), node.get("Target", ""), node.get("TargetMode") == "External"
            kind = node.get("Type", "").rpartition("/")[2]
            found[key] = Relationship(key, kind, target if external else _absolute(folder, target), external)
    return found


def _children(data: bytes, what: str) -> Iterator[tuple[XmlElement, str]]:
    """A root's child elements and their local names."""
    return ((node, node.tag.rpartition("}")[2]) for node in parse_part(data, what) if isinstance(node.tag, str))


@lru_cache(maxsize=4096)
def _absolute(folder: str, target: str) -> str:
    """A relationship target as a part name without leading slash (§6.2.4): the same names in file after file. What is
    but a place in the document (`#Sheet1!A1`) is no part."""
    if target.startswith("#"):
        return target
    return posixpath.normpath(posixpath.join("/" + folder, unquote(target.replace("\\", "/")))).lstrip("/")


__all__ = ["RATIO_FLOOR", "TREE_FACTOR", "Package", "Relationship", "is_encrypted"]

_AT_ONCE = 2**14  # packed bytes that cannot expand beyond 16 MB whatever their header says
_LOCAL_SIZES = struct.Struct("<HH")
_END = struct.Struct("<4s4xHHIIH")
"""The end of a zip's central directory (APPNOTE.TXT 4.3.16): its mark, how many members, those again, bytes, offset,
length of a comment."""
_ENTRY = struct.Struct("<4s2xHHH8xIIHHH8xI")
"""A member there (4.3.12): mark, version needed, flags, method, sizes packed and unpacked, lengths of name, extra field
and comment, offset."""
_VERSION_READ = 63
"""A version that all zipfile modules read."""
_UTF8 = 0x800
_ZIP64 = 0xFFFFFFFF
_CACHE_BYTES = 64 * 2**20
"""Memory for what was made of parts, reckoned as trees."""
_MAX_CACHED_BYTES = 2**19
"""Bytes of markup of a part that is worth remembering: styles take 15 to 40 kB in most documents, 340 kB in those made
from the template of python-docx, where reading them is a third of the time."""

T = TypeVar("T")


def is_encrypted(ole: bytes) -> bool:
    """Whether an OLE compound file wraps a password-protected package (MS-OFFCRYPTO 2.3.2: `EncryptedPackage`)."""
    return "EncryptedPackage".encode("utf-16-le") in ole


class _Member(NamedTuple):
    """What a zip's directory says of a member."""

    filename: str
    flag_bits: int
    compress_type: int
    compress_size: int
    file_size: int
    header_offset: int


def _member_of(info: zipfile.ZipInfo) -> _Member:
    return _Member(
        info.filename, info.flag_bits, info.compress_type, info.compress_size, info.file_size, info.header_offset
    )


def _directory(data: bytes) -> list[_Member]:
    """The members of a zip as nearly all are; none of one that takes more care: large, with a comment, with something
    before or behind it, or broken. `zipfile` takes as long for this as the slides of a small presentation do."""
    end = len(data) - _END.size
    if end < 0 or not data.startswith(b"PK\5\6", end):
        return []
    _, count, total, size, at, comment = _END.unpack_from(data, end)
    if count != total or comment or at + size != end or count * _ENTRY.size > size:
        return []
    found: list[_Member] = []
    unpack, entry_bytes = _ENTRY.unpack_from, _ENTRY.size
    for _ in range(count):
        if at + entry_bytes > end:
            return []
        mark, version, flags, method, packed, unpacked, name_size, extra, remark, offset = unpack(data, at)
        start = at + entry_bytes
        name = data[start : start + name_size]
        at = start + name_size + extra + remark
        if (
            mark != b"PK\1\2" or version > _VERSION_READ or at > end or b"\0" in name
            or _ZIP64 in (packed, unpacked, offset)
            or (extra and b"up" in data[start + name_size : at])  # another name in Unicode (4.6.9)
        ):  # fmt: skip
            return []
        shown = name.decode("ascii" if name.isascii() else "utf-8" if flags & _UTF8 else "cp437")
        found.append(_Member(shown, flags, method, packed, unpacked, offset))
    return found if at == end else []


class Package:
    """An open OPC package; of one that is cut short, what parts are there. Use as a context manager.

    Raises:
        EncryptedError: OLE-wrapped (password-protected) OOXML.
        DamagedError: not a zip, or cut short.
        LimitError: a member or the whole expands beyond the limits."""

    def __init__(self, source: Source, limits: Limits) -> None:
        source.check_size(limits)
        if source.head.startswith(OLE_MAGIC):
            if is_encrypted(source.read()):
                raise EncryptedError(f"{source.name} is protected by a password; save a copy without one to index it.")
            raise DamagedError(f"{source.name} is an old binary Office file, not an Office Open XML package.")
        try:
            self._data = source.read()
            members = _directory(self._data)
            if not members:
                if is_cut(self._data):
                    self._data = recovered(self._data, limits)
                members = [_member_of(info) for info in self._archive.infolist()]
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, struct.error) as error:
            raise DamagedError(
                f"{source.name} is cut short or damaged: it cannot be opened as the zip package that it should be."
                if source.head.startswith(b"PK")
                else f"{source.name} is another kind of file than its name says, or damaged from its beginning on."
            ) from error
        self._name = source.name
        self._limits = limits
        self._relationships: dict[str, dict[str, Relationship]] = {}
        # Part names compare without case (ECMA-376-2 §6.2.2), and some writers use back slashes.
        self._members = {_part_name(info.filename).lower(): info for info in members}
        expanded = sum([info.file_size for info in members])
        if expanded > limits.max_expanded_bytes:
            raise LimitError(
                f"{source.name} expands to {expanded:,} bytes; max_expanded_bytes is {limits.max_expanded_bytes:,}."
            )

    def __enter__(self) -> "Package":
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """Nothing is held open: the bytes are in memory."""

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._members

    def names(self, *folders: str) -> Iterator[str]:
        """Every part name as the package spells it, without leading slash; those in `folders` ("/media/", in small
        letters) alone where any is given."""
        found = self._members.items()
        if folders:
            found = [(low, info) for low, info in found if any(map(low.__contains__, folders))]
        return iter([_part_name(info.filename) for _, info in found])

    def size(self, name: str) -> int:
        """Uncompressed size of a part in bytes; 0 when it is absent."""
        info = self._members.get(name.lower())
        return info.file_size if info else 0

    def read(self, name: str, limit: int | None = None) -> bytes:
        """A part's bytes, or its first `limit`. Raises DamagedError when absent or broken, LimitError for bombs."""
        info = self._member(name)
        if info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            return self._unpacked(info, limit)
        try:
            with self._archive.open(info.filename) as member:
                # One byte past the declared size shows a lying header before memory is spent on it.
                data = member.read(info.file_size + 1 if limit is None else limit)
        except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError) as error:
            raise DamagedError(f"{self._name}: {name} is damaged and cannot be unpacked.") from error
        return data

    def shared(self, name: str, make: Callable[[bytes, str, str], T], how: str = "") -> T:
        """What `make(bytes, what, how)` makes of a part; `what` names the part in errors.

        Parts that are the same in file after file (styles, masters, content types, relationships) are told by their
        packed bytes and made into something once a process, so the result must not be changed. Only for small parts:
        others are made each time. Raises as `read` and `make` do."""
        info = self._member(name)
        self._check_tree(info)
        what = f"{self._name}: {name}"
        if info.compress_type != zipfile.ZIP_DEFLATED or info.compress_size >= _AT_ONCE:
            return make(self.read(name), what, how)
        packed = self._packed(info)
        key = (make, how, packed)
        known = _part_cache().get(key)
        if known is not None:
            return known[0]
        data = self._unpacked(info, None, packed)
        with cut_parts() as cut:
            made = make(data, what, how)
        tell_cut(*cut)
        if len(data) <= _MAX_CACHED_BYTES and not cut:  # the next file with such a part is told of too
            _part_cache().put(key, made, TREE_FACTOR * len(data) + len(packed))
        return made

    @cached_property
    def _archive(self) -> zipfile.ZipFile:
        return zipfile.ZipFile(io.BytesIO(self._data))

    def _member(self, name: str) -> _Member:
        info = self._members.get(name.lower())
        if info is None:
            raise DamagedError(f"{self._name} has no part {name}.")
        if info.file_size > RATIO_FLOOR and info.file_size > self._limits.max_ratio * max(info.compress_size, 1):
            raise LimitError(f"{self._name}: {name} expands more than max_ratio ({self._limits.max_ratio}) times.")
        return info

    def _packed(self, info: _Member) -> bytes:
        """The bytes of a member as they lie in the archive."""
        data, start = self._data, info.header_offset
        if len(data) < start + 30 or data[start : start + 4] != b"PK\3\4" or info.flag_bits & 1:
            name = f"{self._name}: {info.filename}"
            raise DamagedError(f"{name} cannot be unpacked: its header is broken or it is encrypted.")
        name_size, extra_size = _LOCAL_SIZES.unpack_from(data, start + 26)
        start += 30 + name_size + extra_size
        return data[start : start + info.compress_size]

    def _unpacked(self, info: _Member, limit: int | None, packed: bytes | None = None) -> bytes:
        """A stored or deflated member straight from the bytes: half the time of `ZipFile.open`, and tolerant of wrong
        checksums, which some writers leave and every reader of the content notices better than we could."""
        packed = self._packed(info) if packed is None else packed
        if info.compress_type == zipfile.ZIP_STORED:
            if len(packed) < info.compress_size:
                raise DamagedError(f"{self._name}: {info.filename} is cut short.")
            return packed if limit is None else packed[:limit]
        # Some writers declare wrong sizes, so small members may differ; large ones stop one byte past the declared
        # size, before memory is spent on a lie.
        most = max(info.file_size, RATIO_FLOOR) + 1 if limit is None else max(limit, 1)
        try:
            if limit is None and info.compress_size < _AT_ONCE:
                return zlib.decompress(packed, -15, min(info.file_size, RATIO_FLOOR) or 1)
            unpacker = zlib.decompressobj(-15)
            data = unpacker.decompress(packed, most)
        except zlib.error as error:
            raise DamagedError(f"{self._name}: {info.filename} is damaged and cannot be unpacked.") from error
        if limit is None and not unpacker.eof and len(data) != info.file_size:
            raise DamagedError(f"{self._name}: {info.filename} is cut short, or larger than its header declares.")
        return data

    def xml(self, name: str) -> XmlElement:
        """A part as XML, Strict namespaces already turned into Transitional ones.

        Raises:
            DamagedError: absent, broken or not XML.
            LimitError: a tree of it would not fit `max_memory_bytes`."""
        return parse_xml(self.markup(name), f"{self._name}: {name}")

    def markup(self, name: str) -> bytes:
        """The bytes `xml` parses. Raises as it does for a part that is absent, broken or too large."""
        info = self._members.get(name.lower())
        if info is not None:
            self._check_tree(info)
        data = self.read(name)
        check_tree(data, f"{self._name}: {name}", self._limits)
        return transitional(data)

    def _check_tree(self, info: _Member) -> None:
        if info.file_size > self._limits.max_memory_bytes // TREE_FACTOR:
            raise LimitError(f"{self._name}: {info.filename} is too large to read within max_memory_bytes.")

    @cached_property
    def _types(self) -> tuple[dict[str, str], dict[str, str]]:
        try:
            return self.shared("[Content_Types].xml", _read_types)
        except DamagedError:
            return {}, {}  # names and contents still tell what parts are

    def content_type(self, name: str) -> str:
        """The declared content type of a part; "" when the package declares none."""
        defaults, overrides = self._types
        return overrides.get(name.lower()) or defaults.get(posixpath.splitext(name)[1].lstrip(".").lower(), "")

    def relationships(self, name: str = "") -> dict[str, Relationship]:
        """The relationships of a part ("" for the package), by id, read once. Empty when it has none or they are
        broken; not to be changed by the caller."""
        known = self._relationships.get(name)
        if known is None:
            known = self._relationships[name] = self._read_relationships(name)
        return known

    def _read_relationships(self, name: str) -> dict[str, Relationship]:
        folder, base = posixpath.split(name)
        rels = f"{folder}/_rels/{base}.rels" if folder else f"_rels/{base}.rels"
        if rels not in self:
            return {}
        try:
            return self.shared(rels, read_relationships, folder)
        except DamagedError:
            return {}

    def related(self, name: str, kind: str) -> list[Relationship]:
        """The relationships of a part that have that type, in document order."""
        return [rel for rel in self.relationships(name).values() if rel.type == kind]

    def main_part(self) -> str:
        """The part the package's `officeDocument` relationship names. Raises DamagedError when there is none."""
        for rel in self.related("", "officeDocument"):
            if not rel.external and rel.target in self:
                return rel.target
        # Broken package relationships: the usual names still tell.
        for name in ("word/document.xml", "xl/workbook.xml", "ppt/presentation.xml"):
            if name in self:
                return name
        raise DamagedError(f"{self._name} is a zip file but holds no Office document.")


def _part_name(filename: str) -> str:
    """A member's name as a part name without leading slash."""
    return filename.replace("\\", "/").lstrip("/") if "\\" in filename or filename[:1] == "/" else filename


class PartCache:
    """What was made of parts, by key, kept for the next file: `most` bytes, the least recently used go first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0
        self._kept: dict[Hashable, tuple[Any, int]] = {}

    def get(self, key: Hashable) -> tuple[Any, int] | None:
        """`(result, size)`, or None when it is not here (any more)."""
        found = self._kept.pop(key, None)
        if found is not None:
            self._kept[key] = found
        return found

    def put(self, key: Hashable, result: Any, size: int) -> None:
        """Keep a result that takes `size` bytes, and drop as many of the oldest as that needs."""
        self._kept[key] = (result, size)
        self._held += size
        while self._held > self._most:
            _, gone = self._kept.pop(next(iter(self._kept)))
            self._held -= gone


@cache
def _part_cache() -> PartCache:
    """One for the process: a worker reads many files of one origin."""
    return PartCache(_CACHE_BYTES)
