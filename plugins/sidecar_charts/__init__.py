"""Charts drawn from their data, as SVG and PNG."""
