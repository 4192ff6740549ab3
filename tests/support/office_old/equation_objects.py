"""Writes equation objects of MathType and Equation Editor for tests, record by record, in version 3 or 5 of MTEF."""

import struct
from collections.abc import Sequence
from typing import NamedTuple

from contract.containers import compound_file

__all__ = ["FUNCTION", "TEXT", "Equations", "equation_object"]

TEXT, FUNCTION, VARIABLE, SYMBOL, NUMBER = 1, 2, 3, 6, 8


class Equations(NamedTuple):
    """The records of one version."""

    version: int

    def char(self, letter: str, face: int = 0, marks: Sequence[int] = ()) -> bytes:
        """A character, with marks that are embellishments of it."""
        face = face or (NUMBER if letter.isdigit() else VARIABLE if letter.isalpha() else SYMBOL)
        options = (1 if self.version == 5 else 2) if marks else 0
        ended = b"".join(self._head(6) + bytes([mark]) for mark in marks) + b"\0" if marks else b""
        return self._head(2, options) + bytes([face + 128]) + struct.pack("<H", ord(letter)) + ended

    def chars(self, text: str, face: int = 0) -> bytes:
        """Characters one after the other."""
        return b"".join(self.char(letter, face) for letter in text)

    def line(self, *inside: bytes) -> bytes:
        """A slot."""
        return self._head(1) + b"".join(inside) + b"\0"

    def empty(self) -> bytes:
        """A slot that holds nothing."""
        return self._head(1, 1)

    def template(self, selector: int, variation: int, *slots: bytes) -> bytes:
        """A template and its slots, between which sizes change."""
        return self._head(3) + bytes([selector, variation, 0]) + b"\x0b".join(slots) + b"\0"

    def pile(self, *lines: bytes) -> bytes:
        """Lines one below the other."""
        return self._head(4) + b"\x01\x01" + b"".join(lines) + b"\0"

    def matrix(self, columns: int, *cells: bytes) -> bytes:
        """Cells, row after row."""
        rows = len(cells) // columns
        parts = bytes((2 * (rows + 1) + 7) // 8) + bytes((2 * (columns + 1) + 7) // 8)
        return self._head(5) + b"\x01\x02\x00" + bytes([rows, columns]) + parts + b"".join(cells) + b"\0"

    def stream(self, *inside: bytes) -> bytes:
        """The `Equation Native` stream of one line."""
        head = bytes([self.version, 1, 1, 3, 10])
        if self.version == 5:
            prefs = b"\x13WinAllBasicCodePages\0\x11\x05Times New Roman\0\x12\0\x02\x22\x0f\x41\x00\xf0\0\x02\x01\0\0"
            head += b"DSMT6\0\0" + prefs
        equation = head + b"\x0a" + self.line(*inside) + b"\0"
        return struct.pack("<HIHI16x", 28, 0x20000, 0xC1B4, len(equation)) + equation

    def _head(self, tag: int, options: int = 0) -> bytes:
        return bytes([tag, options]) if self.version == 5 else bytes([tag | options << 4])


def equation_object(stream: bytes) -> bytes:
    """The compound file that holds an equation."""
    return compound_file({"\x01CompObj": b"\x01\0\xfe\xff", "Equation Native": stream})
