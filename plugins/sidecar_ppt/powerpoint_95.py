"""What is read of presentations older than PowerPoint 97: of PowerPoint 95 its texts, of still older ones none.

PowerPoint 95 keeps all texts of a presentation once more, in their order, in a stream of their own for programs that
search files ("Text_Content", seen in its files; no published specification tells its records)."""

from collections.abc import Iterator
from typing import Final

from sidecar.api import Limits, Notice, Paragraph, ParsedDocument, Part, Source, UnsupportedError
from sidecar.toolkit.ole.compound import Compound, damage_errors
from sidecar.toolkit.ole.properties import read_properties
from sidecar.toolkit.text import decode

_HEADER, _TEXTS, _FOURTH = "Header", "Text_Content", "PP40"
_BY: Final = b"Microsoft (R) PowerPoint"
_NOTICE = Notice(
    "unsupported_content",
    "It was written by PowerPoint 95: its texts are read, notes among them, but not which slide each stands on, nor "
    "pictures and tables. Save it as .pptx to have all of it.",
)


def too_old(name: str) -> UnsupportedError:
    """What is said of a file that is older than PowerPoint 95."""
    return UnsupportedError(f"{name} was written by a program older than PowerPoint 95; save it as .pptx to index it.")


def read_older(source: Source, limits: Limits) -> ParsedDocument | None:
    """The texts of a presentation of PowerPoint 95, as one chapter; None where the compound file is none.

    Raises:
        UnsupportedError: written by PowerPoint 4.
        DamagedError: the compound file cannot be read."""
    with damage_errors(source.name):
        compound = Compound(source.read(limits.max_file_bytes))
        if _FOURTH in compound:
            raise too_old(source.name)
        texts, header = (compound.stream_in((), name) for name in (_TEXTS, _HEADER))
    if texts is None or not (header or b"").startswith(_BY):
        return None
    text = decode(texts.rstrip(b"\0").replace(b"\0", b" "), source.name).text
    cut = (Notice("truncated_at", "Only the first texts are read."),) if len(text) > limits.max_text_chars else ()
    metadata = read_properties(compound)
    title, description = metadata.pop("title", ""), metadata.pop("description", "")
    chapter = Part(kind="chapter", blocks=tuple(_paragraphs(text[: limits.max_text_chars])))
    return ParsedDocument(
        title=title, description=description, metadata=metadata, parts=(chapter,), notices=(_NOTICE, *cut)
    )


def _paragraphs(text: str) -> Iterator[Paragraph]:
    """Each text that says anything; a vertical tab ends a line within one."""
    for line in text.replace("\r\n", "\r").replace("\n", "\r").split("\r"):
        shown = "\n".join(" ".join(piece.split()) for piece in line.split("\v")).strip()
        if shown:
            yield Paragraph(text=shown)
