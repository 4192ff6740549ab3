"""The words drawn in Windows metafiles (EMF, EMF+, WMF), as a looker-on reads them: charts and drawings pasted into
documents, letterheads, forms. Nothing is drawn here, and what cannot be read is left out."""

import re
import zlib

from sidecar.toolkit.metafiles.emf import read_emf
from sidecar.toolkit.metafiles.text_lines import lines_of
from sidecar.toolkit.metafiles.wmf import read_wmf
from sidecar.toolkit.pictures import sniff_image

METAFILES = frozenset(("image/x-emf", "image/x-wmf", "image/emf", "image/wmf"))
"""The media types of metafiles."""
_MAX_BYTES = 64 * 2**20
"""Of one metafile, unpacked: larger ones hold pictures of dots, and few words."""
_WORD = re.compile(r"[^\W\d_]{3}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_GZIP = b"\x1f\x8b"


def metafile_lines(data: bytes) -> list[str]:
    """The lines of text that a metafile draws, packed by gzip (.emz, .wmz) or not; none for other bytes."""
    if data.startswith(_GZIP):
        try:
            data = zlib.decompressobj(31).decompress(data, _MAX_BYTES)
        except zlib.error:
            return []
    info = sniff_image(data[:64])
    if info is None or info.media_type not in METAFILES or len(data) > _MAX_BYTES:
        return []
    return lines_of(read_emf(data) if info.media_type == "image/x-emf" else read_wmf(data))


def metafile_words(data: bytes) -> str:
    """The same as one text for the figure that shows the metafile; "" without any word: letters and numbers alone, as
    pictures of formulas have them, say nothing out of their places."""
    text = "\n".join(metafile_lines(data))
    return text if _WORD.search(text) else ""
