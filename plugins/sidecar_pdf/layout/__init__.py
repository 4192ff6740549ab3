"""Segments of a page as lines, columns, tables and figures, in reading order."""
