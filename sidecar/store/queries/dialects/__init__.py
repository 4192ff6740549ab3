"""What other dialects of SQL write, in the words of SQLite, and what is said of what is not rewritten."""
