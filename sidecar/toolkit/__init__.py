"""What format plugins share: packages, marked-up text, decoding, fonts, pictures, LibreOffice. Imports `api` only."""
