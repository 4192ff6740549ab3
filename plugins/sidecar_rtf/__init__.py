"""Rich Text Format documents, read without any other program."""

from sidecar_rtf.plugin import RtfFormat as RtfFormat
