"""Archives (zip, tar, gzip, bzip2, xz, 7z): their members, and the documents among them."""

from sidecar_archive.plugin import ArchiveFormat as ArchiveFormat
