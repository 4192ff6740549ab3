"""OpenDocument texts, presentations and drawings (LibreOffice, OpenOffice); spreadsheets are read elsewhere."""

from sidecar_odf.plugin import OdfFormat as OdfFormat
