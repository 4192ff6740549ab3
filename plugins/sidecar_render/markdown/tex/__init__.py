"""LaTeX mathematics as Typst mathematics."""
