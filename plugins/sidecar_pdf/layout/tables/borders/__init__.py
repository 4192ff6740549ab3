"""Borders of the cells of tables: drawn ones, those of fills, those that white space draws, and boxes that are none."""
