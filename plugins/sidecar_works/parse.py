"""Reads the text of Publisher publications and Works documents, and the pictures of publications.

Layout and looks are left out: what hangs together is a paragraph, in the order of the file. After what the projects
Apache POI (HPBF), libwps and libmspub found out; the formats' maker has published none of them."""

import re
import struct
from collections.abc import Iterator

from sidecar.api import DamagedError, Limits, ParsedDocument, Part, Payload, Source, UnsupportedError
from sidecar.api.model import AnyBlock, Figure, Paragraph
from sidecar.toolkit.markup.chapters import elements_of, place_embeds
from sidecar.toolkit.metafiles.figures import with_drawn_words
from sidecar.toolkit.ole import OLE_MAGIC
from sidecar.toolkit.ole.compound import Compound, damage_errors
from sidecar.toolkit.ole.officeart import picture, records
from sidecar.toolkit.ole.properties import read_properties
from sidecar.toolkit.text import cut_notice, without_surrogates
from sidecar.toolkit.word.embeds import StoryEmbeds

_QUILL = (b"CHNKINK ", b"CHNKWKS ")
_FIRST_TABLE = 0x18
"""Where the first table of a Quill stream's chunks stands: its size, how many entries, where the next table is."""
_ENTRY = struct.Struct("<H4s6x4sII")
"""Of a table: its own size, a name, its kind, where the chunk begins and how long it is."""
_MAX_TABLES = 1_000
_WORKS_TEXT, _WORKS_END = 0x100, 0x26
"""Where the text of Works 2 to 4 begins, and where it says that it ends."""
_WORKS_DOS = b"\x01\xfe"
_SPLIT = re.compile("[\r\n\x0b\x0c\x0e]+|\x00{2,}")
_SIGNS = re.compile("[\x00-\x08\x0f-\x1f\ufffc]")


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The text as a document of one chapter. Raises FormatError."""
    data = source.read(limits.max_file_bytes)
    compound = _compound(data, source.name)
    embeds = StoryEmbeds(limits.max_embedded)
    text = _text(data, source.name) if compound is None else _compound_text(compound, source.name)
    metadata = read_properties(compound) if compound is not None else {}
    title = metadata.pop("title", "")
    blocks: list[AnyBlock] = [Paragraph(text=paragraph) for paragraph in _paragraphs(text[: limits.max_text_chars])]
    blocks += _pictures(compound, embeds)
    notices = [*embeds.pictures.notices()]
    if len(text) > limits.max_text_chars:
        notices.append(cut_notice(limits.max_text_chars))
    parts = (Part(kind="chapter", title=title, blocks=tuple(blocks)),) if blocks else ()
    embedded = embeds.pictures.embedded
    document = ParsedDocument(
        title=title, description=metadata.pop("description", ""), metadata=metadata, parts=parts,
        elements=elements_of(parts, embedded), embedded=place_embeds(parts, embedded), notices=tuple(notices),
    )  # fmt: skip
    return with_drawn_words(document, embeds.files.__getitem__)


def open_embedded(source: Source, ref: str, limits: Limits) -> Payload:
    """The picture of that name. Raises NotFoundError, FormatError."""
    embeds = StoryEmbeds(limits.max_embedded)
    _pictures(_compound(source.read(limits.max_file_bytes), source.name), embeds)
    return embeds.open(ref, source.name)


def _compound(data: bytes, name: str) -> Compound | None:
    """The compound file, None for a file that is none. Raises DamagedError."""
    if not data.startswith(OLE_MAGIC):
        return None
    with damage_errors(name):
        return Compound(data)


def _compound_text(compound: Compound, name: str) -> str:
    """Raises DamagedError, UnsupportedError."""
    for path in (("Quill", "QuillSub"), ()):
        stream = compound.stream_in(path, "CONTENTS") or b""
        if stream.startswith(_QUILL):
            return "\r".join(_chunks(stream, b"TEXT"))
    works = compound.stream_in((), "MN0")
    if works is not None:
        return _works(works)
    if "\x03Internal" in compound:
        raise UnsupportedError(f"{name} was written by Publisher 97 or older; save it as PDF to index it.")
    raise DamagedError(f"{name} is a compound file without text of Publisher or Works.")


def _text(data: bytes, name: str) -> str:
    """Of what is not a compound file. Raises DamagedError."""
    if not data.startswith(_WORKS_DOS):
        raise DamagedError(f"{name} is not a Publisher or Works document, whatever its name says.")
    return _works(data)


def _works(stream: bytes) -> str:
    end = int.from_bytes(stream[_WORKS_END : _WORKS_END + 4], "little")
    return stream[_WORKS_TEXT:end].decode("cp850" if stream.startswith(_WORKS_DOS) else "cp1252", "replace")


def _chunks(stream: bytes, wanted: bytes) -> Iterator[str]:
    """The chunks of that kind in a Quill stream, as texts."""
    table, seen = _FIRST_TABLE, set[int]()
    while table + 8 <= len(stream) and table not in seen and len(seen) < _MAX_TABLES:
        seen.add(table)
        count, following = struct.unpack_from("<2xHI", stream, table)
        for at in range(table + 8, min(table + 8 + count * _ENTRY.size, len(stream) - _ENTRY.size + 1), _ENTRY.size):
            size, name, kind, start, length = _ENTRY.unpack_from(stream, at)
            if size == _ENTRY.size and wanted in (name, kind) and start >= _FIRST_TABLE:
                yield stream[start : start + length].decode("utf-16-le", "replace")
        table = following


def _paragraphs(text: str) -> Iterator[str]:
    for line in _SPLIT.split(text):
        shown = without_surrogates(_SIGNS.sub("", line)).strip()
        if shown:
            yield shown


def _pictures(compound: Compound | None, embeds: StoryEmbeds) -> list[Figure]:
    """The pictures of a publication, which stand apart from its text."""
    found: list[Figure] = []
    for record in records(compound.stream_in(("Escher",), "EscherDelayStm") or b"" if compound is not None else b""):
        packed = struct.pack("<HHI", record.instance << 4 | record.version, record.kind, len(record.content))
        file = picture(packed + record.content)
        figure = embeds.add(file[0], file[1], "", "") if file is not None else None
        found += [figure] if figure is not None else []
    return found
