"""Sheets that programs exchange as text: SYLK (.slk; "SYmbolic LinK" as Excel and Multiplan write it) and DIF (.dif;
the "Data Interchange Format" of VisiCalc)."""

import re
from collections.abc import Iterator
from typing import Final

from sidecar.api import DamagedError, Limits, Source
from sidecar.toolkit.text import read_text
from sidecar.toolkit.xml import unsigned
from sidecar_xlsx.exchanged.book import CollectedBook, Opened, Sheet

_ACCENTS: Final = {
    "A": "\u0300", "B": "\u0301", "C": "\u0302", "D": "\u0303", "H": "\u0308", "J": "\u030a", "K": "\u0327",
}  # fmt: skip
_SIGNS: Final = re.compile("\x1bN(?:([ABCDHJK])(.)|(.))")
_LETTERS: Final = {"{": "ß", "q": "æ", "a": "Æ", "y": "ø", "i": "Ø", "z": "œ", "j": "Œ", "s": "ð", "S": "©", "R": "®"}


def open_text_sheet(source: Source, limits: Limits) -> Opened:
    """The sheet as a package. Raises DamagedError."""
    decoded, _ = read_text(source, limits)
    lines = decoded.text.split("\n")
    book = CollectedBook()
    sheet = book.sheet(source.name.rpartition(".")[0])
    if lines[0].startswith("ID;"):
        _sylk(lines, book, sheet)
    elif lines[0].strip().upper() == "TABLE":
        _dif(lines, book, sheet)
    else:
        raise DamagedError(f"{source.name} is neither a SYLK nor a DIF sheet.")
    return book.package(source, limits), {}


def _sylk(lines: list[str], book: CollectedBook, sheet: Sheet) -> None:
    codes: list[str] = []
    formats: dict[tuple[int, int], str] = {}
    row = col = 0
    held: dict[tuple[int, int], tuple[float | str | bool, str]] = {}
    for line in lines:
        kind, *fields = [one.replace("\0", ";") for one in line.replace(";;", "\0").split(";")]
        named = {field[0]: field[1:] for field in fields if field}
        if kind == "P" and "P" in named:
            codes.append(named["P"])
        if kind not in ("C", "F"):
            continue
        row, col = unsigned(named.get("Y"), row + 1) - 1, unsigned(named.get("X"), col + 1) - 1
        if kind == "F" and named.get("P", "").isdecimal() and "R" not in named:
            number = unsigned(named["P"], len(codes))
            formats[row, col] = codes[number] if number < len(codes) else ""
        elif kind == "C" and ("K" in named or "A" in named):
            if "A" in named:
                book.comment(sheet, (row, col), "", _accented(named["A"]))
            if "K" in named:
                held[row, col] = _sylk_value(named["K"]), named.get("E", "")
    for place, (value, formula) in held.items():
        code = formats.get(place, "")
        book.put(sheet, place, value, code if not isinstance(value, str) else "", "" if "R" in formula else formula)


def _sylk_value(text: str) -> float | str | bool:
    if text.startswith('"'):
        return _accented(text.strip('"').replace("\x1b :", "\n"))
    if text in ("TRUE", "FALSE"):
        return text == "TRUE"
    try:
        return float(text)
    except ValueError:
        return text


def _accented(text: str) -> str:
    """Letters beyond ASCII, which older programs write as escapes."""
    return _SIGNS.sub(
        lambda found: found[2] + _ACCENTS[found[1]] if found[1] else _LETTERS.get(found[3], found[3]), text
    )


def _dif(lines: list[str], book: CollectedBook, sheet: Sheet) -> None:
    row, col, is_data = -1, 0, False
    for kind, number, text in _tuples(lines):
        if not is_data:
            is_data = kind == "DATA"
        elif kind == "-1":
            if text.upper() == "EOD":
                return
            row, col = row + 1, 0
        else:
            value: float | str | bool = text.strip('"').replace('""', '"') if kind == "1" else _dif_number(number, text)
            if value != "":
                book.put(sheet, (max(row, 0), col), value)
            col += 1


def _tuples(lines: list[str]) -> Iterator[tuple[str, str, str]]:
    """The kind, number and text of each entry: three lines in the head, two behind it."""
    at, is_data = 0, False
    while at + 1 < len(lines):
        if not is_data:
            topic = lines[at].strip().upper()
            is_data = topic == "DATA"
            at += 3
            yield topic, "", ""
            continue
        kind, _, number = lines[at].partition(",")
        text = lines[at + 1].strip()
        at += 2
        while kind.strip() == "1" and text.startswith('"') and text.count('"') % 2 and at < len(lines):
            text, at = f"{text}\n{lines[at]}", at + 1  # a text of several lines
        yield kind.strip(), number.strip(), text


def _dif_number(number: str, text: str) -> float | str | bool:
    if text in ("TRUE", "FALSE"):
        return text == "TRUE"
    try:
        return float(number) if text in ("V", "") else ""
    except ValueError:
        return ""
