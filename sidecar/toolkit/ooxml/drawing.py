"""DrawingML shared by PowerPoint, Excel and Word: text bodies, tables and SmartArt read into the document model.

Not responsible for shapes' places, for charts (`chart`) or for what a plugin does with the text. Sources: ECMA-376
part 1 §21.1 (text, tables), §21.4 (diagrams), part 3 §9.3 (alternate content)."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from sidecar.api.model import Cell, Merge, Span, Table
from sidecar.toolkit import visible
from sidecar.toolkit.ooxml.colours import number_of
from sidecar.toolkit.ooxml.hidden_text import DrawnText, with_invisible
from sidecar.toolkit.ooxml.namespaces import A14, MC, A, M
from sidecar.toolkit.ooxml.omml import latex, plain
from sidecar.toolkit.xml import XmlElement, child_of, children_by_name, children_by_tag, count_of

_ALTERNATE = f"{MC}AlternateContent"
_R, _T, _BR, _FLD, _P = f"{A}r", f"{A}t", f"{A}br", f"{A}fld", f"{A}p"
_RUNS = frozenset({_R, _FLD})
_RPR, _PPR, _DEF_RPR = f"{A}rPr", f"{A}pPr", f"{A}defRPr"
_BODY_PR, _LST_STYLE, _FITTED = f"{A}bodyPr", f"{A}lstStyle", f"{A}normAutofit"
_LEVELS = tuple(f"{A}lvl{number}pPr" for number in range(1, 10))
_HLINKS = (f"{A}hlinkClick", f"{A}hlinkMouseOver")
_MATH = frozenset({f"{A14}m", f"{M}oMath", f"{M}oMathPara"})
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_UNDERSTOOD = (
    "http://schemas.microsoft.com/office/drawing/2010/main",  # a14: mathematics
    "http://schemas.microsoft.com/office/drawing/2012/chart",
    "http://schemas.microsoft.com/office/drawing/2014/chartex",
    "http://schemas.microsoft.com/office/drawing/2015/9/8/chartex",
    "http://schemas.microsoft.com/office/drawing/2015/10/21/chartex",
    "http://schemas.microsoft.com/office/drawing/2016/5/",
    "http://schemas.microsoft.com/office/powerpoint/2010/main",
    "http://schemas.microsoft.com/office/powerpoint/2012/main",
    "http://schemas.microsoft.com/office/drawing/2010/slicer",
    "http://schemas.microsoft.com/office/drawing/2012/slicer",
    "http://schemas.microsoft.com/office/drawing/2012/timeslicer",
)
_UNREADABLE = frozenset({"contentPart", "oleObj"})  # ink and VML objects: only their fallbacks hold a picture
_ORIGIN = re.compile(r"(?:https?|ftp|file|cid|mhtml):\S+|(?:[A-Za-z]:[/\\]|\\\\)[^\n]+")
_MIN_SCALE = 0.1
_MAX_DEPTH = 50  # alternatives inside alternatives; real files know one or two


def described(properties: XmlElement | None) -> str:
    """The alternative text in non-visual properties (§20.1.2.2.8): title and description; "" of None."""
    if properties is None:
        return ""
    title, description = ((properties.get(name) or "").strip() for name in ("title", "descr"))
    description = without_folder(description)
    return f"{title}: {description}" if title and description and title != description else description or title


def without_folder(alternative: str) -> str:
    """An alternative text; of a path or an address, which programs write there where a picture is from, the name of its
    file, "" where it has none."""
    if not _ORIGIN.fullmatch(alternative):
        return alternative
    name = re.split(r"[/\\]", re.split(r"[?#]", alternative)[0])[-1]
    return name if "." in name else ""


Link = Callable[[XmlElement], str]
"""Turns an `a:hlinkClick` into a target URL or `#anchor`; "" when it leads nowhere."""


@dataclass(frozen=True, slots=True)
class DrawnParagraph:
    """One `a:p`. `equations` are the displayed ones (`m:oMathPara`) as (plain text, LaTeX); inline ones are
    `math` spans.

    `properties` is its `a:pPr`, for what only the place can settle (bullets come from the layout's styles)."""

    text: str
    spans: tuple[Span, ...]
    level: int
    properties: XmlElement | None
    equations: tuple[tuple[str, str], ...] = ()


def visible_children(node: XmlElement, depth: int = 0) -> Iterator[XmlElement]:
    """The child elements with alternate content resolved, so that nothing is read twice: the first choice whose
    extension is understood, else the fallback, else the last choice (better odd than lost)."""
    for child in node:
        if child.tag == _ALTERNATE:
            yield from _alternative(child, depth)
        elif isinstance(child.tag, str):
            yield child


def _alternative(node: XmlElement, depth: int) -> Iterator[XmlElement]:
    if depth > _MAX_DEPTH:
        return
    fallback: XmlElement | None = None
    last: XmlElement | None = None
    for branch in node:
        if branch.tag == f"{MC}Fallback":
            fallback = branch
        elif branch.tag == f"{MC}Choice":
            last = branch
            spaces = [branch.nsmap.get(prefix, "") for prefix in (branch.get("Requires") or "").split()]
            readable = all(space.startswith(_UNDERSTOOD) for space in spaces)
            if readable and len(branch) and _UNREADABLE.isdisjoint(children_by_name(branch)):
                yield from visible_children(branch, depth + 1)
                return
    chosen = fallback if fallback is not None and len(fallback) else last
    if chosen is not None:
        yield from visible_children(chosen, depth + 1)


def paragraphs(body: XmlElement, link: Link | None = None, seen: DrawnText | None = None) -> list[DrawnParagraph]:
    """The paragraphs of a text body (`a:txBody`, `p:txBody`, `xdr:txBody`, `c:rich`), empty ones included; with `seen`
    what readers do not see of them is flagged."""
    if seen is None:
        return [_paragraph(node, link, None, None) for node in body.iterchildren(_P)]
    styles = child_of(body, _LST_STYLE)
    if (scale := font_scale(body)) != 1.0:
        seen = replace(seen, scale=scale)
    return [_paragraph(node, link, seen, styles) for node in body.iterchildren(_P)]


def font_scale(body: XmlElement) -> float:
    """How much smaller a program made the text of a body so that it fits (`a:normAutofit`, §21.1.2.1.3): .1 to 1."""
    look = child_of(body, _BODY_PR)
    fitted = child_of(look, _FITTED) if look is not None else None
    return min(max(number_of(fitted, "fontScale", 100_000) / 100_000, _MIN_SCALE), 1.0)


def body_text(body: XmlElement | None) -> str:
    """The plain text of a text body, one line a paragraph; "" for None."""
    if body is None:
        return ""
    return "\n".join(paragraph.text for paragraph in paragraphs(body)).strip()


def joined(parts: list[DrawnParagraph]) -> tuple[str, tuple[Span, ...]]:
    """Paragraphs as one text, a line each, with their spans moved along. Displayed equations stand as `$$…$$`."""
    lines = (
        (" ".join(filter(None, [part.text, *(f"$${source}$$" for _, source in part.equations)])), part.spans)
        for part in parts
    )
    return visible.trimmed(*visible.joined(lines))


def _paragraph(
    node: XmlElement, link: Link | None, seen: DrawnText | None, styles: XmlElement | None
) -> DrawnParagraph:
    pieces: list[str] = []
    spans: list[Span] = []
    equations: list[tuple[str, str]] = []
    properties: XmlElement | None = None
    at = 0
    for child in _children(node):
        tag = child.tag
        if tag in _RUNS:
            given = children_by_tag(child)
            words, look = _words(given.get(_T)), given.get(_RPR)
            if not words:
                continue
            pieces.append(words)
            end = at + len(words)
            if look is not None:
                _add_run_spans(look, at, end, spans, link)
            if _is_hidden(words, look, seen, properties, styles):
                spans.append(Span("hidden", at, end))
            if tag == _FLD:
                spans.append(Span("field", at, end, child.get("type", "")))
            at = end
        elif tag == _BR:
            pieces.append("\n")
            at += 1
        elif tag == _PPR:
            properties = child
        elif tag in _MATH:
            formulas = _mathematics(child)
            equations += [(words, source) for displayed, words, source in formulas if displayed]
            for words, source in [(words, source) for displayed, words, source in formulas if not displayed]:
                pieces.append(words)
                spans.append(Span("math", at, at + len(words), source))
                at += len(words)
    text = "".join(pieces)
    if seen is not None:
        spans += with_invisible(text, (), seen.found)
    return DrawnParagraph(
        text, _fused(spans) if len(spans) > 1 else tuple(spans), _level(properties), properties, tuple(equations)
    )


def _is_hidden(
    words: str, look: XmlElement | None, seen: DrawnText | None, properties: XmlElement | None,
    styles: XmlElement | None,
) -> bool:  # fmt: skip
    """Whether readers do not see a run of words, by its own look and what it inherits."""
    if seen is None or not words.strip():
        return False
    return seen.hides(_inherited(look, properties, styles), _level(properties))


def _children(node: XmlElement) -> Iterable[XmlElement]:
    """Those of a paragraph, alternate content resolved; most have none."""
    children = list(node)
    return visible_children(node) if any(child.tag == _ALTERNATE for child in children) else children


def _level(properties: XmlElement | None) -> int:
    """The level of a paragraph, 0 to 8 (§21.1.2.2.7, ST_TextIndentLevelType)."""
    level = properties.get("lvl", "0") if properties is not None else "0"
    return int(level) if level in {"1", "2", "3", "4", "5", "6", "7", "8"} else 0


def _inherited(look: XmlElement | None, properties: XmlElement | None, styles: XmlElement | None) -> list[XmlElement]:
    """A run's own properties, and those its text body gives its level (§21.1.2.4.12)."""
    found = [look] if look is not None else []
    if styles is not None and len(styles):
        level = child_of(styles, _LEVELS[_level(properties)])
        default = child_of(level, _DEF_RPR) if level is not None else None
        if default is not None:
            found.append(default)
    return found


def _add_run_spans(look: XmlElement, start: int, end: int, spans: list[Span], link: Link | None) -> None:
    """Spans for what run properties (§21.1.2.3.9) say about a stretch of text."""
    if look.get("b") in {"1", "true"}:
        spans.append(Span("bold", start, end))
    if look.get("i") in {"1", "true"}:
        spans.append(Span("italic", start, end))
    if look.get("u", "none") != "none":
        spans.append(Span("underline", start, end))
    if look.get("strike", "noStrike") != "noStrike":
        spans.append(Span("strike", start, end))
    raised = look.get("baseline", "0")
    if raised not in {"0", "0%"}:
        spans.append(Span("sub" if raised.startswith("-") else "sup", start, end))
    if link is not None and len(look):
        for name in _HLINKS:
            node = child_of(look, name)
            target = link(node) if node is not None else ""
            if target:
                spans.append(Span("link", start, end, target))


def _fused(spans: list[Span]) -> tuple[Span, ...]:
    """Neighbouring spans of one kind and value as one: editors cut runs at will (spelling, revisions)."""
    done: list[Span] = []
    open_at: dict[tuple[str, str], int] = {}
    for span in spans:
        key = (span.kind, span.value)
        index = open_at.get(key)
        if index is not None and done[index].end == span.start:
            done[index] = Span(span.kind, done[index].start, span.end, span.value)
        else:
            open_at[key] = len(done)
            done.append(span)
    return tuple(done)


def _mathematics(node: XmlElement) -> list[tuple[bool, str, str]]:
    """The formulas of an `a14:m` as `(displayed, plain text, LaTeX)`; displayed ones stand apart from the text."""
    maths = [node] if node.tag != f"{A14}m" else [child for child in node if isinstance(child.tag, str)]
    found = [(math.tag == f"{M}oMathPara", plain(math), latex(math)) for math in maths]
    return [(displayed, words or source, source) for displayed, words, source in found if words or source]


def _words(text: XmlElement | None) -> str:
    return unescaped(text.text or "") if text is not None else ""


def unescaped(text: str) -> str:
    """`_x000B_` escapes (§22.9.2.19) decoded: the vertical tab is a line break, other control characters nothing."""
    if "_x" in text:
        text = _ESCAPE.sub(lambda match: _character(int(match[1], 16)), text)
    return text.replace("\v", "\n") if "\v" in text else text


def _character(code: int) -> str:
    if code < 0x20:
        return "\n" if code in {0x0A, 0x0B, 0x0D} else "\t" if code == 0x09 else ""
    return chr(code) if not 0xD800 <= code < 0xE000 else ""


def read_table(
    node: XmlElement,
    link: Link,
    seen: Callable[[XmlElement], DrawnText],
    marked: Callable[[XmlElement, list[DrawnParagraph]], list[DrawnParagraph]],
) -> Table:
    """An `a:tbl` (§21.1.3): merged cells by `gridSpan`, `rowSpan`, `hMerge`, `vMerge`; their text stands top left, and
    what the cells they cover hold is hidden. `seen` tells what of a cell (`a:tc`) readers see; `marked` puts bullets
    and numbers before paragraphs of a text (`a:txBody`)."""
    rows: list[tuple[str, ...]] = []
    merges: list[Merge] = []
    cells: list[Cell] = []
    for r, row in enumerate(node.iterchildren(f"{A}tr")):
        texts: list[str] = []
        for c, cell in enumerate(row.iterchildren(f"{A}tc")):
            body = child_of(cell, f"{A}txBody")
            if cell.get("hMerge") in {"1", "true"} or cell.get("vMerge") in {"1", "true"}:
                texts.append(body_text(body))
                if texts[-1]:
                    cells.append(Cell(row=r, col=c, spans=(Span("hidden", 0, len(texts[-1])),)))
                    seen(cell).found.add("place")
                continue
            looked = seen(cell)
            text, spans = joined(marked(body, paragraphs(body, link, looked)) if body is not None else [])
            texts.append(text)
            wide, high = count_of(cell.get("gridSpan")), count_of(cell.get("rowSpan"))
            if wide > 1 or high > 1:
                merges.append(Merge(r, c, high, wide))
            if spans:
                target = next((s.value for s in spans if s.kind == "link" and s.end - s.start == len(text)), "")
                cells.append(Cell(row=r, col=c, link=target, spans=spans))
        rows.append(tuple(texts))
    # A span written larger than the table must not reach outside it.
    height, width = len(rows), max((len(row) for row in rows), default=0)
    bounded = tuple(Merge(m.row, m.col, min(m.rows, height - m.row), min(m.cols, width - m.col)) for m in merges)
    look = node.find(f"{A}tblPr")
    headed = look is not None and look.get("firstRow") in {"1", "true"}
    return Table(
        rows=tuple(rows),
        header_rows=1 if headed and rows else 0,
        merges=tuple(m for m in bounded if m.rows > 1 or m.cols > 1),
        cells=tuple(cells),
    )
