"""The characters of a page as words and segments: what they stand for, in which direction, seen or unseen."""
