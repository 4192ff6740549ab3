"""Tables of a page: by their rules, by what they are filled with, or by how their texts stand."""
