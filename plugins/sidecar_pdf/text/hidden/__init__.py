"""Text that a page holds and a reader does not see: under other things, off the page, in place of what is drawn."""
