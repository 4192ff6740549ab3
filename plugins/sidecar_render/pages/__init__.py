"""Drawing whole pages, slides and sheets from `sidecar.api.PageDrawing`."""
