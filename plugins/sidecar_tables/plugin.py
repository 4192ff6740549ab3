"""The plugin class: registers the tools and commands that ask tables. What they ask is `Library.query_tables`."""

from collections.abc import Mapping
from typing import Any

from sidecar.api import Registrar
from sidecar_tables.commands import SQL, TABLES
from sidecar_tables.describing import DESCRIBE_TABLE
from sidecar_tables.finding import FIND_TABLES
from sidecar_tables.querying import QUERY_TABLES


class TablesFeature:
    """Registers `find_tables`, `describe_table`, `query_tables`, and the commands `tables` and `sql`. No settings."""

    name = "tables"
    version = "1"

    def register(self, registrar: Registrar, settings: Mapping[str, Any]) -> None:
        """Add everything."""
        for tool in (FIND_TABLES, DESCRIBE_TABLE, QUERY_TABLES):
            registrar.tool(tool)
        for command in (TABLES, SQL):
            registrar.command(command)
