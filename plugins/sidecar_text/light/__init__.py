"""Textile, Typst and MediaWiki's markup to blocks: headings, listings and tables."""
