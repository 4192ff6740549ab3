"""Plain Markdown through the default quill: its data, pictures and fonts put into a folder of its own, then drawn."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from sidecar.api.pictures import EXTENSIONS, HEAD_BYTES, sniff_image
from sidecar_render.document import Asset, Body, picture_sources, read_body
from sidecar_render.engine import EngineError, draw, load
from sidecar_render.fonts import choose_fonts, covered
from sidecar_render.model import DEFAULT_QUILL, Diagnostic, Job, Picture, Rendering
from sidecar_render.quills import BUILTIN
from sidecar_render.source import Document
from sidecar_render.words import starts_rtl

__all__ = ["draw_plain", "library_pictures"]

_FONTS = BUILTIN / "assets" / "fonts"
_TEXT_FONTS = tuple(
    _FONTS / f"{name}.ttf"
    for name in ("SourceSans3-Regular", "SourceSans3-Italic", "SourceSans3-SemiBold", "SourceSans3-SemiBoldItalic",
                 "SourceCodePro-Regular")
)  # fmt: skip
_MATH_FONT = _FONTS / "NotoSansMath-Regular.ttf"
_EMOJI_FONT = _FONTS / "NotoEmoji-Regular.ttf"
_LIBRARY = frozenset({"image", "chart", "element", "page", "slide", "office", "render"})
_DRAWABLE = frozenset({"image/png", "image/jpeg", "image/gif", "image/svg+xml", "image/webp"})
_PAPERS = frozenset({"a4", "a5", "us-letter", "us-legal"})
_MOST_PIXELS = 50_000_000
_MOST_BYTES = 32 << 20
_LANGUAGE = re.compile(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z]{2}))?(?:[-_.].*)?")
_RTL = frozenset({"ar", "fa", "he", "iw", "ur", "yi", "ps", "sd", "ug", "dv", "ckb"})


def library_pictures(document: Document) -> tuple[str, ...]:
    """The addresses of the pictures that the library has to give."""
    if not re.search(f"(?:{'|'.join(_LIBRARY)})://", document.body):
        return ()
    return tuple(uri for uri in picture_sources(document.body) if uri.partition("://")[0].lower() in _LIBRARY)


def draw_plain(document: Document, job: Job) -> Rendering:
    """Render; what goes wrong with one picture or formula costs only that one.

    Raises:
        EngineError: what is left cannot be rendered.
    """
    home = Path(job.scratch)
    assets = _Assets(home, job.pictures)
    try:
        return _attempt(document, job, assets, formulas=True)
    except EngineError:
        # Rare: a picture the engine cannot decode, or a formula it refuses. Find the pictures, do without formulas.
        assets.drop_undrawable()
        try:
            return _attempt(document, job, assets, formulas=True)
        except EngineError:
            return _attempt(document, job, assets, formulas=False)


def _attempt(document: Document, job: Job, assets: _Assets, *, formulas: bool) -> Rendering:
    home = Path(job.scratch)
    fields = _fields(document.fields)
    body = read_body(document.body, document.offset, assets.get, formulas=formulas, title=fields["title"])
    title = fields["title"] or body.title
    data = _data(body, fields, title)
    told = [*_write_quill(home, document, data), *body.warnings]
    root = {**fields, "title": title}
    root.pop("lang")
    lines = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in root.items())
    pages, found = draw(load(home), f"~~~\n$quill: {DEFAULT_QUILL}\n{lines}~~~\n", job.form)
    told += [item for item in found if item.code != "typst::compile"]
    return Rendering(pages, len(pages), title, tuple(dict.fromkeys(told)))


def _data(body: Body, fields: Mapping[str, Any], title: str) -> dict[str, Any]:
    match = _LANGUAGE.fullmatch(fields["lang"])
    lang = match[1].lower() if match else "en"
    rtl = lang in _RTL or (not match and bool(_mostly_rtl(body.blocks)))
    running = title if len(title) <= 90 else title[:89] + "…"
    authors = [fields["author"]] if fields["author"] else []
    return {
        "title": title, "running": running, "authors": authors, "lang": lang, "rtl": rtl,
        "region": match[2].upper() if match and match[2] else None, "anchors": body.anchors, "blocks": body.blocks,
    }  # fmt: skip


def _mostly_rtl(blocks: Sequence[Any]) -> bool:
    """Whether most headings and paragraphs begin right to left: then the document does."""
    votes = [
        starts_rtl(block["plain"]) if block["k"] == "h" else block.get("rtl")
        for block in blocks
        if isinstance(block, dict) and block["k"] in ("h", "p")
    ]
    decided = [vote for vote in votes if vote is not None]
    return sum(decided) * 2 > len(decided) if decided else False


def _write_quill(home: Path, document: Document, data: Mapping[str, Any]) -> list[Diagnostic]:
    """The default quill with this document's data and the fonts it needs; gives warnings about missing ones."""
    text = document.head + document.body
    fonts = home / "assets" / "fonts"
    if not fonts.exists():
        fonts.mkdir(parents=True)
        for name in ("Quill.yaml", "plate.typ"):
            shutil.copyfile(BUILTIN / name, home / name)
        for path in _TEXT_FONTS:
            shutil.copyfile(path, fonts / path.name)
    symbols = {code for code in covered(_MATH_FONT) if code >= 0x2000}  # below lie letters of other scripts' formulas
    others = [path for path in _TEXT_FONTS if "Regular" in path.name]
    known = frozenset().union(*map(covered, others))
    rest = "".join(character for character in set(text) if ord(character) not in known)
    blob = json.dumps(data, ensure_ascii=False)
    if '"code": "' in blob or any(ord(character) in symbols for character in rest):
        shutil.copyfile(_MATH_FONT, fonts / _MATH_FONT.name)
        rest = "".join(character for character in rest if ord(character) not in symbols)
    if any(ord(character) in covered(_EMOJI_FONT) for character in rest):
        shutil.copyfile(_EMOJI_FONT, fonts / _EMOJI_FONT.name)
        rest = "".join(character for character in rest if ord(character) not in covered(_EMOJI_FONT))
    choice = choose_fonts(rest, ())
    for path in choice.files:  # a collection loads under any suffix the engine takes
        shutil.copyfile(path, fonts / (path.stem + (".otf" if path.suffix == ".ttc" else path.suffix)))
    (home / "assets" / "document.json").write_text(blob, encoding="utf-8")
    return [
        Diagnostic(
            f"no font on this machine has the {script} characters of this document ({count} of them, such as"
            f" {first}, U+{ord(first):04X}); they are missing in the result",
            "warning", _line_with(document, first), f"install a font for {script}, such as one of the Noto fonts",
        )
        for script, count, first in choice.missing
    ]  # fmt: skip


def _line_with(document: Document, character: str) -> int | None:
    """The line of the document where a character stands first."""
    if character in document.head:
        return 2 + document.head.count("\n", 0, document.head.index(character))
    if character in document.body:
        return document.offset + 1 + document.body.count("\n", 0, document.body.index(character))
    return None


def _fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """The default quill's fields from front matter, under the names people use for them."""
    values = {key.lower().replace("-", "_"): value for key, value in given.items()}

    def text(*names: str) -> str:
        value = next((values[name] for name in names if values.get(name)), "")
        return " ".join(_flat(value).split())

    paper = text("paper", "papersize").lower().replace("letter", "us-letter").replace("us-us-", "us-")
    return {
        "title": text("title"), "subtitle": text("subtitle"), "author": text("author", "authors", "creator"),
        "date": text("date", "created", "published"), "lang": text("lang", "language", "locale"),
        "toc": text("toc", "table_of_contents").lower() in ("true", "yes", "on", "1"),
        "paper": paper if paper in _PAPERS else "a4",
    }  # fmt: skip


def _flat(value: Any, depth: int = 0) -> str:
    """One line of a value. YAML aliases make small files of huge values, so depth and breadth are bounded."""
    if depth > 2:
        return ""
    if isinstance(value, dict):
        pairs = cast(dict[str, Any], value)
        return _flat(pairs.get("name", ""), depth + 1) or _flat(list(pairs.values()), depth + 1)
    if isinstance(value, list):
        return ", ".join(filter(None, (_flat(item, depth + 1) for item in cast(list[Any], value)[:50])))
    return str(value)[:500]


class _Assets:
    """Pictures by address, written into the quill's folder when first asked for."""

    def __init__(self, home: Path, pictures: Mapping[str, Picture]) -> None:
        self._home = home
        self._pictures = pictures
        self._known: dict[str, Asset | str] = {}

    def get(self, source: str) -> Asset | str:
        """The picture, or a sentence that says why there is none."""
        if source not in self._known:
            placed = self._place(source)
            self._known[source] = _sentence(source, placed) if isinstance(placed, str) else placed
        return self._known[source]

    def drop_undrawable(self) -> None:
        """Try each picture alone, and forget those the engine cannot decode."""
        plate = self._home / "plate.typ"
        for source, asset in self._known.items():
            if isinstance(asset, str):
                continue
            plate.write_text(f'#image("{asset.file}", width: 1pt)', encoding="utf-8")
            try:
                draw(load(self._home), f"~~~\n$quill: {DEFAULT_QUILL}\n~~~\n", "PDF")
            except EngineError as error:
                self._known[source] = _sentence(source, f"cannot be decoded: {error}")
        shutil.copyfile(BUILTIN / "plate.typ", plate)

    def _place(self, source: str) -> Asset | str:
        data = self._bytes(source)
        if isinstance(data, str):
            return data
        info = sniff_image(data[:HEAD_BYTES])
        if info is None or info.media_type not in _DRAWABLE:
            return "is not a PNG, JPEG, GIF, WebP or SVG picture"
        if len(data) > _MOST_BYTES or info.width * info.height > _MOST_PIXELS:
            return f"is too large: {info.width:,} × {info.height:,} pixels, {len(data):,} bytes"
        folder = self._home / "assets" / "pictures"
        folder.mkdir(parents=True, exist_ok=True)
        name = f"p{len(self._known)}{EXTENSIONS[info.media_type]}"
        (folder / name).write_bytes(data)
        scale = 0.75 if info.media_type == "image/svg+xml" else 0.5  # 96 pixels an inch, and 144 for photographs
        return Asset(f"assets/pictures/{name}", info.width * scale, info.height * scale)

    def _bytes(self, source: str) -> bytes | str:
        picture = self._pictures.get(source)
        if picture is not None:
            return picture.data or f"cannot be had: {picture.reason}"
        if source[:5].lower() == "data:":
            from sidecar.api.errors import NotFoundError
            from sidecar.api.markup.pictures import open_data_url

            try:
                return open_data_url(source, "a data: URL").data
            except NotFoundError:
                return "holds no readable bytes"
        if re.match(r"https?:", source, re.IGNORECASE):
            return "lies on the web and is not fetched; use a picture of the library by its URI"
        return "is not part of the library; use image://, element://, chart:// or page:// URIs"


def _sentence(source: str, why: str) -> str:
    return f"the picture {source if len(source) <= 80 else source[:79] + '…'} {why}".rstrip(".")
