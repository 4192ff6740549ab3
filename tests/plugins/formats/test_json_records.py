"""Records in one JSON text: places in GeoJSON and HTTP archives, each a table."""

import json
from typing import Any

import pytest
from sidecar_text import CsvFormat, TextFormat
from support.formats.plugin_reading import of, read

from sidecar.api import Code, Source, Table

CSV = CsvFormat()
PLACES: dict[str, Any] = {
    "type": "FeatureCollection",
    "features": [
        {"type": "Feature", "id": 7, "properties": {"name": "Quay", "size": {"depth": 12.5}, "tags": ["a", "b"]},
         "geometry": {"type": "Point", "coordinates": [8.1, 53.2, 4]}},
        {"type": "Feature", "properties": {"name": "Fairway", "lit": True},
         "geometry": {"type": "LineString", "coordinates": [[8, 53], [8.2, 53.1]]}},
        {"type": "Feature", "properties": None, "geometry": None},
        5,
    ],
}  # fmt: skip
LOG = {
    "log": {
        "version": "1.2", "creator": {"name": "x"},
        "entries": [
            {"startedDateTime": "2024-01-01T00:00:00Z", "time": 50.5,
             "request": {"method": "POST", "url": "https://example.org/a", "postData": {"text": "q=1"}},
             "response": {"status": 500, "statusText": "Broken",
                          "content": {"size": 9_000, "mimeType": "text/plain", "text": "x" * 9_000}}},
            {"request": {"method": "GET", "url": "https://example.org/p.png"},
             "response": {"status": 200, "content": {"mimeType": "image/png", "text": "AAAA", "encoding": "base64"}}},
        ],
    }
}  # fmt: skip


def test_places_are_rows_with_what_is_told_of_them() -> None:
    document = read(CSV, json.dumps(PLACES), "port.geojson")
    (table,) = of(document, Table)
    assert table.header_rows == 1
    assert table.rows == (
        ("id", "name", "size.depth", "tags", "geometry", "latitude", "longitude", "lit"),
        ("7", "Quay", "12.5", '["a", "b"]', "Point", "53.2", "8.1", ""),
        ("", "Fairway", "", "", "LineString", "", "", "true"),
        ("", "", "", "", "", "", "", ""),
    )
    assert [notice.message for notice in document.notices] == ["1 of the entries are no records and were left out."]


def test_requests_are_rows_with_what_came_back() -> None:
    (table,) = of(read(CSV, json.dumps(LOG), "site.har"), Table)
    assert table.rows == (
        ("started", "milliseconds", "method", "url", "status", "statusText", "type", "bytes", "sent", "received"),
        ("2024-01-01T00:00:00Z", "50.5", "POST", "https://example.org/a", "500", "Broken", "text/plain", "9000", "q=1",
         "x" * 2_000),
        ("", "", "GET", "https://example.org/p.png", "200", "", "image/png", "", "", ""),
    )  # fmt: skip


@pytest.mark.parametrize(
    "text", ['{"features": 5}', '{"features": []}', '{"features": [', '{"log": {"entries": {}}}', '{"features"' * 50]
)
def test_other_or_damaged_texts_are_shown_as_they_are(text: str) -> None:
    (code,) = of(read(CSV, text, "a.geojson"), Code)
    assert (code.text, code.language) == (text, "json")


def test_a_single_shape_is_source() -> None:
    source = Source.of_bytes(b'{"type": "Point", "coordinates": [1, 2]}', "a.geojson")
    assert CSV.score(source) == 0
    assert TextFormat().score(source) == 50
