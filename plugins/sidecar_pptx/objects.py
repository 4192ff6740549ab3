"""Attached files: OLE objects and embedded Office packages, told by the file inside, not by the wrapper."""

from __future__ import annotations

from sidecar.toolkit.ooxml.embedded import object_facts
from sidecar_pptx.embeds import Embeds, Entry


def object_entry(embeds: Embeds, ref: str) -> Entry | None:
    """The register's entry of an object part: named and typed by the inner file. None when the part is absent."""
    if embeds.known("attachment", ref):
        return embeds.add("attachment", ref)
    if ref not in embeds.package:
        return None
    facts = object_facts(embeds.package, ref)
    return embeds.add("attachment", ref, name=facts.name, media_type=facts.media_type, size=facts.size)
