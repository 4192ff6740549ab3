"""A document from its pages: what is read of each, laid out or by its words alone, and what is told of them all."""
