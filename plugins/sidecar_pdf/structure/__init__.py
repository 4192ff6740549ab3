"""Regions of all pages as a document: paragraphs, headings, captions, lists, notes, elements."""
