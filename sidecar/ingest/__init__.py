"""From a file on disk to a row in the index: ignore, watch, settle, scan, detect, parse in workers, commit.

Nothing is imported here: worker processes import this package too, and must start quickly."""
