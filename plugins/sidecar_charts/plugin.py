"""The feature plugin: draws the charts of documents, so that `chart://` and element pictures show them."""

from collections.abc import Mapping

from sidecar.api import Drawer, Registrar


class ChartsFeature:
    """Registers the drawer of charts. It has no settings."""

    name = "charts"
    version = "1"

    def register(self, registrar: Registrar, settings: Mapping[str, object]) -> None:
        """Add the drawer."""
        registrar.drawer(Drawer("chart", "sidecar_charts.drawing:draw_chart"))
