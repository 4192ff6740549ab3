"""Markdown documents."""

from sidecar_markdown.plugin import MarkdownFormat

__all__ = ["MarkdownFormat"]
