"""Puts the files of a truth where they are indexed, as they are or saved in another format: Word, OpenDocument, RTF,
PowerPoint and e-books by LibreOffice and pandoc, mail and notebooks by Python. Nothing of ours reads or writes here."""

import json
import re
import shutil
import subprocess
import tempfile
from email.message import EmailMessage
from pathlib import Path

_BY_OFFICE = {
    "docx": "docx:MS Word 2007 XML", "odt": "odt:writer8", "rtf": "rtf:Rich Text Format", "doc": "doc:MS Word 97",
}  # fmt: skip
_HTML = (".html", ".htm")


def put(source: Path, target: Path, wanted: str = "") -> None:
    """Copy `source` to `target`, which has no suffix, or save it there in the format of the suffix `wanted`.

    Raises:
        OSError, subprocess.CalledProcessError: pandoc or LibreOffice is absent or failed.
    """
    made = target.with_name(f"{target.name}.{wanted}")
    if not wanted:
        shutil.copy(source, target.with_name(target.name + source.suffix))
    elif wanted == "eml":
        made.write_bytes(_mail(_html(source)))
    elif wanted == "ipynb":
        cell = {"cell_type": "markdown", "metadata": {}, "source": source.read_text("utf-8")}
        made.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}), "utf-8")
    elif wanted in _BY_OFFICE and (source.suffix in _HTML or wanted == "doc"):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, f"{target.name}.html")
            page.write_bytes(_html(source))
            profile = f"-env:UserInstallation={Path(folder, 'profile').as_uri()}"
            command = ["soffice", "--headless", profile, "--infilter=HTML (StarWriter)", "--convert-to"]
            command += [_BY_OFFICE[wanted], "--outdir", str(target.parent), str(page)]
            subprocess.run(command, check=True, capture_output=True)
    else:
        command = ["pandoc", "-s", "-f", "html", "-o", str(made)]
        subprocess.run(command, input=_html(source), check=True, capture_output=True)
    if wanted and not made.exists():
        raise FileNotFoundError(made)


def _html(source: Path) -> bytes:
    """The page without its pictures, which may be far away."""
    page = source.read_bytes()
    if source.suffix not in _HTML:
        page = subprocess.run(
            ["pandoc", "-s", "-f", "gfm", str(source), "-t", "html"], check=True, capture_output=True
        ).stdout
    return re.sub(rb"<img[^>]*>", b"", page)


def _mail(page: bytes) -> bytes:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["To"] = "Tables", "a@example.org", "b@example.org"
    mail.set_content("The tables are below.")
    mail.add_alternative(page.decode("utf-8", "replace"), subtype="html")
    return bytes(mail)
