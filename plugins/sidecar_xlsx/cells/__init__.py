"""Cells (ECMA-376 part 1 §18.3.1.4): rows scanned, strings and styles looked up, shown text gathered into tables."""
