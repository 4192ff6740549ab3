"""Binary workbooks: .xls ([MS-XLS]) and .xlsb ([MS-XLSB])."""
