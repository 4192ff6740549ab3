"""Jupyter notebooks."""

from sidecar_notebook.plugin import NotebookFormat

__all__ = ["NotebookFormat"]
