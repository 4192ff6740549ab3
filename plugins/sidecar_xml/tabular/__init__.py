"""XML that is rows of records, made tables of HTML: project plans and translations."""
