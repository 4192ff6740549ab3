"""The content of stories (ECMA-376 part 1 §17.2, §17.3): paragraphs, runs, fields, tables and drawings to blocks."""
