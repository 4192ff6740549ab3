"""PowerPoint presentations as a format plugin: .pptx and its relatives, .ppt by way of LibreOffice."""

from sidecar_pptx.plugin import PptxFormat as PptxFormat
