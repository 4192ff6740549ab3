"""`docsidecar claude-hook`: a hook of Claude Code that points a Read of an Office file or a large PDF to the sidecar
(code.claude.com/docs/en/hooks). It never stands in the way: whatever it does not understand passes.

Claude Code 2.1 refuses a Read of an Office file before it asks PreToolUse hooks; such a Read is first seen in
PostToolBatch, before the model goes on."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from sidecar.api import SidecarError
from sidecar.cli.output import Commands
from sidecar.config import Overrides, load

_OFFICE = frozenset({".docx", ".xlsx", ".pptx"})
"""What Claude Code's Read gives as bytes only."""
_LARGE_PDF_BYTES = 1_000_000
"""Read gives pages of a PDF as pictures; a larger one fills the context."""
_MAX_INPUT = 16_000_000
"""Bytes; a batch comes with the tools' answers."""
_MAX_POINTED = 5
"""Files of one batch that are spoken of."""


def register(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "claude-hook", parents=[shared], help="answer a hook of Claude Code (its plugin calls this)",
        description="Reads the JSON of a PreToolUse or PostToolBatch hook from standard input and answers in JSON "
        "where a Read names an Office file or a large PDF.",
    )  # fmt: skip
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Answer one hook; always 0, because any other code would be shown as an error of the Read."""
    try:
        event: Any = json.loads(sys.stdin.buffer.read(_MAX_INPUT))
    except ValueError:
        return 0
    context = _answer(event, overrides) if isinstance(event, dict) else {}  # pyright: ignore[reportUnknownArgumentType]
    if context:
        print(json.dumps({"hookSpecificOutput": {"hookEventName": event["hook_event_name"]} | context}))
    return 0


def _answer(event: dict[str, Any], overrides: Overrides) -> dict[str, str]:
    """The fields of `hookSpecificOutput` for that event; {} lets Claude Code go on unchanged."""
    name, where = event.get("hook_event_name"), str(event.get("cwd") or ".")
    if name == "PreToolUse":
        text, indexed = _pointed(event, where, overrides)
        if indexed:
            return {"permissionDecision": "deny", "permissionDecisionReason": text}
        return {"additionalContext": text} if text else {}
    calls: Any = event.get("tool_calls")
    if name != "PostToolBatch" or not isinstance(calls, list):
        return {}
    # What PreToolUse was asked about has its answer.
    unasked = [call for call in calls if isinstance(call, dict) and "DocSidecar" not in str(call.get("tool_response"))]  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType, reportUnknownArgumentType]
    all_said = dict.fromkeys(_pointed(call, where, overrides)[0] for call in unasked)  # pyright: ignore[reportUnknownArgumentType]
    context = "\n".join([text for text in all_said if text][:_MAX_POINTED])
    return {"additionalContext": context} if context else {}


def _pointed(call: dict[str, Any], where: str, overrides: Overrides) -> tuple[str, bool]:
    """What is to be said of a call, "" for nothing, and whether the file it reads is in a watched folder."""
    asked: Any = call.get("tool_input")
    if call.get("tool_name") != "Read" or not isinstance(asked, dict):
        return "", False
    given: dict[str, Any] = asked
    path = Path(where, str(given.get("file_path") or ""))
    try:
        if not _points_elsewhere(path, given):
            return "", False
        config = load(overrides)
        watched = config.folder_of(str(path)) or config.folder_of(str(path.resolve()))
    except (OSError, ValueError, SidecarError):
        return "", False
    name = json.dumps(path.name, ensure_ascii=False)
    pdf = path.suffix.lower() == ".pdf"
    if watched is not None:
        text = (
            f"DocSidecar has {name} indexed. Call its tool find_document with that name, then "
            "get_outline(document_slug) and read(uri), or search_documents with document_slug; get_page_image shows a "
            "page."
        )
        return text + (" Or Read the few pages you need with `pages`." if pdf else ""), True
    if pdf:
        return "", False
    text = (
        f"{name} lies in no folder that DocSidecar watches. Once the user has run `docsidecar add` with its folder, "
        "DocSidecar's tools read it."
    )
    return text, False


def _points_elsewhere(path: Path, given: dict[str, Any]) -> bool:
    suffix = path.suffix.lower()
    if suffix == ".pdf":
        return not given.get("pages") and path.is_file() and path.stat().st_size >= _LARGE_PDF_BYTES
    return suffix in _OFFICE and path.is_file()
