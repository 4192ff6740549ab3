"""Parquet files: their footer, the pages of their columns and the tables they make."""
