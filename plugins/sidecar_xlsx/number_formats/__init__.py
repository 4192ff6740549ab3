"""Number formats (ECMA-376 part 1 §18.8.30, §18.8.31): from a format code to what a cell shows."""
