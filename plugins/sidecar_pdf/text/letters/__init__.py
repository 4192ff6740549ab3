"""Letters whose places tell their words: spaced out, large at the start of a text, or running right to left."""
