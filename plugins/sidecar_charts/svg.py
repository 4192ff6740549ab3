"""A scene as SVG. Text is escaped, numbers are ours, colours from the palette: no document can write markup.

Not responsible for layout."""

import re
from xml.sax.saxutils import escape, quoteattr

from sidecar_charts.scene import PAPER, Circle, Path, Scene, SceneText

FONTS = "Figtree, 'Segoe UI', 'Helvetica Neue', Arial, 'Noto Sans', sans-serif"
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_svg(scene: Scene, words: bool = True) -> str:
    """The scene as a standalone SVG document, without its text when `words` is False."""
    size = f'width="{scene.width}" height="{scene.height}" viewBox="0 0 {scene.width} {scene.height}"'
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">']
    if scene.title and words:
        lines.append(f"<title>{escape(plain(scene.title))}</title>")
    lines.append(f'<rect width="{scene.width}" height="{scene.height}" fill="{PAPER}"/>')
    if words:
        lines.append(f"<g font-family={quoteattr(FONTS)}>")
    for mark in scene.marks:
        if isinstance(mark, Path):
            lines.append(_path(mark))
        elif isinstance(mark, Circle):
            lines.append(_circle(mark))
        elif words:
            lines.append(_words(mark))
    lines.append("</g></svg>" if words else "</svg>")
    return "\n".join(lines)


def plain(text: str) -> str:
    """The text without characters XML cannot hold."""
    return _ILLEGAL.sub("", text)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _path(mark: Path) -> str:
    steps = "L".join(f"{_number(x)} {_number(y)}" for x, y in mark.points)
    look = f'fill="{mark.fill or "none"}"'
    if mark.stroke:
        look += f' stroke="{mark.stroke}" stroke-width="{_number(mark.width)}" stroke-linejoin="round"'
    if mark.dash:
        look += ' stroke-dasharray="5 4"'
    if mark.opacity < 1:
        look += f' opacity="{_number(mark.opacity)}"'
    return f'<path d="M{steps}{"Z" if mark.fill else ""}" {look}/>'


def _circle(mark: Circle) -> str:
    look = f' stroke="{mark.stroke}"' if mark.stroke else ""
    look += f' opacity="{_number(mark.opacity)}"' if mark.opacity < 1 else ""
    return (
        f'<circle cx="{_number(mark.x)}" cy="{_number(mark.y)}" r="{_number(mark.radius)}" fill="{mark.fill}"{look}/>'
    )


def _words(mark: SceneText) -> str:
    look = ' font-weight="600"' if mark.bold else ""
    if mark.turn:
        look += f' transform="rotate({_number(mark.turn)} {_number(mark.x)} {_number(mark.y)})"'
    # The middle of a capital is about a third of the size above the base line; dominant-baseline is not honoured alike.
    return (
        f'<text x="{_number(mark.x)}" y="{_number(mark.y)}" dy="0.35em" font-size="{_number(mark.size)}"'
        f' text-anchor="{mark.anchor}" fill="{mark.colour}"{look}>{escape(plain(mark.text))}</text>'
    )
