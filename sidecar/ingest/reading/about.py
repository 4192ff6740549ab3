"""The words that belong to a document as a whole, as passages of their own: its properties, what it refers to outside
itself, and what is embedded in it without standing anywhere. They lead to the document's outline, which shows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sidecar.api.model import CLERICAL_METADATA, Embed, ParsedDocument
from sidecar.ingest.reading.passages import pieces
from sidecar.ingest.reading.plaintext import embed_text
from sidecar.store.documents.records import PASSAGE_CHARS, PassageRecord

__all__ = ["about_passages"]

_VALUE_CHARS: Final = 2000
_TITLE_CHARS: Final = 300


def about_passages(parsed: ParsedDocument, unseen: Sequence[Embed], parts: int) -> list[PassageRecord]:
    """Passages beside those of the text. `unseen` are embeds no figure shows: with a part they are found there, without
    one they belong to the document, as its properties do (block 0 of part 1 stands for that)."""
    if not parts:
        return []
    found: list[PassageRecord] = []
    lines = [
        f"{key}: {value[:_VALUE_CHARS]}"
        for key, value in parsed.metadata.items()
        if value and key not in CLERICAL_METADATA
    ]
    if parsed.description:
        lines.append(parsed.description[:_VALUE_CHARS])
    lines += [notice.message[:_VALUE_CHARS] for notice in parsed.notices if notice.code == "external_content"]
    for embed in unseen:
        text = embed_text(embed)
        if text and embed.part is None:
            lines.append(text)
        elif text:
            part, block = min(max(embed.part or 1, 1), parts), max(embed.block, 1)
            found.append(PassageRecord(part, block, block, "", "", text[: 4 * PASSAGE_CHARS], 0))
    title = " ".join(parsed.title.split())[:_TITLE_CHARS]
    found += [PassageRecord(1, 0, 0, "", title, piece, 0) for piece in pieces("\n".join(dict.fromkeys(lines)))]
    return found
