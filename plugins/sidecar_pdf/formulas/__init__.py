"""Formulas of a page as LaTeX, from the places of their glyphs."""
