"""PDF: pages in reading order, with figures, tables and equations found by caption and by layout (ISO 32000-1)."""

from sidecar_pdf.plugin import PdfFormat as PdfFormat
