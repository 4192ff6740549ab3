"""The pictures and attached files that a reader met, with their bytes."""

from sidecar.api import Figure, NotFoundError, Payload
from sidecar.toolkit.markup.odf_charts import CHART_TYPE, chart_in_package
from sidecar.toolkit.markup.pictures import InnerFile, Pictures, payload
from sidecar.toolkit.pictures import EXTENSIONS, HEAD_BYTES, sniff_image


class StoryEmbeds:
    """The files found in a document: `files` by the reference their embeds in `pictures` have."""

    def __init__(self, most: int) -> None:
        self.files: dict[str, bytes] = {}
        self.pictures = Pictures(most, self._inner)
        self._types: dict[str, str] = {}

    def add(self, data: bytes, media_type: str, name: str, alt: str) -> Figure | None:
        """Keep a file; what stands for it in the text, None where nothing can."""
        if media_type == CHART_TYPE:
            chart = chart_in_package(data)
            key = self.pictures.add_chart(chart, alt) if chart is not None else None
            if key is not None:
                return Figure(embed=key, alt=alt)
        info = sniff_image(data[:HEAD_BYTES])
        media_type = info.media_type if info else media_type or "application/octet-stream"
        ref = name or f"picture{len(self.files)}{EXTENSIONS.get(media_type, '.bin')}"
        if ref in self.files:
            ref = f"{len(self.files)}-{ref}"
        self.files[ref], self._types[ref] = data, media_type
        key = self.pictures.add(ref, alt) if data else None
        return Figure(embed=key, alt=alt) if key or alt else None

    def add_file(self, file: Payload) -> Figure | None:
        """Keep an attached file; what stands for it in the text."""
        return self.add(file.data, file.media_type, file.name, "")

    def open(self, ref: str, source: str) -> Payload:
        """The file kept under a reference, of the document named `source`. Raises NotFoundError."""
        found = next((embed for embed in self.pictures.embedded if embed.ref == ref), None)
        if found is None:
            raise NotFoundError(f"{source} holds no file {ref!r}.")
        return payload(self.files[ref], found.media_type, found.name)

    def _inner(self, ref: str) -> InnerFile | None:
        data = self.files.get(ref)
        return InnerFile(ref, ref, self._types[ref], len(data), data[:HEAD_BYTES]) if data else None
