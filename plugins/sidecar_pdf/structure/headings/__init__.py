"""Which regions are headings, and of which level."""
