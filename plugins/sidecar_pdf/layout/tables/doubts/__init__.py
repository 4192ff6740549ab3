"""What makes it doubtful that a table was read as it stands: its values, its rows, and what they come to together."""
