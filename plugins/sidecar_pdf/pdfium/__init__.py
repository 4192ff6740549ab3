"""What pdfium says of a document: pages, characters, rules, pictures, tags, fonts, attached files."""
