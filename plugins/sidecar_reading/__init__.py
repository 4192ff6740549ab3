"""The reading tools: `read` in windows, `read_embedded` whole, `grep`, and `get_outline` as the cheap first step."""

from sidecar_reading.plugin import ReadingFeature as ReadingFeature
