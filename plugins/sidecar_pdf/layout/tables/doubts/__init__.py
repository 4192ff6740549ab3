"""What makes it doubtful that a table was read as it stands."""
