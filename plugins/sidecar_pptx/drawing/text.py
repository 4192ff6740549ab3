"""Text bodies of shapes and cells (ECMA-376 part 1 §21.1.2) with the look that styles give them, as `TextBody`.

Not responsible for which styles reach a shape: `styles` are given, the nearest first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sidecar.toolkit.drawn.model import Align, Anchor, TextBody, TextParagraph, TextRun
from sidecar.toolkit.ooxml.colours import number_of
from sidecar.toolkit.ooxml.drawing import DrawnParagraph, font_scale, unescaped, visible_children
from sidecar.toolkit.ooxml.namespaces import MC, A, M
from sidecar.toolkit.ooxml.omml import plain
from sidecar.toolkit.xml import XmlElement
from sidecar_pptx.bullets import Bullets
from sidecar_pptx.drawing.colours import Palette

_EMU = 12700
_USUAL_SIZE = 18.0
_MIN_SIZE, _MAX_SIZE = 1.0, 4000.0
_ALIGNED: dict[str, Align] = {"ctr": "center", "r": "right", "just": "justify", "dist": "justify"}
_ANCHORS: dict[str, Anchor] = {"ctr": "middle", "b": "bottom"}
_TURNS = {"vert": 90, "vert270": 270, "eaVert": 90}
_MATH = frozenset((f"{M}oMath", f"{M}oMathPara"))
_SMALL_CAPS = frozenset(("all", "small"))


@dataclass(frozen=True)
class TextStyle:
    """What decides how text looks: `styles` (elements with `a:lvl1pPr` …), the nearest first, then `defaults`; `bodies`
    the `a:bodyPr` in that order; `ink` and `bold` what a shape's style or a table's says."""

    palette: Palette
    styles: Sequence[XmlElement] = ()
    bodies: Sequence[XmlElement] = ()
    defaults: Sequence[XmlElement] = ()
    ink: str = ""
    bold: bool = False
    number: int = 0
    """Of the slide, for fields that show it."""
    scale: float = 1.0

    def attribute(self, name: str) -> str:
        """What the nearest body properties say; "" for nothing."""
        return next((found for found in (body.get(name) for body in self.bodies) if found), "")


def read_body(body: XmlElement, text_style: TextStyle) -> TextBody | None:
    """The text of a `p:txBody`; None where no character of it shows."""
    own = body.find(f"{A}bodyPr")
    style = body.find(f"{A}lstStyle")
    text_style = replace(
        text_style,
        bodies=[node for node in (own, *text_style.bodies) if node is not None],
        styles=[node for node in (style, *text_style.styles) if node is not None and len(node)],
        scale=font_scale(body),
    )
    bullets = Bullets(lambda: text_style.styles)
    found = [_paragraph(node, text_style, bullets) for node in body.iterchildren(f"{A}p")]
    if not any(run.text.strip() for paragraph in found for run in paragraph.runs):
        return None
    left, top, right, bottom = (text_style.attribute(name) for name in ("lIns", "tIns", "rIns", "bIns"))
    return TextBody(
        paragraphs=tuple(found),
        inset=(_inset(left, 7.2), _inset(top, 3.6), _inset(right, 7.2), _inset(bottom, 3.6)),
        anchor=_ANCHORS.get(text_style.attribute("anchor"), "top"),
        wrap=text_style.attribute("wrap") != "none",
        fit=text_style.attribute("wrap") != "none"
        and not any(node.find(f"{A}spAutoFit") is not None for node in text_style.bodies[:1]),
        turn=_TURNS.get(text_style.attribute("vert"), 0),
    )


def _inset(value: str, default: float) -> float:
    return int(value[:10]) / _EMU if value.lstrip("-").isdecimal() else default


def _paragraph(node: XmlElement, text_style: TextStyle, bullets: Bullets) -> TextParagraph:
    own = node.find(f"{A}pPr")
    level = int(number_of(own, "lvl"))
    level = level if 0 <= level <= 8 else 0
    chain = [own] if own is not None else []
    for style in (*text_style.styles, *text_style.defaults):
        found = style.find(f"{A}lvl{level + 1}pPr")
        if found is not None:
            chain.append(found)
    runs = [run for run in _runs(node, chain, text_style) if run.text]
    end = node.find(f"{A}endParaRPr")
    size = runs[0].size if runs else _run(end, chain, text_style, "").size
    marker = bullets.marker(DrawnParagraph("", (), level, own)) if any(run.text.strip() for run in runs) else None
    ink = runs[0].colour if runs else "#000000"
    return TextParagraph(
        runs=tuple(runs),
        align=_ALIGNED.get(_attribute(chain, "algn"), "left"),
        marker=marker[0] if marker is not None else "",
        marker_colour=next((c for c in (text_style.palette.colour(p.find(f"{A}buClr")) for p in chain) if c), ink),
        indent=_points(_attribute(chain, "marL")),
        first=_points(_attribute(chain, "indent")),
        before=_spacing(chain, "spcBef", size, 0.0),
        after=_spacing(chain, "spcAft", size, 0.0),
        leading=_leading(chain, size),
        size=size,
        rtl=_attribute(chain, "rtl") in {"1", "true"},
    )


def _attribute(chain: Sequence[XmlElement], name: str) -> str:
    return next((found for found in (node.get(name) for node in chain) if found is not None), "")


def _points(value: str) -> float:
    return int(value[:10]) / _EMU if value.lstrip("-").isdecimal() else 0.0


def _spacing(chain: Sequence[XmlElement], name: str, size: float, default: float) -> float:
    for node in chain:
        found = node.find(f"{A}{name}")
        if found is not None:
            points, share = found.find(f"{A}spcPts"), found.find(f"{A}spcPct")
            if points is not None:
                return min(max(number_of(points, "val") / 100, 0.0), 1584.0)
            return min(max(number_of(share, "val") / 100_000, 0.0), 10.0) * size * 1.2
    return default


def _leading(chain: Sequence[XmlElement], size: float) -> float:
    """Line spacing as a share of single spacing."""
    points = _spacing(chain, "lnSpc", size, size * 1.2)
    return min(max(points / (size * 1.2), 0.5), 5.0)


def _runs(node: XmlElement, chain: Sequence[XmlElement], text_style: TextStyle) -> Iterator[TextRun]:
    for child in visible_children(node) if node.find(f"{MC}AlternateContent") is not None else node:
        properties = child.find(f"{A}rPr") if isinstance(child.tag, str) else None
        if child.tag == f"{A}r":
            yield _run(properties, chain, text_style, unescaped(child.findtext(f"{A}t") or ""))
        elif child.tag == f"{A}fld":
            text = child.findtext(f"{A}t") or ""
            shown = str(text_style.number) if child.get("type") == "slidenum" and text_style.number else text
            yield _run(properties, chain, text_style, unescaped(shown))
        elif child.tag == f"{A}br":
            yield _run(properties, chain, text_style, "\n")
        elif isinstance(child.tag, str) and (child.tag in _MATH or child.tag.endswith("main}m")):
            words = " ".join(plain(math) for math in ([child] if child.tag in _MATH else child))
            yield _run(None, chain, text_style, words)


def _run(properties: XmlElement | None, chain: Sequence[XmlElement], text_style: TextStyle, text: str) -> TextRun:
    looks = [properties] if properties is not None else []
    split = len(looks)
    for node in chain:
        default = node.find(f"{A}defRPr")
        if default is not None:
            looks.append(default)
    size = _attribute(looks, "sz")
    points = int(size[:6]) / 100 if size.isdecimal() else _USUAL_SIZE
    raised = _attribute(looks, "baseline")
    linked = properties is not None and properties.find(f"{A}hlinkClick") is not None
    bold = _attribute(looks, "b")
    return TextRun(
        text=text.upper() if _attribute(looks, "cap") in _SMALL_CAPS else text,
        size=min(max(points * text_style.scale, _MIN_SIZE), _MAX_SIZE),
        colour=_ink(looks, split, text_style, linked=linked),
        bold=bold in {"1", "true"} or (text_style.bold and not bold),
        italic=_attribute(looks, "i") in {"1", "true"},
        underline=linked or _attribute(looks, "u") not in {"", "none"},
        strike=_attribute(looks, "strike") not in {"", "noStrike"},
        face="mono" if _is_mono(looks) else "sans",
        raised="" if raised in {"", "0", "0%"} else "sub" if raised.startswith("-") else "sup",
    )


def _ink(looks: Sequence[XmlElement], own: int, text_style: TextStyle, *, linked: bool) -> str:
    """The colour of a run: its own, then the shape's style's, then what its paragraph styles say."""
    if linked:
        return text_style.palette.colours.get("hlink", "") and f"#{text_style.palette.colours['hlink']}"
    styled = len(looks)
    for at, node in enumerate(looks):
        if text_style.ink and at >= min(own, styled):
            break
        for child in node:
            paint = text_style.palette.fill(child) if isinstance(child.tag, str) else None
            if paint is not None:
                return paint.stops[0][0]
    return text_style.ink or f"#{text_style.palette.colours.get('tx1', '000000')}"


def _is_mono(looks: Sequence[XmlElement]) -> bool:
    face = next(
        (latin.get("typeface", "") for latin in (node.find(f"{A}latin") for node in looks) if latin is not None), ""
    )
    return any(word in face.lower() for word in ("mono", "courier", "consolas", "menlo", "typewriter"))
