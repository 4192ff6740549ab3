"""What plugins share: packages, marked-up text, decoding, fonts, pictures, LibreOffice, answers. Imports `api` only."""
