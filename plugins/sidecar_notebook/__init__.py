"""Jupyter notebooks."""

from sidecar_notebook.plugin import NotebookFormat as NotebookFormat
