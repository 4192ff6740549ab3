"""Whiteboards in JSON: Excalidraw and JSON Canvas."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from contract.conformance import check_embedded, outcome
from sidecar_xml import XmlFormat
from support.formats.plugin_reading import blocks, of, read

from sidecar.api import DamagedError, Figure, Heading, Limits, Paragraph, Source
from sidecar.toolkit.markup.chapters import block_text

XML = XmlFormat()
PIXEL = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
        "0000000d49444154789c6360000002000001e221bc330000000049454e44ae426082"
    )
).decode()


def excalidraw(*elements: dict[str, Any], **files: dict[str, Any]) -> str:
    return json.dumps({"type": "excalidraw", "version": 2, "elements": elements, "appState": {}, "files": files})


def shape(identity: str, kind: str, x: int, y: int, **more: Any) -> dict[str, Any]:
    return {"id": identity, "type": kind, "x": x, "y": y, "width": 10, "height": 10, "link": None} | more


DRAWING = excalidraw(
    shape("box2", "rectangle", 200, 5, link="https://example.org/"),
    shape("t2", "text", 200, 6, text="Pay\nthe bill", originalText="Pay the bill", containerId="box2"),
    shape("box1", "ellipse", 0, 0), shape("t1", "text", 0, 1, text="Order", containerId="box1"),
    shape("gone", "text", 0, 0, text="Deleted", isDeleted=True),
    shape("a", "arrow", 0, 0, startBinding={"elementId": "box1"}, endBinding={"elementId": "box2"}),
    shape("ta", "text", 0, 0, text="then", containerId="a"),
    shape("lone", "arrow", 0, 0, startBinding=None, endBinding={"elementId": "box2"}),
    shape("f", "frame", 0, 500, name="Later", width=500), shape("t3", "text", 0, 510, text="Ship", frameId="f"),
    shape("i", "image", 0, 100, fileId="p"),
    p={"mimeType": "image/png", "dataURL": f"data:image/png;base64,{PIXEL}"},
)  # fmt: skip
CANVAS = json.dumps({
    "nodes": [
        shape("g", "group", 0, 0, width=400, height=300, label="Ideas"),
        shape("2", "text", 200, 10, text="a **bold** card"),
        shape("1", "text", 10, 10, text="## Card\n\n- one\n- two"),
        shape("3", "file", 900, 0, file="Notes/Plan.md", subpath="#Cost"),
        shape("4", "link", 900, 100, url="https://example.org/"),
    ],
    "edges": [{"fromNode": "1", "toNode": "3", "label": "see"}, {"fromNode": "1", "toNode": "gone"}],
})  # fmt: skip


def test_a_drawing_of_excalidraw() -> None:
    source = Source.of_bytes(DRAWING.encode(), "flow.excalidraw")
    assert XML.score(source) == 85
    found = read(XML, DRAWING, "flow.excalidraw")
    assert [block_text(one) for one in blocks(found) if not isinstance(one, Figure)] == [
        "Order", "Pay the bill", "Later", "Ship", "Order → Pay the bill: then",
    ]  # fmt: skip
    assert [one.text for one in of(found, Heading)] == ["Later"]
    assert [span.value for span in of(found, Paragraph)[1].spans if span.kind == "link"] == ["https://example.org/"]
    assert [one.embed for one in of(found, Figure)] == [("image", 0)]
    check_embedded(XML, source, found)


def test_a_canvas_of_obsidian() -> None:
    found = read(XML, CANVAS, "board.canvas")
    assert [block_text(one) for one in blocks(found)] == [
        "Notes/Plan.md#Cost", "https://example.org/", "Ideas", "Card", "one", "two", "a bold card",
        "Card → Notes/Plan.md: see",
    ]  # fmt: skip
    assert [one.text for one in of(found, Heading)] == ["Ideas", "Card"]


@pytest.mark.parametrize(("text", "name"), [(DRAWING, "flow.excalidraw"), (CANVAS, "board.canvas")])
def test_spoiled_boards_are_read_or_refused(text: str, name: str) -> None:
    data = text.encode()
    for at in range(0, len(data), 97):
        for spoiled in (data[:at], data[:at] + b"[" + data[at + 1 :], data[:at] + b"null" + data[at:]):
            outcome(XML, Source.of_bytes(spoiled, name), Limits())
    with pytest.raises(DamagedError, match="not a whiteboard"):
        read(XML, '{"elements": [[', name)
    with pytest.raises(DamagedError, match="not a whiteboard"):
        read(XML, '{"elements": ' + "[" * 100_000, name)
