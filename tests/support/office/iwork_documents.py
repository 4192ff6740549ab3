"""A Pages, a Keynote and a Numbers document with one of everything, by the messages they are kept in."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

from support.office.docx_files import png
from support.office.iwork_files import Fixed32, Fixed64, iwa, package, ref

__all__ = ["STYLES", "Object", "keynote", "numbers", "pages", "paragraphs", "shape", "storage", "style"]

Object = tuple[int, Mapping[int, Any]]
STYLE, LIST_STYLE, CHAR_STYLE, STORAGE, SHAPE, HYPERLINK, HIGHLIGHT, COMMENT, AUTHOR = (
    2022, 2023, 2021, 2001, 2011, 2032, 2013, 3056, 212,
)  # fmt: skip
BODY, HEADER, FOOTNOTE, TEXTBOX, NOTE, CELL = range(6)
DAY = 86_400.0


def storage(text: str, kind: int = BODY, **tables: list[tuple[int, int]]) -> Object:
    """A text storage; each table is a list of (character, object)."""
    numbers = {
        "styles": 5, "lists": 7, "chars": 8, "attached": 9, "fields": 11, "footnotes": 16, "inserted": 21,
        "deleted": 22, "highlights": 23,
    }  # fmt: skip
    fields: dict[int, Any] = {1: kind, 3: text, 10: 1}
    for name, entries in tables.items():
        if name == "levels":
            fields[6] = {1: [{1: at, 2: level, 3: level} for at, level in entries]}
        else:
            fields[numbers[name]] = {1: [{1: at, 2: ref(number)} for at, number in entries]}
    return STORAGE, fields


def style(name: str, parent: int = 0, identifier: str = "") -> Object:
    return STYLE, {1: {1: name, 2: identifier, **({3: ref(parent)} if parent else {})}}


def shape(text: int) -> Object:
    return SHAPE, {1: {1: {1: {}}}, 4: ref(text), 6: 1}


def paragraphs(*lines: str) -> tuple[str, list[int]]:
    """The text, and where each of its lines begins, in UTF-16."""
    starts = [sum(len(line.encode("utf-16-le")) // 2 + 1 for line in lines[:number]) for number in range(len(lines))]
    return "\n".join(lines), starts


STYLES: dict[int, Object] = {
    20: style("Überschrift", identifier="text-2-paragraphstyle-Heading 2"),
    21: style("", parent=20),
    22: style("Body"),
    23: style("Titel", identifier="text-0-paragraphstyle-Title"),
    24: (LIST_STYLE, {1: {1: "Bullet"}, 11: [2, 2], 16: ["•", "–"]}),
    25: (LIST_STYLE, {1: {1: "Numbered"}, 11: [3, 3], 15: [0, 14]}),
    26: (LIST_STYLE, {1: {1: "None"}, 11: [0, 0]}),
    27: (CHAR_STYLE, {1: {1: "Strong"}, 11: {1: 1}}),
    28: (HYPERLINK, {1: {}, 2: "https://example.org/wombat"}),
    29: (HIGHLIGHT, {1: ref(30)}),
    30: (COMMENT, {1: "Is this right?", 2: {1: Fixed64(DAY)}, 3: ref(31), 4: [ref(32)]}),
    31: (AUTHOR, {1: "Ada"}),
    32: (COMMENT, {1: "It is.", 3: ref(33)}),
    33: (AUTHOR, {1: "Grace"}),
}


def pages() -> bytes:
    """A document with a title, a heading, a list, a footnote, a comment, a link, a table, a picture, a text box."""
    lines = (
        "Annual report 😀", "Retention", "Keep records for seven years, see the guide.\x0e", "first", "inner", "one",
        "two", "￼", "Last words￼",
    )  # fmt: skip
    text, at = paragraphs(*lines)
    guide = at[2] + lines[2].index("the guide")
    body = storage(
        text,
        styles=[(0, 23), (at[1], 21), (at[2], 22)],
        lists=[(0, 26), (at[3], 24), (at[5], 25), (at[7], 26)],
        levels=[(0, 0), (at[4], 1), (at[5], 0)],
        chars=[(0, 0), (at[2], 27), (at[2] + 4, 0)],
        fields=[(0, 0), (guide, 28), (guide + 9, 0)],
        highlights=[(0, 0), (at[2] + 5, 29), (at[2] + 12, 0)],
        footnotes=[(at[2] + len(lines[2]) - 1, 40)],
        attached=[(at[7], 42), (at[8] + 10, 44)],
    )
    objects: dict[int, Object] = {
        1: (10_000, {3: ref(50), 4: ref(2)}),
        2: body,
        40: (2008, {1: {}, 2: ref(41)}),
        41: storage("Since 1999.", FOOTNOTE),
        42: (2003, {1: ref(43)}),
        43: (6000, {1: {}, 2: ref(60)}),
        44: (2003, {1: ref(45)}),
        45: (3005, {1: {8: "A capybara"}, 11: {1: 7}}),
        50: (10_010, {1: [{1: 0, 3: [{1: ref(51)}]}]}),
        51: shape(52),
        52: storage("Beside the text: numbat.", TEXTBOX),
        53: storage("Confidential", HEADER),
        54: storage("Confidential", HEADER),
        **STYLES,
        **table(60),
    }
    data = {"Index/Document.iwa": iwa(objects), "Data/capybara-7.png": png(), "Metadata/Properties.plist": b"x"}
    return package(data)


def cell(kind: int, *, number: int | None = None, double: float | None = None, seconds: float | None = None,
         text: int | None = None, rich: int | None = None, comment: int | None = None) -> bytes:  # fmt: skip
    """A cell of version 5: a whole `number`, a `double`, seconds since 2001, or entries of the lists."""
    flags, held = 0, b""
    for bit, value in ((0, number), (1, double), (2, seconds), (3, text), (4, rich), (19, comment)):
        if value is None:
            continue
        flags |= 1 << bit
        if bit == 0:
            sign = 0x80 if value < 0 else 0
            held += int(abs(value)).to_bytes(14, "little") + bytes([0x1820 << 1 & 0xFF, 0x1820 >> 7 | sign])
        elif bit in (1, 2):
            held += struct.pack("<d", value)
        else:
            held += struct.pack("<i", value)
    return bytes([5, kind, 0, 0, 0, 0, 0, 0]) + struct.pack("<I", flags) + held


def table(number: int, name: str = "Costs") -> dict[int, Object]:
    """A table of three columns and five rows with a cell of each kind; A5:C5 is merged."""
    rows = [
        [cell(3, text=1), cell(3, text=2), cell(3, text=3)],
        [cell(9, rich=1), cell(2, number=-1234), cell(5, seconds=DAY)],
        [cell(6, double=1.0), cell(7, double=3905.0), cell(8)],
        [b"", cell(2, double=0.5), cell(5, seconds=DAY + 3600)],
        [cell(3, text=4, comment=1), b"", b""],
    ]
    infos: list[dict[int, Any]] = []
    for at, row in enumerate(rows):
        buffer, offsets = b"", b""
        for data in row:
            offsets += struct.pack("<H", len(buffer) // 4 if data else 0xFFFF)
            buffer += data + b"\0" * (-len(data) % 4)
        infos.append({1: at, 2: len(row), 6: buffer, 7: offsets, 8: 1})
    texts = ("Region", "Amount", "Day", "All of it")
    area = {1: 67, 40: {3: {1: 0, 2: 2}, 4: {1: 4}}}
    return {
        number: (6001, {
            4: {3: {1: [{1: 0, 2: ref(number + 1)}], 2: 256}, 4: ref(number + 2), 17: ref(number + 3),
                19: ref(number + 6)},
            6: 5, 7: 3, 8: name, 9: 1, 22: 1, 47: {2: {3: [{1: 0, 2: {1: {1: [area]}}}]}},
        }),
        number + 1: (6002, {5: infos}),
        number + 2: (6005, {3: [{1: key, 3: text} for key, text in enumerate(texts, 1)]}),
        number + 3: (6005, {3: [{1: 1, 9: ref(number + 4)}]}),
        number + 4: (6218, {1: ref(number + 5)}),
        number + 5: storage("North\nand east", CELL),
        number + 6: (6005, {3: [{1: 1, 10: ref(30)}]}),
    }  # fmt: skip


def keynote() -> bytes:
    """Three slides: one with title, text, group, chart and notes, one skipped, one of a text box alone."""
    chart = {
        1: 1, 5: 1, 7: {1: ["2023", "2024"], 2: ["Q1", "Q2"],
                        3: [{1: [{1: Fixed64(1.0)}, {1: Fixed64(2.5)}]}, {1: [{1: Fixed64(3.0)}, {}]}]},
    }  # fmt: skip
    objects: dict[int, Object] = {
        1: (1, {2: ref(2)}),
        2: (2, {3: {2: [ref(10), ref(11), ref(12)]}, 4: {1: Fixed32(1024.0), 2: Fixed32(768.0)}}),
        10: (4, {2: ref(13)}),
        11: (4, {2: ref(14), 4: 1}),
        12: (4, {2: ref(15)}),
        13: (5, {5: ref(16), 6: ref(17), 20: ref(9), 27: ref(18), 42: [ref(16), ref(17), ref(70), ref(71), ref(9)]}),
        14: (5, {5: ref(72)}),
        15: (5, {7: [ref(74)]}),
        16: (7, {1: shape(80)[1], 2: 1}),
        17: (7, {1: shape(81)[1], 2: 2}),
        18: (15, {1: ref(82)}),
        9: (7, {1: shape(83)[1]}),
        70: (3008, {1: {}, 2: [ref(74), ref(70)]}),
        71: (5021, {1: {}, 10_000: chart}),
        72: (7, {1: shape(84)[1]}),
        74: shape(85),
        80: storage("The wombat\u2028in spring", TEXTBOX),
        81: storage("First point\nSecond", TEXTBOX, lists=[(0, 24)], levels=[(0, 0), (12, 1)]),
        82: storage("Say it slowly.", NOTE),
        83: storage("17", TEXTBOX),
        84: storage("Not shown", TEXTBOX),
        85: storage("Grouped words", TEXTBOX),
        **STYLES,
    }
    split = {number: objects.pop(number) for number in (14, 72, 84)}
    return package({"Index/Document.iwa": iwa(objects), "Index/Slide-2.iwa": iwa(split)}, nested=True)


def numbers() -> bytes:
    objects: dict[int, Object] = {
        1: (1, {1: [ref(2), ref(3)]}),
        2: (2, {1: "Budget", 2: [ref(4), ref(5), ref(6)]}),
        3: (2, {1: "Notes", 2: [ref(6)]}),
        4: (6000, {1: {}, 2: ref(60)}),
        5: (6000, {1: {}, 2: ref(160)}),
        6: shape(7),
        7: storage("Beside the tables", TEXTBOX),
        **STYLES,
        **table(60),
        **table(160, "Others"),
    }
    return package({"Index/Document.iwa": iwa(objects)})
