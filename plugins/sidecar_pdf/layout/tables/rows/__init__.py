"""Which lines of text are one row of a table."""
