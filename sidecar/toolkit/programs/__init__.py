"""External programs: how one is run and ended, LibreOffice, Tesseract. None of them need be there."""
