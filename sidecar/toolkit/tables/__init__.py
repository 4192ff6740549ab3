"""Tables of documents as relations: where they lie in a sheet, what their columns are, and their rows typed."""
