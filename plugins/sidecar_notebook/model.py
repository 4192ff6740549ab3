"""A notebook file as cells, whatever its version (nbformat 3 and 4). Anything malformed is left out, not fatal."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import msgspec

from sidecar.api import ChartData, DamagedError
from sidecar.toolkit.text import without_surrogates
from sidecar_notebook.plots import mapping, plot_of, sequence

_OLD_KINDS = {
    "text": "text/plain", "html": "text/html", "latex": "text/latex", "png": "image/png", "jpeg": "image/jpeg",
    "svg": "image/svg+xml",
}  # fmt: skip


@dataclass(frozen=True)
class Output:
    """One output: `kind` is "stream", "error" or "data"; `data` maps media types to text (base64 for pictures)."""

    kind: str
    data: dict[str, str]
    plot: ChartData | None = None


@dataclass(frozen=True)
class NotebookCell:
    """`kind` is "markdown", "code" or "raw". `attachments` maps a name to its `data` by media type."""

    kind: str
    text: str
    outputs: tuple[Output, ...] = ()
    attachments: tuple[tuple[str, dict[str, str]], ...] = ()
    level: int = 0
    """Heading level of an nbformat 3 heading cell."""


@dataclass(frozen=True)
class Notebook:
    """A notebook of any version, in the terms of version 4."""

    cells: tuple[NotebookCell, ...]
    language: str
    metadata: dict[str, str]
    title: str


def read_notebook(data: bytes, name: str) -> Notebook:
    """Raises DamagedError when the bytes are not a notebook."""
    try:
        raw: object = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError):
        # The standard library is slower but takes lone surrogates, NaN and control characters.
        try:
            raw = json.loads(data.decode("utf-8-sig", "replace"), strict=False)
        except (ValueError, RecursionError) as error:
            raise DamagedError(f"{name} is not readable JSON: {error}.") from error
    except RecursionError as error:
        raise DamagedError(f"{name} is JSON that is nested too deeply.") from error
    top = mapping(raw)
    cells = sequence(top.get("cells"))
    for sheet in sequence(top.get("worksheets")):
        cells += sequence(mapping(sheet).get("cells"))
    if not cells and "cells" not in top and "worksheets" not in top:
        raise DamagedError(f"{name} is JSON, but not a notebook: it has no cells.")
    metadata = mapping(top.get("metadata"))
    kernel = mapping(metadata.get("kernelspec"))
    info = mapping(metadata.get("language_info"))
    language = _text(info.get("name")) or _text(kernel.get("language"))
    authors = [_text(mapping(author).get("name")) for author in sequence(metadata.get("authors"))]
    facts = {
        "language": language,
        "application": _text(kernel.get("display_name")),
        "author": ", ".join(filter(None, authors)),
    }
    return Notebook(
        tuple(_cell(mapping(cell)) for cell in cells),
        language,
        {key: value for key, value in facts.items() if value},
        _text(metadata.get("title")),
    )


def _cell(cell: Mapping[str, object]) -> NotebookCell:
    kind = _text(cell.get("cell_type"))
    text = _text(cell.get("source")) or _text(cell.get("input"))
    level = cell.get("level")
    if kind == "heading":
        return NotebookCell("markdown", text, level=level if isinstance(level, int) and 1 <= level <= 6 else 1)
    attachments = tuple(
        (without_surrogates(name), _bundle(mapping(bundle)))
        for name, bundle in mapping(cell.get("attachments")).items()
    )
    outputs = tuple(_output(mapping(output)) for output in sequence(cell.get("outputs")))
    return NotebookCell(kind if kind in ("markdown", "code") else "raw", text, outputs, attachments)


def _output(output: Mapping[str, object]) -> Output:
    kind = output.get("output_type")
    if kind == "stream":
        return Output("stream", {"text/plain": _text(output.get("text"))})
    if kind in ("error", "pyerr"):
        trace = "\n".join(_text(line) for line in sequence(output.get("traceback")))
        last = f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}"
        return Output("error", {"text/plain": trace or last})
    bundle = mapping(output.get("data"))
    data = _bundle(bundle)
    for key, media_type in _OLD_KINDS.items():
        if key in output:  # nbformat 3
            data.setdefault(media_type, _text(output.get(key)))
    return Output("data", data, plot_of(bundle))


def _bundle(bundle: Mapping[str, object]) -> dict[str, str]:
    return {without_surrogates(kind): _text(value) for kind, value in bundle.items() if isinstance(value, (str, list))}


def _text(value: object) -> str:
    """nbformat's multi-line strings: a string, or a list of lines that keep their ends."""
    if isinstance(value, list):
        lines = cast("list[object]", value)
        value = "".join(line for line in lines if isinstance(line, str))
    return without_surrogates(value) if isinstance(value, str) else ""
