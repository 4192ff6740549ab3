"""What format plugins share: packages, marked-up text, decoding, fonts, pictures, LibreOffice. May import `api` only."""
