"""Documents in and out of the index: records, versions, slugs, views for reads, caches."""
