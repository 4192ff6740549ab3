"""Files of one table: dBase, FoxPro and their kin (.dbf), shapefiles' among them."""

from sidecar_dbase.plugin import DbaseFormat as DbaseFormat
