"""Binary property lists of macOS."""

from __future__ import annotations

import plistlib
from datetime import datetime
from typing import Any

import pytest
from contract.conformance import outcome
from sidecar_text import TextFormat
from support.formats.plugin_reading import of, read

from sidecar.api import Code, DamagedError, LimitError, Limits, Paragraph, Source

TEXT = TextFormat()


def binary(value: Any) -> bytes:
    return plistlib.dumps(value, fmt=plistlib.FMT_BINARY)


def test_a_property_list_is_shown_as_json_and_a_bookmark_as_its_link() -> None:
    data = binary({
        "Title": "Zébra", "Items": [1, 2.5, True, {"Name": "Okapi"}], "Icon": b"12345",
        "Made": datetime(2024, 3, 1, 10, 0), "Ref": plistlib.UID(7),  # noqa: DTZ001 - they have no zone
    })  # fmt: skip
    assert TEXT.score(Source.of_bytes(data, "settings.plist")) == 60
    shown = "\n".join(block.text for block in of(read(TEXT, data, "settings.plist"), Code))
    for said in ('"Title": "Zébra"', '"Name": "Okapi"', '"(5 bytes)"', '"2024-03-01 10:00:00"', "2.5", "true"):
        assert said in shown
    link = of(read(TEXT, binary({"URL": "https://example.org/zebra"}), "page.webloc"), Paragraph)[0]
    assert (link.text, link.spans[0].value) == ("https://example.org/zebra", "https://example.org/zebra")


def test_damage_and_bombs_end_in_a_sentence() -> None:
    whole = binary({"a": ["words"] * 20, "b": {"c": 1.5}})
    for at in range(0, len(whole), 3):
        for spoiled in (whole[:at], whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]):
            outcome(TEXT, Source.of_bytes(spoiled, "a.plist"), Limits())
    with pytest.raises(DamagedError, match="no property list"):
        read(TEXT, whole[:-24] + b"\x7f" + whole[-23:], "a.plist")
    laughs: list[Any] = ["ha"]
    for _ in range(30):
        laughs = [laughs, laughs]
    with pytest.raises(LimitError):
        read(TEXT, binary(laughs), "a.plist")
