"""The feature plugin: the tool `explain_cell`. Workbooks are taken apart in the worker pool "formulas" only."""

from collections.abc import Mapping
from typing import Any

from pydantic import AliasChoices, Field

from sidecar.api import Address, Call, Registrar, Result, Tool, UsageError, parse_uri
from sidecar.toolkit.answers.budget import answer_tokens, fit, shorten
from sidecar.toolkit.settings import ToolArguments

_POOL = "formulas"
_SECONDS = 60.0
_FORMULA_CHARS = 2000
_MAX_LEVELS = 20
_LISTS = ("takes_in", "used_by", "results")
"""The lists of an answer that are cut to the budget, the most wanted first."""


class ExplainArguments(ToolArguments):
    """Arguments of `explain_cell`."""

    uri: str = Field(
        validation_alias=AliasChoices("uri", "document_slug"), description="sheet://book/S1?range=B9 or slug"
    )
    label: str | None = Field(
        None, validation_alias=AliasChoices("label", "cell"), description='S1!B9 or "Total revenue 2024"'
    )
    levels: int = 1


async def explain_cell(call: Call, arguments: ExplainArguments) -> Result:
    """Explain a cell, found by address or by label. Raises UsageError."""
    from sidecar_formulas.explaining import Question  # here: with it comes what takes workbooks apart

    if not 1 <= arguments.levels <= _MAX_LEVELS:
        raise UsageError(f"levels is {arguments.levels}; 1 to {_MAX_LEVELS} can be followed.")
    named = "://" not in arguments.uri
    address = Address("document", arguments.uri) if named else parse_uri(arguments.uri)
    if address.scheme not in ("sheet", "document"):
        raise UsageError(f"{arguments.uri[:80]} is not a sheet; give sheet://… or the document:// of a workbook.")
    document = await call.services.library.stored_document(address.doc)
    if not any(part.kind == "sheet" for part in document.parts):
        raise UsageError(f"{document.slug} has no sheets; explain_cell is for workbooks.")
    doc = document.slug if named else address.doc
    sheet = address.path[0] if address.path else ""
    question = Question(sheet, address.query.get("range", ""), (arguments.label or "").strip(), arguments.levels)
    answer: dict[str, Any] = await call.services.workers.run(
        "sidecar_formulas.explaining:explain", document, doc, question, timeout=_SECONDS, pool=_POOL
    )
    return Result(structured=_fitting(answer, call.budget))


def _fitting(answer: Mapping[str, Any], budget: int) -> dict[str, Any]:
    """The answer within its budget: long formulas shortened, lists cut at their ends, and how many are left out."""
    fields = {name: _shortened(value) for name, value in answer.items()}
    lists = [name for name in _LISTS if name in fields]
    room = budget - answer_tokens({name: value for name, value in fields.items() if name not in lists})
    for place, name in enumerate(lists):
        entries = fields[name]
        share = room if place == len(lists) - 1 else room * 2 // 3
        count = fit(entries, share) if entries else 0
        if count < len(entries):
            fields[name] = entries[:count]
            fields[f"{name}_left_out"] = len(entries) - count
        room -= answer_tokens(fields[name])
    return fields


def _shortened(value: Any) -> Any:
    if isinstance(value, str):
        return shorten(value, _FORMULA_CHARS)
    if isinstance(value, list):
        return [_shortened(item) for item in value]
    return {key: _shortened(item) for key, item in value.items()} if isinstance(value, dict) else value


class FormulasFeature:
    """Registers `explain_cell`. It has no settings."""

    name = "formulas"
    version = "1"

    def register(self, registrar: Registrar, settings: Mapping[str, Any]) -> None:
        """Add the tool."""
        registrar.tool(
            Tool(
                "explain_cell", "Explain a cell", "A cell's formula, what it takes in, what uses it.", ExplainArguments,
                explain_cell,
            )
        )  # fmt: skip
