"""Reads one text file: decodes it and hands it to the reader of its kind (prose, code, reStructuredText, Org,
AsciiDoc, LaTeX, lists of references)."""

from sidecar.api import AnyBlock, DamagedError, Heading, Limits, ParsedDocument, Source, UnsupportedError
from sidecar.toolkit.markup.chapters import elements_of, split_chapters
from sidecar.toolkit.markup.code import code_blocks
from sidecar.toolkit.text import read_text, without_surrogates
from sidecar.toolkit.visible import hidden_notice
from sidecar_text.languages import language_by_content, language_of
from sidecar_text.prose import prose_blocks
from sidecar_text.references import REFERENCES, read_references

_LATEX = (".tex", ".ltx")
"""Styles, classes and bibliographies are code."""


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The file as a document of chapters; source code is one chapter. Raises FormatError."""
    try:
        decoded, notices = read_text(source, limits)
    except DamagedError as error:
        raise UnsupportedError(str(error)) from error  # no text at all: nothing is broken about it
    text = without_surrogates(decoded.text)
    language = language_of(source.name, source.head) or language_by_content(text)
    title = ""
    metadata: dict[str, str] = {}
    blocks: list[AnyBlock]
    if language == "rst":
        from sidecar_text.rst.blocks import read_rst

        read = read_rst(text)
        blocks, metadata = read.blocks, read.metadata
    elif language == "org":
        from sidecar_text.org import read_org

        blocks, metadata = read_org(text)
        title = metadata.pop("title", "")
    elif language == "asciidoc":
        from sidecar_text.asciidoc import read_asciidoc

        blocks, metadata = read_asciidoc(text)
    elif language == "latex" and source.suffix in _LATEX:
        from sidecar_text.latex import read_latex

        blocks, metadata = read_latex(text)
        title = metadata.pop("title", "")
        metadata["language"] = language
    elif language in REFERENCES and (entries := read_references(text, language)):
        blocks = entries
        metadata = {"entries": str(sum(isinstance(block, Heading) for block in entries))}
    elif language:
        blocks = list(code_blocks(text, language, numbered=True))
        metadata = {"language": language}
    else:
        blocks = prose_blocks(text)
    chapters = split_chapters(blocks, title, limits.max_parts)
    return ParsedDocument(
        title=chapters.title,
        metadata=metadata,
        parts=chapters.parts,
        elements=elements_of(chapters.parts),
        notices=(*notices, *hidden_notice(blocks)),
    )
