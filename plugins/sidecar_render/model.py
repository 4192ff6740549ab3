"""What passes between the serving process and the worker, and what both mean by it: requests, plans, diagnostics."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

OutputFormat = Literal["PDF", "SVG", "PNG", "DOCX", "XLSX", "PPTX", "CSV"]

_OFFICE = "application/vnd.openxmlformats-officedocument"
MEDIA_TYPES: Mapping[OutputFormat, str] = {
    "PDF": "application/pdf", "SVG": "image/svg+xml", "PNG": "image/png", "CSV": "text/csv",
    "DOCX": f"{_OFFICE}.wordprocessingml.document", "XLSX": f"{_OFFICE}.spreadsheetml.sheet",
    "PPTX": f"{_OFFICE}.presentationml.presentation",
}  # fmt: skip
OFFICE = frozenset({"DOCX", "XLSX", "PPTX", "CSV"})
"""The formats that no quill draws."""
DEFAULT_QUILL = "default"
"""The built-in quill, for plain Markdown. It is the only one whose Markdown we read ourselves."""


def upper(value: Any) -> Any:
    """Formats are names: "pdf" is as good as "PDF"."""
    return value.strip().upper() if isinstance(value, str) else value


@dataclass(frozen=True)
class Diagnostic:
    """One remark of the renderer. `line` is 1-based in the document, or in `file` of the quill when that is given."""

    message: str
    severity: Literal["error", "warning"] = "error"
    line: int | None = None
    hint: str = ""
    file: str = ""
    code: str = ""

    def sentence(self) -> str:
        """ "line 3: unclosed bracket '[' (hint)"."""
        place = f"line {self.line}" if self.line else ""
        if self.file:
            place = f"{self.file} of the quill, {place}" if place else f"{self.file} of the quill"
        text = f"{place}: {self.message}" if place else self.message
        return f"{text} (hint: {self.hint})" if self.hint else text

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> "Diagnostic":
        """The inverse of `record`."""
        return cls(**record)

    def record(self) -> dict[str, object]:
        """As an answer's field; what is empty is left out."""
        fields = {
            "severity": self.severity, "message": self.message, "line": self.line, "hint": self.hint,
            "file": self.file, "code": self.code,
        }  # fmt: skip
        return {key: value for key, value in fields.items() if value}


@dataclass(frozen=True)
class RenderLimits:
    """What a rendering may cost. `memory_bytes` is enforced on Linux; time is enforced by whoever calls the worker."""

    memory_bytes: int = 1 << 30
    max_pages: int = 1000
    max_output_bytes: int = 128 << 20
    max_quill_bytes: int = 64 << 20


@dataclass(frozen=True)
class Plan:
    """What rendering a document will take: the quill by name, version and content, and the pictures it shows:
    `pictures` by URIs of the library, `files` by paths beside the document, as it writes them."""

    quill: str
    version: str
    path: str
    digest: str
    pictures: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class LoadedPicture:
    """Bytes of a picture of the library or beside the document, or why there are none."""

    data: bytes = b""
    reason: str = ""


@dataclass(frozen=True)
class RenderJob:
    """One rendering. `scratch` is an empty folder that the caller made and removes."""

    markdown: str
    form: OutputFormat
    plan: Plan
    scratch: str
    pictures: Mapping[str, LoadedPicture] = field(default_factory=dict[str, LoadedPicture])
    bounds: RenderLimits = field(default_factory=RenderLimits)


@dataclass(frozen=True)
class Rendering:
    """The result: one item of `data` for PDF, one a page for SVG and PNG."""

    data: tuple[bytes, ...]
    pages: int
    title: str
    warnings: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class Refusal:
    """Why a document could not be rendered."""

    diagnostics: tuple[Diagnostic, ...]


class TooLong(Exception):
    """The document has more pages than may be rendered; `pages` is about how many."""

    def __init__(self, pages: int, most: int, *, counted: bool) -> None:
        has_pages = f"has {pages:,}" if counted else f"would have about {pages:,}"
        super().__init__(f"the document {has_pages} pages; at most {most:,} are rendered")

    def refusal(self) -> Refusal:
        """What to answer."""
        hint = "render it in parts, such as chapter by chapter, or raise plugins.render.max_pages in the configuration"
        return Refusal((Diagnostic(str(self), hint=hint, code="limit"),))


@dataclass(frozen=True)
class QuillInfo:
    """One quill for `list_quills`; `error` says why it cannot be used."""

    name: str
    version: str
    path: str
    description: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])
    cards: Mapping[str, Any] = field(default_factory=dict[str, Any])
    example: str = ""
    error: str = ""
