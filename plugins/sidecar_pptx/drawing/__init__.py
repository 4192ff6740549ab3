"""Slides as they look: geometry, fills, text and tables as `toolkit.drawn.model`. Not responsible for drawing."""
