"""The feature plugin: tools, resources and the command that render, and the drawers of Markdown and of pages.

Documents that name a quill are quillmark's own matter. Plain Markdown goes through a quill of ours (see `document`
for why its text is handed over as data). The engine runs in the worker pool "render" only, so that no document can
stop, grow or crash the serving process."""

from collections.abc import Mapping

from sidecar.api import Drawer, Registrar
from sidecar.toolkit.settings import checked_settings
from sidecar_render.artifacts import Artifacts
from sidecar_render.command import render_command
from sidecar_render.export_tool import export_command, export_tool
from sidecar_render.exporting import Exporter
from sidecar_render.rendering import POOL, Renderer
from sidecar_render.settings import RenderSettings
from sidecar_render.tools import RenderTools


class RenderFeature:
    """Registers the rendering tools, the `render://` resources and the command. Settings: see `RenderSettings`."""

    name = "render"
    version = "1"

    def register(self, registrar: Registrar, settings: Mapping[str, object]) -> None:
        """Add everything. Raises ConfigError when the settings are wrong."""
        checked = checked_settings(RenderSettings, settings, "plugins.render")
        artifacts = Artifacts(checked)
        renderer = Renderer(checked, artifacts)
        exporter = Exporter(renderer, artifacts)
        for tool in (*RenderTools(renderer, exporter, artifacts).tools(), export_tool(exporter)):
            registrar.tool(tool)
        registrar.provider(artifacts)
        registrar.drawer(Drawer("markdown", "sidecar_render.worker:draw_markdown", POOL))
        registrar.drawer(Drawer("page", "sidecar_render.pages.drawing:draw_pages", POOL))
        registrar.command(render_command(renderer, artifacts))
        registrar.command(export_command(exporter, artifacts))
        registrar.background("render-follow", artifacts.follow)
        registrar.status("rendered", artifacts.summary)
