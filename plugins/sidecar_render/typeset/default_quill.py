"""Plain Markdown through the default quill: drawn with its data, and with the pictures and fonts that it needs.

Most documents need the same fonts and show no pictures. For them the quill is loaded once in a worker and handed the
data as a field; others get a folder of their own, as pictures are files to the engine."""

import json
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from sidecar.toolkit.fonts.files import copy_font
from sidecar_render.markdown.blocks import Body
from sidecar_render.markdown.directions import mostly_rtl, turn
from sidecar_render.markdown.document import picture_sources, read_body
from sidecar_render.markdown.front_matter import MarkdownSource
from sidecar_render.markdown.inlines import title_text
from sidecar_render.markdown.pagination import about_pages
from sidecar_render.markdown.text import language_of
from sidecar_render.model import DEFAULT_QUILL, Rendering, RenderJob, TooLong
from sidecar_render.typeset.engine import EngineError, draw, load
from sidecar_render.typeset.fonts import typefaces_for
from sidecar_render.typeset.pictures import Assets
from sidecar_render.typeset.quills import BUILTIN

if TYPE_CHECKING:
    from quillmark import Quill

_LIBRARY = frozenset({"image", "chart", "element", "page", "slide", "office", "render"})
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|[#?]|//")
"""A picture's address that is not a path: a scheme (drives of Windows have one letter), a fragment, a host."""
_PAPERS = frozenset({"a4", "a5", "us-letter", "us-legal"})
_LANGUAGE = re.compile(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z]{2}))?(?:[-_.].*)?")
_RTL = frozenset({"ar", "fa", "he", "iw", "ur", "yi", "ps", "sd", "ug", "dv", "ckb"})
_MAX_IN_FIELD = 1 << 18
"""Characters of data that go through the engine's YAML; a file is read faster from there on."""
_SURELY = 1.05
"""How far an estimate of pages must be above the limit to be believed; what lies between is drawn and counted."""


def library_pictures(document: MarkdownSource) -> tuple[str, ...]:
    """The addresses of the pictures that the library has to give."""
    if not re.search(f"(?:{'|'.join(_LIBRARY)})://", document.body):
        return ()
    return tuple(uri for uri in picture_sources(document.body) if uri.partition("://")[0].lower() in _LIBRARY)


def file_pictures(document: MarkdownSource) -> tuple[str, ...]:
    """The addresses of the pictures that lie in files, by their paths from the document's folder."""
    if "![" not in document.body and "<img" not in document.body.lower():
        return ()
    return tuple(path for path in picture_sources(document.body) if path and not _ELSEWHERE.match(path))


def draw_plain(document: MarkdownSource, job: RenderJob) -> Rendering:
    """Render; what goes wrong with one picture or formula costs only that one.

    Raises:
        EngineError: what is left cannot be rendered.
        TooLong: it has many more pages than it may; drawing them would cost most of the time and memory there is."""
    home = Path(job.scratch)
    assets = Assets(home, job.pictures)
    try:
        return _try_render(document, job, assets, formulas=True)
    except EngineError:
        # Rare: a picture the engine cannot decode, or a formula it refuses. Find the pictures, do without formulas.
        assets.drop_undrawable(lambda file: _refused(home, file))
        try:
            return _try_render(document, job, assets, formulas=True)
        except EngineError:
            return _try_render(document, job, assets, formulas=False)


def _refused(home: Path, file: str) -> str:
    (home / "plate.typ").write_text(f'#image("{file}", width: 1pt)', encoding="utf-8")
    try:
        draw(load(home), f"~~~\n$quill: {DEFAULT_QUILL}\n~~~\n", "PDF")
    except EngineError as error:
        return str(error)
    return ""


def _try_render(document: MarkdownSource, job: RenderJob, assets: Assets, *, formulas: bool) -> Rendering:
    home = Path(job.scratch)
    fields = _fields(document.fields)
    lang = _language(fields, document)
    body = read_body(document.body, document.offset, assets.get, formulas=formulas, title=fields["title"], lang=lang)
    pages = about_pages(body.blocks, fields["paper"])
    if pages > job.bounds.max_pages * _SURELY:
        raise TooLong(pages, job.bounds.max_pages, counted=False)
    title = fields["title"] or body.title
    data = _data(body, fields, title, lang)
    blob = json.dumps(data, ensure_ascii=False)
    faces = typefaces_for(document, lang, data["region"] or "", formulas='"code": "' in blob)
    blob = f'{{"families": {json.dumps(faces.families)}, {blob[1:]}'
    quill, root = _prepared(home, faces.files, blob)
    pages, found = draw(quill, root, job.form)
    all_warnings = [*faces.warnings, *body.warnings]
    all_warnings += [item for item in found if item.code != "typst::compile"]
    return Rendering(pages, len(pages), title, tuple(dict.fromkeys(all_warnings)))


def _data(body: Body, fields: Mapping[str, Any], title: str, lang: str) -> dict[str, Any]:
    match = _LANGUAGE.fullmatch(fields["lang"])
    rtl = lang in _RTL or (not match and mostly_rtl(body.blocks))
    turn(body.blocks, rtl)
    running = title if len(title) <= 90 else title[:89] + "…"
    return {
        **{key: fields[key] for key in ("subtitle", "author", "date", "toc", "paper")},
        "title": title, "running": running, "authors": fields["authors"], "lang": lang, "rtl": rtl,
        "region": match[2].upper() if match and match[2] else None, "anchors": body.anchors, "blocks": body.blocks,
        "day": _day(fields["date"]), "keywords": fields["keywords"], "about": fields["description"],
    }  # fmt: skip


def _language(fields: Mapping[str, Any], document: MarkdownSource) -> str:
    """The language as front matter says, else as the script tells."""
    match = _LANGUAGE.fullmatch(fields["lang"])
    return match[1].lower() if match else language_of(document.body)


def _day(text: str) -> list[int] | None:
    """A date for the PDF's metadata, where it is written as ISO 8601 has it."""
    try:
        day = date.fromisoformat(text[:10])
    except ValueError:
        return None
    return [day.year, day.month, day.day]


def _fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """The default quill's fields from front matter, under the names people use for them."""
    values = {key.lower().replace("-", "_"): value for key, value in given.items()}

    def text(*names: str) -> str:
        value = next((values[name] for name in names if values.get(name)), "")
        return " ".join(_flat(value).split())

    paper = text("paper", "papersize").lower().replace("letter", "us-letter").replace("us-us-", "us-")
    return {
        "title": title_text(text("title")), "subtitle": title_text(text("subtitle")),
        "author": text("author", "authors", "creator"),
        "authors": _names(values.get("author") or values.get("authors") or values.get("creator")),
        "keywords": _names(values.get("keywords") or values.get("tags")),
        "description": text("description", "abstract", "summary"),
        "date": text("date", "created", "published"), "lang": text("lang", "language", "locale"),
        "toc": text("toc", "table_of_contents").lower() in ("true", "yes", "on", "1"),
        "paper": paper if paper in _PAPERS else "a4",
    }  # fmt: skip


def _names(value: Any) -> list[str]:
    """A list of short texts for the PDF's metadata."""
    items = cast("list[Any]", value)[:50] if isinstance(value, list) else [value] if value else []
    return list(filter(None, (" ".join(_flat(item).split()) for item in items)))


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


def _prepared(home: Path, fonts: Sequence[Path], blob: str) -> "tuple[Quill, str]":
    """The quill for a document whose data are `blob` and whose pictures lie in `home`, and the root block to draw."""
    root = f"~~~\n$quill: {DEFAULT_QUILL}\n"
    if len(blob) <= _MAX_IN_FIELD and not (home / "assets" / "pictures").exists():
        return _loaded(tuple(fonts)), f"{root}document: {json.dumps(blob)}\n~~~\n"
    _write(home, fonts)
    (home / "assets" / "document.json").write_text(blob, encoding="utf-8")
    return load(home), f"{root}~~~\n"


@lru_cache(maxsize=2)
def _loaded(fonts: tuple[Path, ...]) -> "Quill":
    with tempfile.TemporaryDirectory(prefix="docsidecar-quill-") as folder:
        home = Path(folder) / "quill"
        _write(home, fonts)
        return load(home)


def _write(home: Path, fonts: Sequence[Path]) -> None:
    folder = home / "assets" / "fonts"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("Quill.yaml", "plate.typ"):
        shutil.copyfile(BUILTIN / name, home / name)
    for path in fonts:
        copy_font(path, folder)
