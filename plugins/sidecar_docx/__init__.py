"""Word documents as a format plugin: everything a person sees in .docx, .docm, .dotx, .dotm (and .doc) files."""

from sidecar_docx.plugin import DocxFormat as DocxFormat
