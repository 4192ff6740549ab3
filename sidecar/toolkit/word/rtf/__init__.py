"""Rich Text Format 1.9.1 to blocks: shared by .rtf files and Outlook's message bodies."""

from sidecar.toolkit.word.rtf.reader import RtfDocument, read_rtf

__all__ = ["RtfDocument", "read_rtf"]
