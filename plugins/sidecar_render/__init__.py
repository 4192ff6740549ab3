"""Rendering: Markdown to PDF, SVG and PNG through quillmark, kept as `render://` resources."""
