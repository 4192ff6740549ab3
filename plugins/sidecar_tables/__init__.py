"""Tables of documents as relations: finding them, describing them, asking them by SQL."""
