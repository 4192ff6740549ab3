"""How each kind of workbook begins. Imports nothing: the plugin's class needs it, and so does what opens the file."""

from __future__ import annotations

import re

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ZIP = b"PK\x03\x04"
ODS = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
_XML_2003 = re.compile(
    rb"^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*<(?:\?xml|(?:\w+:)?Workbook)\b.*?"
    rb"[\"']urn:schemas-microsoft-com:office:spreadsheet[\"']",
    re.DOTALL,
)


def is_xml_2003(head: bytes) -> bool:
    """Whether a file that begins so is an XML Spreadsheet of Excel 2003."""
    return _XML_2003.match(head.replace(b"\0", b"")) is not None
