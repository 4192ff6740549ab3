"""An answer fitted into what a model may be given: its cost in tokens, its lists and texts shortened, its notices."""
