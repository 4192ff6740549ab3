"""`docsidecar claude-hook`: a PreToolUse hook of Claude Code that points a Read of an Office file or a large PDF to the
sidecar (code.claude.com/docs/en/hooks). It never stands in the way: whatever it does not understand passes.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from sidecar.api import SidecarError
from sidecar.config import Overrides, load

_OFFICE = frozenset({".docx", ".xlsx", ".pptx"})
"""What Claude Code's Read gives as bytes only."""
_LARGE_PDF_BYTES = 1_000_000
"""Read gives pages of a PDF as pictures; a larger one fills the context."""
_MOST_INPUT = 1_000_000


def register(commands: Any, shared: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "claude-hook", parents=[shared], help="answer a hook of Claude Code (its plugin calls this)",
        description="Reads the JSON of a PreToolUse hook from standard input and answers in JSON where a Read names an "
        "Office file or a large PDF.",
    )  # fmt: skip
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Answer one hook; always 0, because any other code would be shown as an error of the Read."""
    try:
        event: Any = json.loads(sys.stdin.buffer.read(_MOST_INPUT))
    except ValueError:
        return 0
    said = answer(event, overrides) if isinstance(event, dict) else {}  # pyright: ignore[reportUnknownArgumentType]
    if said:
        print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse"} | said}))
    return 0


def answer(event: dict[str, Any], overrides: Overrides) -> dict[str, str]:
    """The fields of `hookSpecificOutput` for that event; {} lets the Read go on unchanged."""
    asked: Any = event.get("tool_input")
    if event.get("hook_event_name") != "PreToolUse" or event.get("tool_name") != "Read" or not isinstance(asked, dict):
        return {}
    given: dict[str, Any] = asked
    path = Path(str(event.get("cwd") or "."), str(given.get("file_path") or ""))
    try:
        if not _points_elsewhere(path, given):
            return {}
        config = load(overrides)
        watched = config.folder_of(str(path)) or config.folder_of(str(path.resolve()))
    except (OSError, ValueError, SidecarError):
        return {}
    name = json.dumps(path.name, ensure_ascii=False)
    if watched is not None:
        large = " Or Read the few pages you need with `pages`." if path.suffix.lower() == ".pdf" else ""
        return {
            "permissionDecision": "deny",
            "permissionDecisionReason": f"DocSidecar has {name} indexed. Call its tool find_document with that name, "
            "then get_outline(document_slug) and read(uri), or search_documents with document_slug; "
            f"get_page_image shows a page.{large}",
        }
    if path.suffix.lower() not in _OFFICE:
        return {}
    return {
        "additionalContext": f"{name} lies in no folder that DocSidecar watches. Once the user has run "
        "`docsidecar add` with its folder, DocSidecar's tools read it."
    }


def _points_elsewhere(path: Path, given: dict[str, Any]) -> bool:
    suffix = path.suffix.lower()
    if suffix == ".pdf":
        return not given.get("pages") and path.is_file() and path.stat().st_size >= _LARGE_PDF_BYTES
    return suffix in _OFFICE and path.is_file()
