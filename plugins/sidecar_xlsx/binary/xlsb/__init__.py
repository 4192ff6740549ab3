"""The binary parts of an .xlsb package ([MS-XLSB]) as SpreadsheetML."""
