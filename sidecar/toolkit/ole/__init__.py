"""Old Office files (MS-CFB): compound files, objects in them, their properties and drawings."""

OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""What a compound file begins with (MS-CFB §2.2); here since plugins score files by it without reading them."""
