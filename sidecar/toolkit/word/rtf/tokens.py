"""The words of Rich Text Format (RTF 1.9.1, "RTF Syntax"): groups, control words and symbols, text bytes, binary data.

Knows no word's meaning, save that `bin` is followed by raw bytes."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n\0]+|([^\\{}\r\n\0]+)", re.DOTALL
)


class Token(NamedTuple):
    """One token; which fields are set says what it is."""

    word: str = ""
    """A control word's name, "{", "}", or a control symbol with its backslash ("\\\\~")."""
    number: int | None = None
    """The control word's parameter."""
    text: bytes = b""
    """Text in the code page of its font, or the bytes behind `bin`."""


def tokens(data: bytes) -> Iterator[Token]:
    """Every token of a file, in order. Total: what is no token is passed over."""
    at, size = 0, len(data)
    match = _TOKEN.match
    while at < size:
        found = match(data, at)
        if found is None:
            at += 1
            continue
        at = found.end()
        word, number, byte, symbol, brace, text = found.groups()
        if text is not None:
            yield Token(text=text)
        elif brace is not None:
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
        elif symbol is not None and symbol in b"\\{}":
            yield Token(text=symbol)  # it may be the second byte of a character
        elif symbol is not None:
            yield Token("\\" + symbol.decode("latin-1"))
