"""Web pages: HTML, XHTML and saved pages (MHTML)."""

from sidecar_html.plugin import HtmlFormat as HtmlFormat
