"""Documents of Hancom Office in OWPML (.hwpx)."""

from sidecar_hwpx.plugin import HwpxFormat as HwpxFormat
