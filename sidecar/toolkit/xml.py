"""The one place that imports lxml: untrusted XML parsed without entities, network or DTDs.

lxml ships no types, so its elements are `Any` here, once, and everything built from them is typed by the caller."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, TypeAlias

from lxml import etree as _etree  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]

from sidecar.api import DamagedError, LimitError, Limits, Source
from sidecar.toolkit.text.cut_parts import is_listening, tell_cut

etree: Any = _etree
XmlElement: TypeAlias = Any
RATIO_FLOOR: Final = 2**20
"""Bytes of what is small, and compresses a thousandfold without harm (blank sheets do)."""
TREE_FACTOR: Final = 6
"""Bytes of memory a tree takes for each byte of its markup (measured with lxml)."""
_NODE_BYTES: Final = 120
"""Bytes of memory a tree takes for each tag at least (measured with lxml: 132 to 375)."""
_MAX_PACKED_RATIO, _MIN_EXPANDED = 100, 2**24
"""What markup may expand to: this many times its packed bytes, which is more than any that says something does, or that
many bytes."""
_UNWRITABLE: Final = (
    re.compile(
        rb"&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01]|5529[6-9]|55[3-9]\d\d|56\d{3}|57[0-2]\d\d|573[0-3]\d|5734[0-3]|6553[45])"
        rb"(?!\d)|[xX]0*(?:[0-8b-cB-Ce-fE-F]|1[\da-fA-F]|[dD][89a-fA-F][\da-fA-F]{2}|[fF]{3}[e-fE-F])(?![\da-fA-F]));?"
    ),
    re.compile(rb"\xef\xbf[\xbe\xbf]"),
)
"""References to characters that XML has not (XML 1.0 §2.2; those of surrogates make a tree whose text cannot be asked
for), and U+FFFE and U+FFFF in UTF-8."""
_PAIR: Final = re.compile(
    rb"&#(?:[xX]0*([dD][89abAB][\da-fA-F]{2})|0*(5529[6-9]|55[3-9]\d\d|56[0-2]\d\d|563[01]\d));"
    rb"&#(?:[xX]0*([dD][c-fC-F][\da-fA-F]{2})|0*(563[2-9]\d|56[4-9]\d\d|57[0-2]\d\d|573[0-3]\d|5734[0-3]));"
)
"""References to the two surrogates of one character, as writers leave them that count in UTF-16."""
_TOO_DEEP: Final = "Excessive depth"
"""How libxml2 says that elements are nested more than 2,048 deep; it leaves out these and all behind them."""
_MAX_DEPTH: Final = 2_000
_MAX_WHOLE: Final = 8
"""Elements in one another that stay together where `flatten` parts what lies too deep: a record and its fields."""
_TAG: Final = re.compile(rb"""</?([^\s/<>"']+)(?:[^<>"']|"[^"]*"|'[^']*')*>""")
_UNPARSED: Final = ((b"<!--", b"-->"), (b"<![CDATA[", b"]]>"), (b"<?", b"?>"), (b"<!", b">"))
"""What begins like a tag and is none, and how it ends."""
_GZIP_MARK: Final = b"\x1f\x8b"
_NO_END, _BEHIND_END = 77, 5
"""Faults of libxml2 (xmlerror.h): an element is open at the end of the markup; something stands behind the root's."""
_TAG_BEHIND: Final = re.compile(rb"<[A-Za-z_]")


def parse_xml(data: bytes, what: str) -> XmlElement:
    """The root element of `data`; broken tails are recovered where lxml can, and `cut_parts` told of them. Huge text
    nodes are allowed, because the package limits already bound them.

    Raises:
        DamagedError: nothing can be made of the bytes; `what` names them in the message."""
    try:
        return etree.fromstring(data, _parser(recover=False))
    except (etree.XMLSyntaxError, ValueError) as fault:
        whole = _unnested(data) if _TOO_DEEP in str(fault) else data
        try:
            root = etree.fromstring(without_unwritable(whole), parser := _parser(recover=True))
        except (etree.XMLSyntaxError, ValueError) as error:
            raise DamagedError(f"{what} is not readable XML: {error}.") from error
        if root is None:
            raise DamagedError(f"{what} is not readable XML.") from None
        if is_listening() and _lacks_end(data, root, {fault.type for fault in parser.error_log}):
            tell_cut(what)
        return root


def _lacks_end(data: bytes, root: XmlElement, faults: set[int]) -> bool:
    """Whether what was recovered is less than what the markup began, or than what it goes on with: the root's end tag
    is not there, or not where it should be. Faults that lose nothing, as a sign that XML has not, are none of that."""
    name = f"{root.prefix}:{local_name(root)}" if root.prefix else local_name(root)
    if _NO_END in faults or not name.isascii():
        return _NO_END in faults
    markup = data.replace(b"\0", b"")  # UTF-16
    _, end, behind = markup.rpartition(b"</" + name.encode())
    if not end:
        return bool(len(root) or root.text or not behind.rstrip().endswith(b"/>"))
    return _BEHIND_END in faults and _TAG_BEHIND.search(behind) is not None


def _unnested(data: bytes) -> bytes:
    """The markup with elements that lie deeper than `_MAX_DEPTH` put beside one another there, so that no word of them
    is lost. Behind what is not markup nothing is changed."""
    kept, at = bytearray(), 0
    depth, inside = 0, b""  # `inside` is the element that is open at the greatest depth
    while (start := data.find(b"<", at)) >= 0:
        unparsed = next((end for begin, end in _UNPARSED if data.startswith(begin, start)), b"")
        tag = None if unparsed else _TAG.match(data, start)
        end = data.find(unparsed, start) + len(unparsed) if unparsed else tag.end() if tag else 0
        if end <= start:
            break
        piece = data[start:end]
        kept += data[at:start]
        at = end
        if tag is None or piece.endswith(b"/>"):
            kept += piece
            continue
        closes = piece.startswith(b"</")
        depth = max(depth - closes, 0)
        if inside and (closes or depth >= _MAX_DEPTH):
            kept += b"</%b>" % inside
            inside = b""
        if not closes and depth >= _MAX_DEPTH:
            inside = tag[1]
        if not closes or depth < _MAX_DEPTH:
            kept += piece
        depth += not closes
    return bytes(kept + data[at:])


def flatten(root: XmlElement, depth: int) -> bool:
    """Put elements that lie deeper in the tree than that beside one another there, in place and in their order, so that
    no word is lost; elements with few below one another (`_MAX_WHOLE`) keep what is in them. Gives whether there were
    any."""
    level = 0
    holders: list[XmlElement] = []
    for event, node in etree.iterwalk(root, events=("start", "end")):
        level += 1 if event == "start" else -1
        if level == depth and event == "start" and len(node):
            holders.append(node)
    changed = [_flatten_below(holder) for holder in holders]
    return any(changed)


def _flatten_below(holder: XmlElement) -> bool:
    kept: list[tuple[XmlElement, list[str]]] = []  # what is to stand in the holder, each with the text behind it
    open_: list[tuple[int, int]] = []  # of each open element its place there, and how deep those below it go so far
    for event, node in etree.iterwalk(holder, events=("start", "end")):
        if node is holder:
            continue
        if event == "start":
            open_.append((len(kept), 0))
            kept.append((node, []))
            continue
        at, below = open_.pop()
        if below < _MAX_WHOLE:
            del kept[at + 1 :]
            kept[at] = (node, [])
        kept[-1][1].append(node.tail or "")
        if open_:
            open_[-1] = (open_[-1][0], max(open_[-1][1], below + 1))
    if len(kept) == len(holder):
        return False
    for node, tails in reversed(kept):  # each is moved without those that were below it
        holder.insert(0, node)
        node.tail = "".join(tails)
    return True


def without_unwritable(data: bytes) -> bytes:
    """The markup without references to characters that XML has not, and those of two surrogates as one. A parser that
    recovers takes them into its tree, and no text with one can be written into a tree again."""
    references, characters = _UNWRITABLE  # each begins with what can be looked for: nine times as fast as in one
    return characters.sub(b"", references.sub(b"", _PAIR.sub(_joined, data)))


def _joined(pair: re.Match[bytes]) -> bytes:
    """The reference to the character that two surrogates stand for (UTF-16, RFC 2781 §2.2)."""
    high, low = (int(pair[at], 16) if pair[at] else int(pair[at + 1]) for at in (1, 3))
    return b"&#%d;" % (0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))


def read_xml(source: Source, limits: Limits) -> XmlElement:
    """The root element of a file, which may be compressed (gzip, RFC 1952).

    Raises:
        LimitError: larger than `limits.max_file_bytes`, or unpacked too large for a tree (see `unzipped`).
        DamagedError: it cannot be unpacked, or nothing can be made of it."""
    data = source.read(limits.max_file_bytes)
    data = unzipped(data, source.name, limits) if data.startswith(_GZIP_MARK) else data
    check_tree(data, source.name, limits)
    return parse_xml(data, source.name)


def check_tree(data: bytes, what: str, limits: Limits) -> None:
    """Raises LimitError: a tree of that markup would not fit `max_memory_bytes`; `what` names it in the message."""
    if len(data) + _NODE_BYTES * data.count(b"<") > limits.max_memory_bytes:
        raise LimitError(f"{what} is too large to read within max_memory_bytes.")


def unzipped(packed: bytes, what: str, limits: Limits) -> bytes:
    """What gzip packed (RFC 1952), of which a tree is to be made. `what` names it in messages.

    Raises:
        LimitError: a tree of it would not fit `max_memory_bytes`, or it expands beyond another limit.
        DamagedError: it cannot be unpacked."""
    from sidecar.toolkit.unpacking import unpack  # few files are packed

    most = min(
        limits.max_expanded_bytes, limits.max_memory_bytes // TREE_FACTOR,
        max(_MIN_EXPANDED, min(limits.max_ratio, _MAX_PACKED_RATIO) * len(packed)),
    )  # fmt: skip
    return unpack(packed, most, what)


def well_formed(data: bytes) -> XmlElement | None:
    """The root element of `data`; None when it is not well-formed, or not in one namespace-aware piece."""
    try:
        return etree.fromstring(data, _parser(recover=False))
    except (etree.XMLSyntaxError, ValueError):
        return None


def local_name(node: XmlElement) -> str:
    """An element's name without its namespace; "" for what is not an element, as a comment."""
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def words_of(node: XmlElement, between: str = "") -> str:
    """The text of a node and all below it, white space folded; `between` parts what stands in different nodes."""
    return " ".join(between.join(node.itertext()).split())


def outermost(root: XmlElement, *tags: str) -> Iterator[XmlElement]:
    """The elements of these tags in a tree, but for those inside another of them: what stands in those stands in the
    outer one too, and the words of thousands in one another would be taken thousands of times."""
    walk = etree.iterwalk(root, events=("start",), tag=tags)
    for _, node in walk:
        yield node
        walk.skip_subtree()


def child_of(node: XmlElement, tag: str) -> XmlElement | None:
    """The first child of that tag, None where there is none: a third of the time of `find`, which reads its argument as
    a path, where there are few children (0.7 to 2.9 µs against 5; 3.9 against 3 for one that is not among ten)."""
    for child in node:
        if child.tag == tag:
            return child
    return None


def children_by_tag(node: XmlElement) -> dict[object, XmlElement]:
    """The children of a node by their tags, the first of each."""
    return {child.tag: child for child in reversed(node)}


def children_by_name(node: XmlElement) -> dict[str, XmlElement]:
    """The elements below a node by their names without namespaces, the last of each."""
    return {child.tag.rpartition("}")[2]: child for child in node if isinstance(child.tag, str)}


def unsigned(text: str | None, default: int = 0) -> int:
    """A number without a sign as attributes write it; the default where it is none, or has more than eleven digits
    (lengths in EMU have as many)."""
    return int(text) if text and len(text) < 12 and text.isdecimal() else default


def count_of(text: str | None) -> int:
    """How often something is repeated; 1 where that is not said, or no count."""
    return (unsigned(text) if text and len(text) < 8 else 0) or 1


@cache
def _parser(recover: bool) -> Any:
    """One parser of each kind for the process: making one costs as much as parsing a small part."""
    return etree.XMLParser(
        recover=recover, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True, remove_comments=True,
        collect_ids=False,
    )  # fmt: skip
