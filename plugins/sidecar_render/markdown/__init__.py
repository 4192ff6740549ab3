"""Markdown read into nodes: the data that a quill draws. Nothing here knows of the engine."""
