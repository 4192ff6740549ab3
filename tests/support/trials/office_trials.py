"""The three trial documents as one set, and the search for every token in them through a client: by reading what the
outline leads to, and by `search_documents`, whose hit's URI must show the token when it is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from mcp.client.client import Client
from support.office.docx_files import packed
from support.trials import docx_trial, pptx_trial, xlsx_trial


@dataclass(frozen=True)
class Trial:
    """A file with a token in every place; `places` tells each token's place in words."""

    name: str
    data: bytes
    places: Mapping[str, str]

    @property
    def slug(self) -> str:
        return self.name.partition(".")[0]


@dataclass(frozen=True)
class Finding:
    """Where a token was found: the URI that shows it, and the URI of the search hit that does; "" for nowhere."""

    token: str
    place: str
    read: str
    hit: str


def trials() -> tuple[Trial, ...]:
    """Word, Excel and PowerPoint. The workbook has macros, hence its suffix."""
    return (
        Trial("word.docx", docx_trial.trial(), {docx_trial.token(k): v for k, v in docx_trial.PLACES.items()}),
        Trial("excel.xlsm", packed(xlsx_trial.trial_parts()), xlsx_trial.PLACES),
        Trial(
            "slides.pptx",
            packed(pptx_trial.parts()),
            {pptx_trial.token(key): place for key, place in pptx_trial.PLACES.items()},
        ),
    )  # fmt: skip


def shows(text: str, token: str) -> bool:
    """Whether the token stands in the text as a word of its own, however Markdown and JSON escape it."""
    plain = text.replace("**", "").replace("\\", "")
    return re.search(rf"(?<!\w){re.escape(token)}(?!\w)", plain) is not None


async def read(client: Client, uri: str) -> str:
    """All text a URI gives."""
    contents = (await client.read_resource(uri)).contents
    return "\n".join(item.text for item in contents if isinstance(item, types.TextResourceContents))


async def views(client: Client, trial: Trial) -> dict[str, str]:
    """URI → text of what the outline leads to: the outline, every part, and a sheet's formulas and data."""
    outline = f"document://{trial.slug}"
    found = {outline: await read(client, outline)}
    parts = re.findall(r"^- \[.*?\]\(((?:chapter|sheet|slide)://[^)\s]+)\)", found[outline], re.MULTILINE)
    for uri in parts:
        found[uri] = await read(client, uri)
    for uri in [uri for uri in parts if uri.startswith("sheet")]:
        for other in (f"{uri}?formulas=1", f"{uri}.json"):
            found[other] = await read(client, other)
    return found


async def search(client: Client, trial: Trial, token: str) -> str:
    """The URI of the first hit that shows the token when read."""
    query = token if token.isalnum() else f'"{token}"'
    answer = await client.call_tool("search_documents", {"query": query, "document_slug": trial.slug, "limit": 5})
    assert not answer.is_error, answer.content
    structured: dict[str, Any] = answer.structured_content
    for hit in structured["results"]:
        if shows(await read(client, hit["uri"]), token):
            return str(hit["uri"])
    return ""


async def find_all(client: Client, trial: Trial) -> list[Finding]:
    """Every token of the trial, looked for both ways."""
    texts = await views(client, trial)
    return [
        Finding(
            token,
            place,
            next((uri for uri, text in texts.items() if shows(text, token)), ""),
            await search(client, trial, token),
        )
        for token, place in trial.places.items()
    ]
