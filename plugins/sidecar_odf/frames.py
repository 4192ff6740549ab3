"""Frames and shapes (ODF §10): pictures, text boxes, formulas, charts, groups; and small helpers of the walk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sidecar.api import AnyBlock, Box, Equation, Figure, ListItem, Note, Paragraph, Table
from sidecar.toolkit.xml import XmlElement
from sidecar_odf.names import DRAW, SVG, TABLE, TEXT, XLINK, points

if TYPE_CHECKING:
    from sidecar_odf.walk import Walk

__all__ = ["box_of", "numeral", "read_shape", "texts"]

_TEXTS = (f"{TEXT}p", f"{TEXT}list", f"{TEXT}h")


def read_shape(node: XmlElement, walk: Walk) -> None:
    """What a frame, group or shape holds goes to `walk.after`: it stands beside the text, not in the line."""
    tag = node.tag
    if tag in (f"{DRAW}g", f"{DRAW}a"):
        for child in node:
            if isinstance(child.tag, str) and child.tag.startswith(DRAW):
                read_shape(child, walk)
        return
    if tag == f"{DRAW}frame":
        _frame(node, walk)
    elif any(child.tag in _TEXTS for child in node):
        _words(node, walk, box_of(node))  # a drawn shape with words in it


def box_of(node: XmlElement) -> Box | None:
    """A shape's place in points, None where it gives none."""
    if node.get(f"{SVG}x") is None or node.get(f"{SVG}width") is None:
        return None
    left, top = points(node.get(f"{SVG}x")), points(node.get(f"{SVG}y"))
    return left, top, left + max(points(node.get(f"{SVG}width")), 0), top + max(points(node.get(f"{SVG}height")), 0)


def _frame(node: XmlElement, walk: Walk) -> None:
    alt = " ".join(filter(None, (_said(node, "title"), _said(node, "desc"))))
    box = box_of(node) if walk.page else None
    for child in node:
        if child.tag == f"{DRAW}text-box":
            _words(child, walk, box)
        elif child.tag == f"{TABLE}table":
            inner = walk.inner()
            inner.content(node)
            walk.after += [block for block in inner.blocks if isinstance(block, Table)]
            return
        elif child.tag in (f"{DRAW}object", f"{DRAW}object-ole"):
            if _object(child, node, walk, alt):
                return  # the picture after it is only its replacement
        elif child.tag in (f"{DRAW}image", f"{DRAW}plugin"):
            href = child.get(f"{XLINK}href") or ""
            key = walk.pictures.add(href, alt)
            if key or alt or href:
                walk.after.append(Figure(embed=key, alt=alt, source="" if key else href, page=walk.page, box=box))
            return  # further images of a frame are the same one in other formats


def _said(node: XmlElement, name: str) -> str:
    return " ".join((node.findtext(f"{SVG}{name}") or "").split())


def _object(child: XmlElement, frame: XmlElement, walk: Walk, alt: str) -> bool:
    root = walk.objects.content(child.get(f"{XLINK}href") or "")
    if root is None:
        return False
    formula = walk.objects.formula(root)
    if formula:
        text, latex = formula
        if walk.line:
            start = len(walk.line)
            walk.line.add_exact(text)
            walk.line.span("math", start, latex)
        else:
            walk.after.append(Equation(text=text, latex=latex, page=walk.page))
        return True
    words = " ".join(" ".join("".join(node.itertext()).split()) for node in root.iter(f"{TEXT}p"))
    image = frame.find(f"{DRAW}image")
    key = walk.pictures.add(image.get(f"{XLINK}href") or "", alt) if image is not None else None
    walk.after.append(Figure(embed=key, alt=alt, text=words, page=walk.page))
    return True


def _words(node: XmlElement, walk: Walk, box: Box | None) -> None:
    """The words of a box. One that holds a picture and its caption is that figure; on a slide, words are the slide."""
    inner = walk.inner()
    inner.content(node)
    if walk.page is not None:
        walk.after += [_placed(block, box) for block in inner.blocks]
    elif any(isinstance(block, Figure) for block in inner.blocks):
        walk.after += [
            Paragraph(text=block.text, spans=block.spans, style="caption") if isinstance(block, Paragraph) else block
            for block in sorted(inner.blocks, key=lambda block: not isinstance(block, Figure))
        ]
    elif inner.blocks:
        text = "\n".join(texts(inner.blocks))
        if text.strip():
            walk.after.append(Note(kind="textbox", text=text))
        walk.after += [block for block in inner.blocks if isinstance(block, Table)]


def _placed(block: AnyBlock, box: Box | None) -> AnyBlock:
    from msgspec.structs import replace

    return replace(block, box=box) if box is not None and block.box is None else block


def texts(blocks: Sequence[AnyBlock]) -> list[str]:
    """The plain text of blocks, one line each."""
    lines: list[str] = []
    for block in blocks:
        if isinstance(block, Table):
            lines += ["\t".join(row) for row in block.rows]
        elif isinstance(block, ListItem):
            lines.append(f"{block.marker} {block.text}".strip())
        else:
            lines.append(block.alt if isinstance(block, Figure) else block.text)
    return [line for line in lines if line]


def numeral(number: int, kind: str, suffix: str) -> str:
    """A list number in an ODF number format ("1", "a", "A", "i", "I")."""
    if kind in "aA" and number > 0:
        letter = chr(97 + (number - 1) % 26) * min((number - 1) // 26 + 1, 5)
        return (letter if kind == "a" else letter.upper()) + suffix
    if kind in "iI" and 0 < number < 4000:
        roman = ""
        left = number
        for value, sign in zip(
            (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
            ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"), strict=True,
        ):  # fmt: skip
            roman += sign * (left // value)
            left %= value
        return (roman if kind == "i" else roman.upper()) + suffix
    return f"{number}{suffix}"
