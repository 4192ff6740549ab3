"""What stands in an opaque signed S/MIME message (RFC 8551, 3.5.2): the content of a CMS SignedData (RFC 5652, 5.1),
in BER. Whether the signature is right is not looked at."""

from collections.abc import Iterator
from typing import NamedTuple

_SIGNED_DATA, _ENVELOPED_DATA = bytes.fromhex("2A864886F70D010702"), bytes.fromhex("2A864886F70D010703")
_SEQUENCE, _EXPLICIT = 0x30, 0xA0
_CONSTRUCTED, _INDEFINITE = 0x20, 0x80
_MAX_DEPTH = 16
_MAX_PIECES = 200_000
"""A signed message comes in pieces of a thousand bytes or more."""


class _DerElement(NamedTuple):
    tag: int
    start: int
    """Where its content begins, and where that ends."""
    end: int
    after: int


def is_signed(head: bytes) -> bool:
    """Whether bytes begin a SignedData."""
    return head[:1] == bytes([_SEQUENCE]) and _SIGNED_DATA in head[:32]


def is_enveloped(head: bytes) -> bool:
    """Whether bytes begin an EnvelopedData: what is in it is encrypted."""
    return head[:1] == bytes([_SEQUENCE]) and _ENVELOPED_DATA in head[:32]


def signed_content(data: bytes) -> bytes:
    """What was signed; b"" where that is kept elsewhere, or the bytes are something else or damaged."""
    try:
        return _content(data) if is_signed(data) else b""
    except (IndexError, ValueError, StopIteration):
        return b""


def _content(data: bytes) -> bytes:
    outer = list(_inside(data, _element(data, 0)))
    signed = next(_inside(data, outer[1]))
    held = next(one for one in _inside(data, signed) if one.tag == _SEQUENCE)
    wrapped = [one for one in _inside(data, held) if one.tag == _EXPLICIT]
    return b"".join(_octets(data, one, 0) for one in _inside(data, wrapped[0])) if wrapped else b""


def _octets(data: bytes, element: _DerElement, depth: int) -> bytes:
    """An octet string, which may come in pieces."""
    if not element.tag & _CONSTRUCTED:
        return data[element.start : element.end]
    if depth > _MAX_DEPTH:
        raise ValueError
    return b"".join(_octets(data, one, depth + 1) for one in _inside(data, element))


def _inside(data: bytes, element: _DerElement) -> Iterator[_DerElement]:
    at = element.start
    for _ in range(_MAX_PIECES):
        if at >= element.end:
            return
        found = _element(data, at)
        yield found
        at = found.after


def _element(data: bytes, at: int, depth: int = 0) -> _DerElement:
    """The element that begins there (X.690, 8.1). Raises IndexError, ValueError."""
    tag, size = data[at], data[at + 1]
    start = at + 2
    if size == _INDEFINITE:
        end = _end(data, start, depth)
        return _DerElement(tag, start, end, end + 2)
    if size > _INDEFINITE:
        count = size - _INDEFINITE
        size = int.from_bytes(data[start : start + count], "big")
        start += count
    end = min(start + size, len(data))
    return _DerElement(tag, start, end, end)


def _end(data: bytes, at: int, depth: int) -> int:
    """Where two zeros end the content that begins there."""
    if depth > _MAX_DEPTH:
        raise ValueError
    for _ in range(_MAX_PIECES):
        if data[at : at + 2] == b"\0\0":
            return at
        at = _element(data, at, depth + 1).after
    raise ValueError
