"""The stream of characters and codes that a WordPerfect text is, as blocks: paragraphs, tables, and its notes; and the
character sets, by their number and the place in them (WordPerfect's reference, appendix P).

After what the projects libwpd and wp2latex found out, and Corel's kit for developers of WordPerfect 6."""

import struct
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from sidecar.api.model import AnyBlock, Note, NoteKind, Paragraph
from sidecar.toolkit.markup.grid import table_windows

_INTERNATIONAL: Final = "åÅæÆäÄáàâãÃçÇëéÉèêíñÑøØõÕöÖüÜúùß"
"""What single bytes from 1 stand for in WordPerfect 6 and newer."""
_NONE: Final = "\ufffd"
_SETS: Final[Mapping[int, str]] = {
    1: _NONE * 23 + "ßĸ" + _NONE + "ÁáÂâÄäÀàÅåÆæÇçÉéÊêËëÈèÍíÎîÏïÌìÑñÓóÔôÖöÒòÚúÛûÜüÙùŸÿÃãĐđØøÕõÝýÐðÞþĂăĀāĄąĆćČčĈĉĊċĎďĚě"
    "ĖėĒēĘęǴǵĞğǦǧĢģĜĝĠġĤĥĦħİ" + _NONE + "ĪīĮįĨĩĲĳĴĵĶķĹĺĽľĻļĿŀŁłŃń" + _NONE + "ŉŇňŅņŐőŌōŒœŔŕŘřŖŗŚśŠšŞşŜŝŤťŢţŦŧŬŭŰűŪūŲų"
    "ŮůŨũŴŵŶŷŹźŽžŻżŊŋ",
    4: "●○■•" + _NONE + "¶§¡¿«»£¥₧ƒªº½¼¢²ⁿ®©¤¾³‛’‘‟”“–—‹›○□†‡™℠℞●◦■▪□▫‒ﬀﬃﬄﬁﬂ…" + _NONE + "₣₢₠₤‚„⅓⅔⅛⅜⅝⅞ⓂⓅ€℅℆‰№—¹",
    6: "−±≤≥∝" + _NONE + "∕∖÷∣⟨⟩∼≈≡∈∩∥∑∞¬→←↑↓↔↕▸◂▴▾⋅" + _NONE + "∘∙Å°µ‾×∫∏∓∇∂′″→ℯℓℏℑℜ℘⇄⇆⇒⇐⇑⇓⇔⇕↗↘↖↙∪⊂⊃⊆⊇∍∅",
    8: "ΑαΒβΒϐΓγΔδΕεΖζΗηΘθΙιΚκΛλΜμΝνΞξΟοΠπΡρΣσΣςΤτΥυΦφΧχΨψΩωΆάΈέΉήΊίΪϊΌόΎύΫϋΏώ",
    10: "АаБбВвГгДдЕеЁёЖжЗзИиЙйКкЛлМмНнОоПпРрСсТтУуФфХхЦцЧчШшЩщЪъЫыЬьЭэЮюЯя",
}
"""1 has letters with marks, 4 typographic signs, 6 those of mathematics, 8 Greek, 10 Cyrillic."""
_ASCII: Final = 0


def character(number: int, charset: int) -> str:
    """A character of one of the sets; U+FFFD for one that is not known here."""
    if charset == _ASCII:
        return chr(number) if number < 0x7F else _NONE
    known = _SETS.get(charset, "")
    return known[number] if number < len(known) else _NONE


_BLANK, LINE, CELL, ROW, _TABLE_END, _TAB = " ", "\n", "\x1f", "\x1e", "\x1d", "\t"
"""What codes become before the stream is cut: between words and lines, and where cells, rows and what follows begin."""
_SIZES_6: Final = (4, 5, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 8, 8, 1)
_SIZES_5: Final = (4, 9, 11, 3, 3, 5, 6, 7, 4, 5, 6, 6, 8, 10, 10, 12)
"""Bytes of functions of fixed size, from 0xF0 and 0xC0 on."""
_SINGLE_6: Final[Mapping[int, str]] = {
    0x80: _BLANK, 0x81: "\u00a0", 0x84: "-", 0x87: LINE, **dict.fromkeys(range(0xB4, 0xBA), LINE),
    **dict.fromkeys(range(0xBA, 0xBD), _BLANK), **dict.fromkeys(range(0xBD, 0xC0), _TABLE_END),
    **dict.fromkeys(range(0xC0, 0xC6), ROW), 0xC6: CELL, **dict.fromkeys(range(0xC7, 0xCD), LINE),
    **dict.fromkeys(range(0xCD, 0xD0), _BLANK),
}  # fmt: skip
_LINES_6: Final[Mapping[int, str]] = {
    **dict.fromkeys((1, 2, 3, 0x14, 0x15, 0x16), _BLANK), **dict.fromkeys(range(0x04, 0x0A), LINE), 0x0A: CELL,
    **dict.fromkeys(range(0x0B, 0x11), ROW), **dict.fromkeys(range(0x11, 0x14), _TABLE_END),
    **dict.fromkeys(range(0x17, 0x1D), LINE),
}  # fmt: skip
"""Functions that end a line, by what they are a kind of."""
_SINGLE_5: Final[Mapping[int, str]] = {
    0x0A: LINE, 0x0B: _BLANK, 0x0C: LINE, 0x0D: _BLANK, 0x80: "", 0x8C: LINE, 0x93: _BLANK, 0x94: _BLANK, 0x95: _BLANK,
    0xA0: "\u00a0", 0xA9: "-", 0xAA: "-", 0xAB: "-",
}  # fmt: skip
_LINES_5: Final[Mapping[tuple[int, int], str]] = {
    (0xDC, 0): CELL, (0xDC, 1): ROW, (0xDC, 2): _TABLE_END, (0xDD, 1): ROW, (0xDD, 2): _TABLE_END, (0xDD, 3): ROW,
}  # fmt: skip
_LINE_GROUP, _EDGES_6, _NOTES_6, _BOX_6, _TAB_6 = 0xD0, 0xD6, 0xD7, 0xDF, 0xE0
_EDGES_5, _NOTES_5 = 0xD5, 0xD6
_KINDS: Final[Mapping[tuple[int, int], NoteKind]] = {
    (_EDGES_6, 0): "header", (_EDGES_6, 1): "header", (_EDGES_6, 2): "footer", (_EDGES_6, 3): "footer",
    (_NOTES_6, 0): "footnote", (_NOTES_6, 2): "endnote",
}  # fmt: skip
_UNDONE: Final = 0xF1
"""Begins and ends text that was taken back and is kept to be had again."""
_HAS_PREFIX: Final = 0x80
_MAX_DEPTH: Final = 4

_Referred = Callable[[int], bytes]
"""The text kept under a number in the file's prefix, b"" for none."""


class Story:
    """A text and its notes. `chars` counts what was read."""

    def __init__(self, referred: _Referred, most: int) -> None:
        self._referred = referred
        self._most = most
        self.notes: list[Note] = []
        self.cut = False
        self._known: set[int] = set()

    def newer(self, data: bytes, depth: int = 0) -> str:
        """A stream of WordPerfect 6 and newer."""
        out: list[str] = []
        at = undone = 0
        while at < len(data):
            code = data[at]
            if 0 < code <= 0x20:
                out.append(_INTERNATIONAL[code - 1])
            elif code <= 0x7E:
                out.append(chr(code) if code else "")
            elif code < 0xD0:
                out.append(_SINGLE_6.get(code, ""))
            elif code < 0xF0:
                size = int.from_bytes(data[at + 2 : at + 4], "little")
                out.append(self._group_6(data[at : at + size], depth))
                at += max(size, 4)
                continue
            else:
                if code == 0xF0 and at + 2 < len(data):
                    out.append(character(data[at + 1], data[at + 2]))
                elif code == _UNDONE and data[at + 1 : at + 2] == b"\0":
                    undone = len(out)
                elif code == _UNDONE and data[at + 1 : at + 2] == b"\1":
                    del out[undone:]
                at += _SIZES_6[code & 15]
                continue
            at += 1
        return self._bounded("".join(out))

    def older(self, data: bytes, depth: int = 0) -> str:
        """A stream of WordPerfect 5."""
        out: list[str] = []
        at = 0
        while at < len(data):
            code = data[at]
            if 0x20 <= code < 0x7F:
                out.append(chr(code))
            elif code < 0xC0:
                out.append(_SINGLE_5.get(code, ""))
            elif code < 0xD0:
                if code == 0xC0 and at + 2 < len(data):
                    out.append(character(data[at + 1], data[at + 2]))
                elif code in (0xC1, 0xC2):
                    out.append(_TAB)
                at += _SIZES_5[code & 15]
                continue
            else:
                size = 4 + int.from_bytes(data[at + 2 : at + 4], "little")
                out.append(self._group_5(data[at : at + size], depth))
                at += size
                continue
            at += 1
        return self._bounded("".join(out))

    def _bounded(self, text: str) -> str:
        self.cut = self.cut or len(text) > self._most
        return text[: self._most]

    def _group_6(self, group: bytes, depth: int) -> str:
        if len(group) < 5:
            return ""
        code, kind = group[0], group[1]
        if code == _LINE_GROUP:
            return _LINES_6.get(kind, "")
        if code == _TAB_6:
            return _TAB
        if code in (_EDGES_6, _NOTES_6, _BOX_6) and len(group) > 5 and group[4] & _HAS_PREFIX and depth < _MAX_DEPTH:
            for number in struct.unpack_from(f"<{min(group[5], (len(group) - 6) // 2)}H", group, 6):
                if number in self._known:  # once: texts that refer to one another would be read without end
                    continue
                self._known.add(number)
                text = self._referred(number)
                if text and (code, kind) not in _LEFT_OUT:
                    self._note(_KINDS.get((code, kind), "textbox"), self.newer(text, depth + 1))
        return ""

    def _group_5(self, group: bytes, depth: int) -> str:
        code, kind = group[0], group[1] if len(group) > 1 else 0
        if code == _NOTES_5 and depth < _MAX_DEPTH and len(group) > 8:
            # Flags, number, and of a footnote the lines on each page; then its text.
            start = 7 + (2 * (group[7] + 1) + 10 if kind == 0 else 4)
            self._note("footnote" if kind == 0 else "endnote", self.older(group[start:-4], depth + 1))
        elif code == _EDGES_5 and depth < _MAX_DEPTH and len(group) > 26:
            self._note("header" if kind < 2 else "footer", self.older(group[22:-4], depth + 1))
        return _LINES_5.get((code, kind), "")

    def _note(self, kind: NoteKind, text: str) -> None:
        note_text = "\n".join(line for line in (" ".join(line.split()) for line in _plain(text).split(LINE)) if line)
        if note_text and (kind not in ("header", "footer") or all(note.text != note_text for note in self.notes)):
            self.notes.append(Note(kind=kind, text=note_text))


_LEFT_OUT: Final = frozenset(((_EDGES_6, 4), (_EDGES_6, 5), (_NOTES_6, 1), (_NOTES_6, 3)))
"""Watermarks, and where notes end."""


def _plain(text: str) -> str:
    return text.translate({ord(CELL): "\t", ord(ROW): LINE, ord(_TABLE_END): LINE})


def blocks(text: str) -> Iterator[AnyBlock]:
    """The paragraphs and tables of a stream."""
    for number, piece in enumerate(text.split(_TABLE_END)):
        before, *rows = piece.split(ROW)
        if number and not before.strip():
            before = ""
        yield from _paragraphs(before)
        if rows:
            cells = [tuple("\n".join(_lines(cell)) for cell in row.split(CELL)) for row in rows]
            wide = max(map(len, cells))
            yield from table_windows([row + ("",) * (wide - len(row)) for row in cells], header_rows=0)


def _paragraphs(text: str) -> Iterator[Paragraph]:
    for line in _lines(_plain(text)):
        yield Paragraph(text=line)


def _lines(text: str) -> Iterator[str]:
    for line in text.split(LINE):
        shown = "\t".join(" ".join(piece.split(" ")).strip() for piece in line.split(_TAB)).strip()
        if shown:
            yield shown
