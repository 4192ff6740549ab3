"""The files of the page that people look at the library with, and all of them as the one file that an MCP App is
(SEP-1865). No document's text is in them; how the page is served over HTTP is `page`'s."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import mcp_types as types

APP_EXTENSION = "io.modelcontextprotocol/ui"
APP_URI = "ui://library"
_APP_MEDIA_TYPE = "text/html;profile=mcp-app"

_HTML = "page.html"
_SCRIPTS = (
    "dom.js", "host.js", "markdown.js", "library.js", "search.js", "elements.js", "reading.js", "document.js",
    "page.js",
)  # fmt: skip
"""In the order in which they are run: each uses what those before it define."""
FILES = {
    _HTML: "text/html; charset=utf-8",
    "page.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
} | dict.fromkeys(_SCRIPTS, "text/javascript; charset=utf-8")
"""Name → media type of every file there is."""


@cache
def file_bytes(name: str) -> bytes:
    """One of `FILES`."""
    return (files(__package__ or "") / "static" / name).read_bytes()


def shows_apps(extensions: dict[str, Any] | None) -> bool:
    """Whether a client that declared those extensions shows apps of our kind."""
    declared = (extensions or {}).get(APP_EXTENSION)
    return isinstance(declared, dict) and _APP_MEDIA_TYPE in declared.get("mimeTypes", ())


def app_contents() -> types.TextResourceContents:
    """The app as `resources/read` gives it. It asks for nothing from any network, which the host is to hold it to."""
    return types.TextResourceContents(
        uri=APP_URI,
        mime_type=_APP_MEDIA_TYPE,
        text=_one_file(),
        _meta={"ui": {"csp": {"connectDomains": [], "resourceDomains": []}, "prefersBorder": True}},
    )


@cache
def _one_file() -> str:
    page = file_bytes(_HTML).decode()
    page = page.replace('<html lang="en">', '<html lang="en" data-host="mcp-app">')
    page = page.replace('<link rel="icon" href="icon.svg">', "")
    page = page.replace('<link rel="stylesheet" href="page.css">', f"<style>{file_bytes('page.css').decode()}</style>")
    for name in _SCRIPTS:
        page = page.replace(f'<script defer src="{name}"></script>', "")
    scripts = "\n".join(file_bytes(name).decode() for name in _SCRIPTS)
    return page.replace("</body>", f"<script>{scripts}</script>\n</body>")
