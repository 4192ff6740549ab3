"""AsciiDoc files (docs.asciidoctor.org/asciidoc): the document's title and attributes, section titles, listings and
comments. What stands between them is read as prose, marks of its lines and all."""

import re

from sidecar.api import AnyBlock, Heading
from sidecar.toolkit.markup.code import code_blocks
from sidecar_text.prose import prose_blocks

_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?[ \t]*$")
_ATTRIBUTE = re.compile(r":([\w-]+):[ \t]*(.*)$")
_BLOCK = re.compile(r"\[(?:source|listing)?,?[ \t]*(?P<language>[\w+#-]*)[^\]]*\][ \t]*$")
_LISTING = re.compile(r"(-{4,}|\.{4,}|`{3,})(\w*)[ \t]*$")
_COMMENT = re.compile(r"/{4,}[ \t]*$")
_FACTS = {"author": "author", "revdate": "created", "lang": "language", "keywords": "keywords",
          "description": "description", "email": "email"}  # fmt: skip


def read_asciidoc(text: str) -> tuple[list[AnyBlock], dict[str, str]]:
    """The blocks of an AsciiDoc file, and its metadata."""
    lines = text.split("\n")
    blocks: list[AnyBlock] = []
    metadata: dict[str, str] = {}
    prose: list[str] = []
    language = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        heading, attribute, listing = _HEADING.match(line), _ATTRIBUTE.match(line), _LISTING.match(line)
        if heading or listing or _COMMENT.match(line):
            blocks += prose_blocks("\n".join(prose))
            prose.clear()
        if heading:
            blocks.append(Heading(text=heading[2], level=len(heading[1])))
        elif listing or _COMMENT.match(line):
            mark = listing[1] if listing else line.rstrip()
            end = next((n for n in range(at + 1, len(lines)) if lines[n].rstrip() == mark), len(lines))
            if listing:
                blocks += code_blocks("\n".join(lines[at + 1 : end]), language or listing[2])
            at = end
        elif attribute:
            if (name := _FACTS.get(attribute[1].lower())) and attribute[2].strip():
                metadata[name] = attribute[2].strip()
        elif not line.startswith("//") and not _BLOCK.match(line):
            prose.append(line)
        block = _BLOCK.match(line)
        language = block["language"] if block else ""
        at += 1
    return blocks + prose_blocks("\n".join(prose)), metadata
