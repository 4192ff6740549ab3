"""The register of everything embedded in a workbook: each part once, numbered within its kind."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field

from sidecar.api import ChartData, Embed, EmbedKind, Limits
from sidecar.toolkit.ooxml.embedded import file_facts, object_facts
from sidecar.toolkit.ooxml.package import Package

CHART_TYPE = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml"
EmbedKey = tuple[EmbedKind, int]


@dataclass
class Register:
    """Embeds in the order found. `place` says where the next ones stand."""

    package: Package
    limits: Limits
    embeds: list[Embed] = field(default_factory=list[Embed])
    full: bool = False
    """Whether something was left out because of `limits.max_embedded`."""
    _known: dict[tuple[EmbedKind, str], EmbedKey] = field(default_factory=dict[tuple[EmbedKind, str], EmbedKey])
    _counts: dict[EmbedKind, int] = field(default_factory=dict[EmbedKind, int])

    def knows(self, ref: str) -> bool:
        return any((kind, ref.lower()) in self._known for kind in ("image", "chart", "media", "attachment"))

    def file(
        self, ref: str, *, name: str = "", alt: str = "", part: int | None = None, block: int = 0, context: str = "",
        hidden: bool = False,
    ) -> EmbedKey | None:  # fmt: skip
        """A picture or media file that is a part of the package; None when absent or over the limit."""
        if ref not in self.package:
            return None
        facts = file_facts(self.package, ref)
        return self._add(
            "media" if facts.is_media else "image", ref, name=facts.name or name, media_type=facts.media_type,
            size=facts.size, width=facts.width, height=facts.height, alt=alt or name, part=part, block=block,
            context=context, hidden=hidden,
        )  # fmt: skip

    def chart(
        self, ref: str, data: ChartData, *, name: str, alt: str, part: int, block: int, context: str
    ) -> EmbedKey | None:
        return self._add(
            "chart", ref, name=name or posixpath.basename(ref), media_type=CHART_TYPE, size=self.package.size(ref),
            alt=alt, part=part, block=block, context=context, chart=data,
        )  # fmt: skip

    def attachment(
        self, ref: str, *, label: str = "", part: int | None = None, block: int = 0, context: str = ""
    ) -> EmbedKey | None:
        """An embedded file or OLE object, under the name and type of what is inside. Raises nothing."""
        facts = object_facts(self.package, ref)
        return self._add(
            "attachment", ref, name=facts.name, media_type=facts.media_type, size=facts.size, alt=label, part=part,
            block=block, context=context,
        )  # fmt: skip

    def _add(self, kind: EmbedKind, ref: str, **fields: object) -> EmbedKey | None:
        known = self._known.get((kind, ref.lower()))
        if known is not None:
            return known
        if len(self.embeds) >= self.limits.max_embedded:
            self.full = True
            return None
        number = self._counts.get(kind, 0)
        self._counts[kind] = number + 1
        self._known[kind, ref.lower()] = (kind, number)
        self.embeds.append(Embed(kind=kind, id=number, ref=ref, **fields))  # pyright: ignore[reportArgumentType]  # checked by the callers above
        return kind, number
