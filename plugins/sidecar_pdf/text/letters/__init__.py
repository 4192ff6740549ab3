"""Letters that are set apart from the word they belong to: spaced out, or large at the start of a text."""
