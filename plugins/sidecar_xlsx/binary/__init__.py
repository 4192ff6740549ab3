"""Binary workbooks, .xls ([MS-XLS]) and .xlsb ([MS-XLSB]), as SpreadsheetML: one reader serves all workbooks."""
