"""What speaks against a table as it was read: its values, its rows, and what they come to together."""
