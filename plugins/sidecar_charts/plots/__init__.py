"""The kinds of plots, and the axes they stand in: each puts marks into a scene."""
