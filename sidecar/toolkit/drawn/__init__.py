"""Parts of documents laid out as `sidecar.api.drawn`, for formats whose files say little of how they look."""
