"""Spreadsheets as documents: Excel (.xlsx .xlsm .xltx .xltm .xlsb .xls) and OpenDocument (.ods)."""

from sidecar_xlsx.plugin import XlsxFormat as XlsxFormat
