"""Columnar files: Parquet, and Arrow's files and streams (Feather, version 2)."""

from sidecar_parquet.plugin import ParquetFormat as ParquetFormat
