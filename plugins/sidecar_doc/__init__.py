"""Word 6 to 2003 documents (.doc, .dot), read without any program ([MS-DOC])."""

from sidecar_doc.plugin import DocFormat as DocFormat
