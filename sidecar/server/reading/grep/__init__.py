"""Search by pattern over the indexed text: which lines match, and how they are shown."""
