"""A document without what would have LibreOffice open another file or an address: pictures, objects and texts that are
linked, not embedded. `without_outward_links` gives the bytes that it is handed.

LibreOffice follows some of them whatever its settings say, and where a system has no means to keep a program from
reading files (Windows, macOS, Linux without landlock), a hostile document would have a picture of the user's drawn
into its page. What a file is says its content, as LibreOffice tells it too, and what is in a package is looked at
likewise. Links that a reader follows by a click stay. Sources: OpenDocument 1.3 part 3 §19.914 (`xlink:href`), ECMA-376
part 2 §6.5.3 (relationships), RTF 1.9.1 ("Fields")."""

import io
import re
import zipfile
import zlib
from urllib.parse import unquote

from sidecar.api import DamagedError, LimitError, Limits
from sidecar.toolkit.xml import XmlElement, check_tree, etree, parse_xml, unzipped

_HREF = "{http://www.w3.org/1999/xlink}href"
_FORM_IMAGE = "{urn:oasis:names:tc:opendocument:xmlns:form:1.0}image-data"
_CLICKED = frozenset({"a", "event-listener", "bookmark"})
"""Elements whose `xlink:href` nothing opens by itself: links, and what macros are bound to, which do not run."""
_CLICKED_TYPES = ("/hyperlink", "/externalLinkPath", "/xlExternalLinkPath/xlPathMissing")
"""Relationships that nothing opens by itself; a workbook keeps the values of those to other workbooks."""
_NOWHERE = "about:blank"
_STEPS = re.compile(r"[/\\]")
_SCHEME = re.compile(r"\w[\w+.-]*:")
_FIELD = re.compile(
    rb"\\fldinst(?![a-z])(?=(?:[\s{]|\\(?:rtlch|ltrch|fcs|a?fs?|hich|loch|dbch|b|i|ul|cf|kerning|lang|langfe|langnp|langfenp|noproof"
    rb"|insrsid|charrsid|cgrid|plain)-?\d*){0,200}+([A-Za-z]*))"
)
"""The instruction of a field, with the first word of it behind what says how that looks."""
_PLAIN_FIELDS = frozenset(
    b"PAGE NUMPAGES SECTION SECTIONPAGES PAGEREF REF HYPERLINK TOC TC SEQ XE INDEX DATE TIME CREATEDATE SAVEDATE "
    b"PRINTDATE AUTHOR TITLE SUBJECT KEYWORDS FILENAME SYMBOL EQ FORMTEXT FORMCHECKBOX FORMDROPDOWN STYLEREF "
    b"NOTEREF".split()
)
"""Fields of RTF that open nothing; of all others the result is drawn that is stored."""
_LINKED = re.compile(rb"\\(?:objlink|objautlink|objsub|objicemb|import|template|filetbl|nextfile|pibName)(?![a-z])")
SVG_REACHES_OUT = re.compile(
    rb"""<!ENTITY|<!DOCTYPE[^>]*\[|@import|(?:href|src)\s*=\s*["'](?!\s*(?:#|data:))"""
    rb"""|url\(\s*["']?(?!\s*(?:#|data:|["']))""",
    re.IGNORECASE,
)
"""What in an SVG, written in ASCII, could make a program open a file or an address: a hostile one would have ours shown
to the model."""
_EMPTY_SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
_GZIP = b"\x1f\x8b"
_OLE = b"\xd0\xcf\x11\xe0"
_MARKS = b"\xef\xbb\xbf\xff\xfe\0 \t\r\n"
"""What may stand before the first sign of a text: marks of byte order, halves of UTF-16, white space."""
_CONCERNED = (b"href", b"image-data", b"imagedata", b"Relationship", b"svg")
"""Names without one of which no XML leads out; they are written so in all encodings that keep ASCII."""
_DECLARED = re.compile(rb"<\?xml[^>]*encoding\s*=\s*[\"'](?!utf-8|us-ascii|iso-8859-|windows-125)", re.IGNORECASE)
_HEAD = 4096
_DEPTH = 3
"""Packages in one another that are looked into; a deeper one is left out."""


def without_outward_links(data: bytes, limits: Limits) -> bytes:
    """The document without what leads out of it; the same bytes where nothing does, or where they are of a kind that is
    neither RTF, XML nor a package of such (binary files of Office, whose links LibreOffice's settings stop).

    Raises LimitError: it expands beyond `limits`."""
    return _cleaned(data, limits, _DEPTH)


def _cleaned(data: bytes, limits: Limits, depth: int) -> bytes:
    if data.startswith(_OLE):
        return data
    if zipfile.is_zipfile(io.BytesIO(data)):  # whatever stands before the package
        return _package(data, limits, depth) if depth else b""
    begin = data[:_HEAD].lstrip(_MARKS)
    if begin.startswith(b"{\\rt"):
        return _rtf(data)
    return _xml(data, limits) if data.startswith(_GZIP) or begin.startswith(b"<") else data


def _rtf(data: bytes) -> bytes:
    """Fields that may open something lose their instruction, and linked objects and pictures their kind: what is behind
    a control word that nobody knows is passed over where it says so (`\\*`), and else stands as the text it is."""

    def instruction(found: re.Match[bytes]) -> bytes:
        return found[0] if found[1].upper() in _PLAIN_FIELDS else rb"\fldgone"

    return _LINKED.sub(lambda found: b"\\" + b"x" * (len(found[0]) - 1), _FIELD.sub(instruction, data))


def _xml(data: bytes, limits: Limits) -> bytes:
    try:
        plain = unzipped(data, "The document", limits) if data.startswith(_GZIP) else data
        if not plain[:_HEAD].lstrip(_MARKS).startswith(b"<"):  # a metafile, as packages have them
            return data
        is_ascii = b"\0" not in plain[:_HEAD] and not _DECLARED.match(plain.lstrip(_MARKS))
        if is_ascii and not any(name in plain for name in _CONCERNED):
            return data
        check_tree(plain, "The document", limits)
        root = parse_xml(plain, "The document")
    except DamagedError:
        return b""
    changed = [_sealed(node) for node in root.iter("*")]
    if root.tag.rpartition("}")[2] == "svg" and SVG_REACHES_OUT.search(etree.tostring(root.getroottree())):
        return _EMPTY_SVG
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8") if any(changed) else data


def _sealed(node: XmlElement) -> bool:
    """Whether what leads out of an element has been taken from it."""
    name = node.tag.rpartition("}")[2]
    if name == "Relationship":
        kind = node.get("Type", "")
        if node.get("TargetMode") != "External" or kind.endswith(_CLICKED_TYPES):
            return False
        node.set("Target", _NOWHERE)
        return True
    led = [key for key in (_HREF, _FORM_IMAGE) if _leads_out(node.get(key, ""))] if name not in _CLICKED else []
    led += ["src"] if name == "imagedata" and _leads_out(node.get("src", "")) else []  # of VML
    for key in led:
        del node.attrib[key]
    return bool(led)


def _leads_out(reference: str) -> bool:
    """Whether a reference is not to a part of the package, of this or another, nor holds its data."""
    reference = unquote(reference.strip())
    if reference.startswith(("#", "data:")):
        return False
    return reference.startswith(("/", "\\")) or bool(_SCHEME.match(reference)) or ".." in _STEPS.split(reference)


def _package(data: bytes, limits: Limits, depth: int) -> bytes:
    """The package with each part cleaned, one of each name: which of two is read would be LibreOffice's choice. What
    cannot be unpacked is left out."""
    out = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(out, "w") as made:
            entries = {entry.filename: entry for entry in given.infolist()}
            if sum(entry.file_size for entry in entries.values()) > limits.max_expanded_bytes:
                raise LimitError(f"The document expands beyond max_expanded_bytes ({limits.max_expanded_bytes:,}).")
            changed = len(entries) < len(given.infolist())
            for entry in entries.values():
                part = _unpacked(given, entry)
                cleaned = b"" if part is None else _cleaned(part, limits, depth - 1)
                changed = changed or cleaned is not part
                packed = zipfile.ZIP_STORED if entry.compress_type == zipfile.ZIP_STORED else zipfile.ZIP_DEFLATED
                if part is not None:
                    made.writestr(entry.filename, cleaned, packed, compresslevel=1)
    except zipfile.BadZipFile:
        return b""
    return out.getvalue() if changed else data


def _unpacked(package: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes | None:
    try:
        return package.read(entry)
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError, NotImplementedError):
        return None  # RuntimeError: encrypted
