"""External programs: how one is run and ended, LibreOffice. None of them need be there."""
