"""Slides as they look: geometry, fills, text and tables as `sidecar.api.drawn`. Not responsible for drawing."""
