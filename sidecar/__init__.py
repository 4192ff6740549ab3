"""DocSidecar: a local sidecar that indexes document folders and serves them over the Model Context Protocol."""

__version__ = "0.1.0"
