"""The displayed formulas of a page: what belongs to each, and its text and LaTeX."""
