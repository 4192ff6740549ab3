"""The tools: `render_document`, `list_quills`, `clear_render_cache`. Answers carry URIs; bytes only when asked for."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, cast

from pydantic import BeforeValidator, Field

from sidecar.api import Call, Content, Embedded, Image, Link, ResourceContent, Result, Text, Tool, UsageError
from sidecar.toolkit.answers.budget import abridge, fit, json_tokens, shorten
from sidecar.toolkit.answers.tokens import estimate_tokens
from sidecar.toolkit.settings import ToolArguments
from sidecar_render.artifacts import Artifact, Artifacts
from sidecar_render.exporting import Exporter
from sidecar_render.model import OFFICE, QuillInfo, upper
from sidecar_render.office.content import OfficeFormat
from sidecar_render.rendering import Renderer

_PICTURE_TOKENS = 1600
_MAX_WARNINGS = 20


class RenderArguments(ToolArguments):
    """Arguments of `render_document`."""

    markdown: str = Field(min_length=1, description="shows library pictures by URI: ![Sales](chart://report/0)")
    output_format: Annotated[Literal["PDF", "SVG", "PNG", "DOCX", "XLSX", "PPTX"], BeforeValidator(upper)] = "PDF"
    quill: str | None = Field(None, description="name or name@version from list_quills")
    inline: bool = Field(False, description="put the bytes into the answer")


class NoArguments(ToolArguments):
    """A tool without arguments."""


class ClearArguments(ToolArguments):
    """Arguments of `clear_render_cache`."""

    older_than: Annotated[float | None, Field(ge=0, description="seconds; all when left out")] = None


class RenderTools:
    """The handlers and what they work with."""

    def __init__(self, renderer: Renderer, exporter: Exporter, artifacts: Artifacts) -> None:
        self._renderer = renderer
        self._exporter = exporter
        self._artifacts = artifacts

    async def render_document(self, call: Call, arguments: RenderArguments) -> Result:
        """Render and keep; `RenderError` carries the diagnostics. Raises UsageError."""
        form = arguments.output_format
        if form in OFFICE:
            if arguments.quill:
                raise UsageError(f"A quill draws PDF, SVG and PNG; leave it out for {form}.")
            artifact = await self._exporter.markdown(call.services, arguments.markdown, cast(OfficeFormat, form))
        else:
            artifact = await self._renderer.render(call.services, arguments.markdown, form, arguments.quill or "")
        answer = answer_of(artifact, call.budget)
        structured, contents = dict(answer.structured or {}), list(answer.contents)
        if arguments.inline:
            spent = json_tokens(structured) + sum(
                estimate_tokens(item.text) for item in contents if isinstance(item, Text)
            )
            found = await self._artifacts.get(call.services, artifact.id)
            remark = _add_inline(contents, artifact, found[1] if found else (), call.budget - spent - 200)
            if remark:
                structured["remark"] = remark
                contents.append(Text(remark))
        return Result(tuple(contents), structured)

    async def list_quills(self, call: Call, arguments: NoArguments) -> Result:
        """The quills there are, with what each takes."""
        entries = [_quill(info) for info in await self._renderer.quills(call.services)]
        count = fit(entries, call.budget)
        if count < len(entries):
            entries = [{key: value for key, value in entry.items() if key != "example"} for entry in entries]
            count = fit(entries, call.budget)
        structured: dict[str, object] = {"quills": entries[:count]}
        if count < len(entries):
            structured["remark"] = f"{len(entries) - count} more did not fit the budget."
        # One is given whatever it takes.
        return Result(structured=abridge(structured, call.budget, whole=("remark",), frame=None, paid=call.paid))

    async def clear_render_cache(self, call: Call, arguments: ClearArguments) -> Result:
        """Drop kept artifacts."""
        removed = await self._artifacts.clear(call.services, arguments.older_than)
        left = await self._artifacts.summary(call.services)
        return Result(structured={"removed": removed, "kept": left["artifacts"]})

    def tools(self) -> Sequence[Tool[Any]]:
        """All of them, ready to register."""
        return (
            Tool(
                "render_document", "Render a document",
                "Make a PDF, picture or Office file from Markdown (tables, code, math, footnotes, library pictures)."
                " Returns a render:// URI.",
                RenderArguments, self.render_document, read_only=False,
            ),
            Tool("list_quills", "List quills", "Templates for render_document, with fields and examples.", NoArguments,
                 self.list_quills),
            Tool("clear_render_cache", "Clear rendered documents", "Drop kept renderings.", ClearArguments,
                 self.clear_render_cache, read_only=False, destructive=True),
        )  # fmt: skip


def answer_of(artifact: Artifact, budget: int) -> Result:
    """What a tool answers that made an artifact."""
    warnings = [item.record() for item in artifact.warnings[:_MAX_WARNINGS]]
    structured: dict[str, object] = {
        "success": True,
        "artifacts": [artifact.record()],
        "warnings": warnings[: fit(warnings, budget // 2)] if warnings else [],
    }
    return Result((Text(_summary(artifact)), _link(artifact)), structured)


def _summary(artifact: Artifact) -> str:
    drawn = "" if artifact.form in OFFICE else f" with the quill {artifact.quill}"
    lines = [
        f"Rendered {artifact.title or 'the document'} as {artifact.form}{drawn}: {artifact.extent},"
        f" {artifact.size:,} bytes. {artifact.uri}"
    ]
    if len(artifact.sizes) > 1:
        what = "Tables" if artifact.form == "CSV" else "Pages"
        lines.append(f"{what} one by one: {artifact.page_uri(1)} to {artifact.page_uri(len(artifact.sizes))}")
    lines += [f"Warning: {shorten(item.sentence(), 400)}" for item in artifact.warnings[:_MAX_WARNINGS]]
    if len(artifact.warnings) > _MAX_WARNINGS:
        lines.append(f"And {len(artifact.warnings) - _MAX_WARNINGS} more warnings.")
    return "\n".join(lines)


def _link(artifact: Artifact) -> Link:
    return Link(artifact.uri, artifact.name, artifact.media_type, artifact.title, size=artifact.size)


def _add_inline(contents: list[Content], artifact: Artifact, items: Sequence[bytes], room: int) -> str:
    """Add the bytes as far as the budget goes; gives what to say about the rest."""
    added = 0
    for number, item in enumerate(items, 1):
        uri = artifact.page_uri(number)
        if artifact.form == "PNG":
            cost, content = _PICTURE_TOKENS, Image(item, artifact.media_type, uri)
        elif artifact.form == "SVG":
            text = item.decode("utf-8", "replace")
            cost, content = estimate_tokens(text), Embedded(ResourceContent(uri, artifact.media_type, text=text))
        else:
            cost = len(item) * 4 // 3 // 2  # base64, two characters a token
            content = Embedded(ResourceContent(uri, artifact.media_type, data=item))
        if cost + 40 > room:
            break
        room -= cost + 40
        contents.append(content)
        added += 1
    if added == len(items):
        return ""
    what = "The bytes" if not added else f"Pages {added + 1} to {len(items)}"
    return f"{what} would exceed the answer's budget; read {artifact.page_uri(added + 1)} instead."


def _quill(info: QuillInfo) -> dict[str, object]:
    entry: dict[str, object] = {
        "name": info.name,
        "version": info.version,
        "description": shorten(info.description, 300),
    }
    if info.error:
        entry["error"] = info.error
    entry["fields"] = {name: _field(field) for name, field in info.fields.items()}
    entry["cards"] = {
        name: {key: _field(field) for key, field in fields.items()} for name, fields in info.cards.items()
    }
    entry["example"] = info.example
    entry["path"] = info.path
    return {key: value for key, value in entry.items() if value not in ("", {})}


def _field(field: dict[str, Any]) -> str:
    """ "string, default a4: The page's size.", because a line costs a third of an object."""
    kind = str(field.get("type", ""))
    if field.get("values"):
        kind += " of " + "|".join(map(str, field["values"]))
    if "default" in field:
        kind += f", default {field['default']}"
    about = str(field.get("description", ""))
    return shorten(f"{kind}: {about}" if about else kind, 200)
