"""DjVu documents: scanned books with the text that was recognised in them."""

from sidecar_djvu.plugin import DjvuFormat as DjvuFormat
