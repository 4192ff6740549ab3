"""Workbooks of other programs and those exchanged as text, written as SpreadsheetML packages in memory."""
