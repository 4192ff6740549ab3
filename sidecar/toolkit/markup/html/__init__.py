"""HTML and XHTML to blocks: shared by web pages, e-books, mail bodies and HTML inside Markdown.

`read_html` takes a parsed tree and gives blocks; it never follows a link and runs nothing."""

from sidecar.toolkit.markup.html.read import declared_encoding, depth_notice, parse_html, read_html

__all__ = ["declared_encoding", "depth_notice", "parse_html", "read_html"]
