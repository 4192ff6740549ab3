"""Markdown to blocks: shared by Markdown files and notebook cells.

CommonMark, GFM tables and task lists, footnotes, TeX mathematics, admonitions and directives."""

from sidecar.toolkit.markup.markdown.blocks import read_markdown, style_sheets
from sidecar.toolkit.markup.markdown.syntax import line_text, make_markdown_parser, markdown_parser

__all__ = ["line_text", "make_markdown_parser", "markdown_parser", "read_markdown", "style_sheets"]
