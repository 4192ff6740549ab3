"""The binary workbook of Excel 5 to 2003 ([MS-XLS]) as a SpreadsheetML package."""
