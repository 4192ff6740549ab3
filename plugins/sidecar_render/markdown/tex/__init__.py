"""LaTeX mathematics: read into a tree, written as Typst and as Office mathematics."""
