"""AsciiDoc to blocks, as Asciidoctor reads it (docs.asciidoctor.org/asciidoc). Files that are included are not read."""
