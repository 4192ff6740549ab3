"""The one place that talks to quillmark: load a quill, parse a document, render, and put its diagnostics in our words.

quillmark 0.113 runs Typst in a sandbox of its own: no file outside the quill, no network, no clock, no packages but
the quill's. It does not bound time or memory; whoever runs this module does."""

import re
from pathlib import Path
from typing import Any

from quillmark import Document, OutputFormat, Quill, Quillmark, QuillmarkError, Severity

from sidecar_render.model import Diagnostic
from sidecar_render.model import OutputFormat as Form
from sidecar_render.typeset.quills import QuillFault

_FORMATS = {"PDF": OutputFormat.PDF, "SVG": OutputFormat.SVG, "PNG": OutputFormat.PNG}
_FIELD = re.compile(r"(?:invalid field \"|at `|main\.|field `)([A-Za-z_][\w-]*)")
_MAX_DIAGNOSTICS = 12


class EngineError(Exception):
    """quillmark refused; carries its diagnostics in our words."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__("; ".join(item.message for item in diagnostics))
        self.diagnostics = diagnostics


def load(path: Path) -> Quill:
    """The quill in a folder. Raises QuillFault."""
    try:
        return Quill.from_path(path)
    except QuillmarkError as error:
        reason = "; ".join(item.message.strip().partition("\n")[0] for item in error.diagnostics[:3])
        raise QuillFault(f"The quill {path.name} cannot be loaded: {reason}.") from error


def draw(quill: Quill, markdown: str, form: Form, shift: int = 0) -> tuple[tuple[bytes, ...], tuple[Diagnostic, ...]]:
    """Render a document whose lines lie `shift` lower than in the file it was made from: pages, and warnings.

    Raises:
        EngineError: the document or the plate is wrong."""
    try:
        document = Document.from_markdown(markdown)
        document.set_quill_ref(quill.quill_ref)
        found: list[Any] = [*document.warnings]
        notes = [*quill.conform(document), *quill.validate(document)]
        result = Quillmark().render(quill, document, _FORMATS[form])
    except QuillmarkError as error:
        diagnostics = [_diagnostic_of(item, markdown, shift) for item in error.diagnostics[:_MAX_DIAGNOSTICS]]
        raise EngineError(tuple(dict.fromkeys(diagnostics))) from error
    found += [*quill.warnings, *result.warnings]
    warnings = [_diagnostic_of(item, markdown, shift) for item in found]
    warnings += [_note_diagnostic(note, markdown, shift) for note in notes if note.get("severity") == "warning"]
    return tuple(bytes(item.bytes) for item in result.artifacts), tuple(dict.fromkeys(warnings))[:_MAX_DIAGNOSTICS]


def describe(quill: Quill) -> tuple[str, dict[str, Any], dict[str, Any], str]:
    """A quill's description, its fields, those of its cards, and its blueprint: an example to fill in."""
    schema: Any = quill.schema
    main = schema.get("main", {}).get("fields", {})
    cards = {name: _fields(card.get("fields", {})) for name, card in schema.get("card_kinds", {}).items()}
    return str(quill.metadata.get("description", "")), _fields(main), cards, quill.blueprint


def _fields(schema: dict[str, Any]) -> dict[str, Any]:
    kept = ("type", "description", "default", "values", "example")
    return {
        name: {key: field[key] for key in kept if field.get(key) not in (None, "")} for name, field in schema.items()
    }


def _diagnostic_of(item: Any, markdown: str, shift: int) -> Diagnostic:
    severity = "warning" if item.severity == Severity.WARNING else "error"
    message = str(item.message).strip().partition("\n")[0].removeprefix("[WARN] ")
    line, file = None, ""
    location = item.location
    if location is not None and location.file == "input.md":
        line = max(location.line - shift, 1)
        message = re.sub(r"(?:error: )?line \d+ column \d+: ", "", message)
    elif location is not None:
        file = "plate.typ" if location.file == "main.typ" else str(location.file)
        line = location.line
    else:
        line = _line_of(item.path or "", message, markdown, shift)
    return Diagnostic(message.rstrip("."), severity, line, (item.hint or "").strip(), file, item.code or "")


def _note_diagnostic(note: dict[str, Any], markdown: str, shift: int) -> Diagnostic:
    line = _line_of(str(note.get("path", "")), str(note["message"]), markdown, shift)
    return Diagnostic(
        str(note["message"]).rstrip("."), "warning", line, str(note.get("hint", "")), code=str(note["code"])
    )


def _line_of(path: str, message: str, markdown: str, shift: int) -> int | None:
    """Where the field a diagnostic speaks of stands in the root block; it does not say so itself."""
    name = path.removeprefix("main.").partition(".")[0] if path.startswith("main.") else ""
    if not name:
        found = _FIELD.search(message)
        name = found[1] if found else ""
    if not name:
        return None
    for number, line in enumerate(markdown.split("\n", 2000)[:2000], 1):
        if re.match(rf"{re.escape(name)}[ \t]*:", line):
            return max(number - shift, 1)
    return None
