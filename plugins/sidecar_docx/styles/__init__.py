"""What styles and numbering definitions make of paragraphs and runs (ECMA-376 part 1 §17.7, §17.9)."""
