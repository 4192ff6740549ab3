"""XPS and OpenXPS documents: pages as Windows prints them into a file."""

from sidecar_xps.plugin import XpsFormat as XpsFormat
