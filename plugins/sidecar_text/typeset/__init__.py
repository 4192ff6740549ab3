"""What typesetting programs write and read: the words of PostScript, LyX's documents, manuals."""
