"""The words of Rich Text Format (RTF 1.9.1, "RTF Syntax"): groups, control words and symbols, text bytes, binary data.

Knows no word's meaning, save that `bin` is followed by raw bytes."""

import codecs
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n\0]+|([^\\{}\r\n\0]+)", re.DOTALL
)


_GOES_ON = re.compile(rb"[\s{]*\\(?:rtlch|ltrch|fcs|pard|par|plain|insrsid|sectd|trowd)(?![a-z])")
"""Text as programs write it, behind the end of the file's own group: Word for Mac ends one group too many behind some
equations. A file set behind this one does not begin like that."""
_TRAILS = b"\\{}"
"""Signs of the syntax that are also second bytes of characters in the codecs of `_DOUBLE`."""
_ESCAPE = b"\\'"
_FIRST_HALF = 0x81
_DOUBLE = frozenset(("cp932", "shift_jis", "cp950", "gb18030"))


class Token(NamedTuple):
    """One token; which fields are set says what it is."""

    word: str = ""
    """A control word's name, "{", "}", or a control symbol with its backslash ("\\\\~")."""
    number: int | None = None
    """The control word's parameter."""
    text: bytes = b""
    """Text in the code page of its font, or the bytes behind `bin`."""


def tokens(data: bytes, codec: Callable[[], str]) -> Iterator[Token]:
    """Every token of a file, in order; `codec` tells what text is in that is read next, whose characters may be of two
    bytes and written as they are. Total: what is not a token is passed over."""
    at, size, depth = 0, len(data), 0
    match = _TOKEN.match
    while at < size:
        found = match(data, at)
        if found is None:
            at += 1
            continue
        at = found.end()
        word, number, byte, symbol, brace, text = found.groups()
        if text is not None:
            if text[-1] >= _FIRST_HALF and _ends_within(text, data[at : at + 2], codec()):
                text, at = text + data[at : at + 1], at + 1
            yield Token(text=text)
        elif brace is not None:
            depth += 1 if brace == b"{" else -1
            if not depth and _GOES_ON.match(data, at):
                depth = 1
            else:
                yield Token("{" if brace == b"{" else "}")
        elif byte is not None:
            yield Token(text=bytes.fromhex(byte.decode()))
        elif word is not None:
            value = int(number) if number else None
            if word == b"bin":
                length = max(value or 0, 0)
                yield Token("bin", value, data[at : at + length])
                at += length
            else:
                yield Token(word.decode(), value)
        elif symbol is not None:  # a sign of the syntax may be the second byte of a character
            yield Token(text=symbol) if symbol in b"\\{}" else Token("\\" + symbol.decode("latin-1"))


def _ends_within(text: bytes, more: bytes, codec: str) -> bool:
    """Whether a text ends in the middle of a character whose other half is the first byte of what follows it."""
    if codec not in _DOUBLE or not more or more[0] not in _TRAILS or more == _ESCAPE:
        return False
    decoder = codecs.getincrementaldecoder(codec)("replace")
    decoder.decode(text)
    return bool(decoder.getstate()[0]) and "\ufffd" not in decoder.decode(more[:1])
