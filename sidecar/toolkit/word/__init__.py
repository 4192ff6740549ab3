"""What Word's formats (OOXML, the binary one, RTF) share: list counting, number formats, symbols, dates, fields, and
the story that text becomes blocks in. Reads no format itself."""
