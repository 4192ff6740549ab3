"""One sheet: its worksheet part and all that stands beside the cells, built into a `Part`."""
