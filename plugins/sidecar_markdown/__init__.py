"""Markdown documents."""

from sidecar_markdown.plugin import MarkdownFormat as MarkdownFormat
