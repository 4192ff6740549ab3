"""Pictures, footnotes and formulas through quills of the user's, which quillmark's own Markdown leaves out."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from mcp.client.client import Client
from sidecar_render.typeset.quills import BUILTIN
from support.clients.harness import fill
from support.clients.rendering import blobs, inflated, pdf_text, play, render, write_quill

from sidecar.app import Application

MEMO = (
    '#set page(paper: "us-letter", numbering: "1", header: align(right)[MEMORANDUM])\n#set par(justify: true)\n'
    '*TO:* #data.to\n\n#data.at("$body", default: "")\n'
)
LETTER = (
    "#let letter(sender, body) = { set page(margin: 3cm); align(right, sender); body; [Yours,] }\n"
    '#show: it => letter(data.to, it)\n#data.at("$body", default: "")\n'
    '#for card in data.at("$cards", default: ()) { block(stroke: 1pt, card.at("$body", default: "")) }\n'
)
COLUMNS = (
    '#set page(columns: 2)\n#set heading(numbering: "1.1")\n#show heading: set text(fill: red)\n'
    '#place(top, scope: "parent", float: true, data.to)\n#data.at("$body", default: "")\n'
)
BODY = """
# Findings

Text with a note[^1], another[^two], the first again[^1], one inline^[Said *inline*.], and $x^2$ for $5 and $6.

![The burrow](image://report/0)

$$
E = mc^2
$$

| a | b[^two] |
| - | ------- |
| 1 | \\(y_1\\) |

`code ![x](y) [^1] $a$`

```
![kept](as-code) [^1]
```

- [^unknown] stays
- ![gone](image://report/9)

[^1]: The first note with **bold**.
[^two]: Second note.

    Its second paragraph.

The end.
"""


def images_of(data: bytes) -> int:
    document = pypdfium2.PdfDocument(data)
    found = sum(len(list(page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE]))) for page in document)
    document.close()
    return found


@pytest.mark.parametrize(("name", "plate"), [("memo", MEMO), ("letter", LETTER), ("columns", COLUMNS)])
def test_users_quills_draw_pictures_notes_and_formulas(tmp_path: Path, name: str, plate: str) -> None:
    fill(tmp_path / "documents")
    write_quill(tmp_path / "data" / "quills", name, plate, "{to: {type: string}}")
    card = "\n~~~\n$kind: quote\nauthor: Bob\n~~~\n\nA card with a note[^1] and $z$.\n" if name == "letter" else ""

    async def scenario(client: Client, application: Application) -> None:
        answer = await render(client, f"~~~\n$quill: {name}\nto: Ann\n~~~\n{BODY}{card}")
        told: list[dict[str, Any]] = answer["warnings"]
        assert not any("image" in item["message"] and "typeset" in item["message"] for item in told)
        (gone,) = [item for item in told if "image://report/9" in item["message"]]
        assert gone["line"] == 27
        data = (await blobs(client, answer["artifacts"][0]["resource_uri"]))[0]
        assert images_of(data) == 1
        text = " ".join(" ".join(await pdf_text(client, answer)).split())
        for words in ("The burrow", "The first note with bold", "Said inline.", "Second note.", "Its second paragraph.",
                      "$5 and $6", "![kept](as-code) [^1]", "code ![x](y) [^1] $a$", "[^unknown] stays", "[gone]",
                      "The end.", "Ann"):  # fmt: skip
            assert words in text
        assert text.count("The first note") == 1
        for source in ("[^two]", "$x^2$", "$$", "^[", "y_1", "\ue000", "$z$"):
            assert source not in text

    play(tmp_path, scenario)


def test_pictures_by_name_and_of_html_are_drawn_in_users_quills(tmp_path: Path) -> None:
    fill(tmp_path / "documents")
    write_quill(tmp_path / "data" / "quills", "memo", MEMO, "{to: {type: string}}")
    body = (
        "![One][map]\n\n![map][] and ![map] and ![no such][name]\n\n`![map][]`\n\n"
        '<img src="image://report/0" width="60">\n\n'
        '<p align="center">\n  <a href="https://x.org"><img src="image://report/0" alt="x"></a>\n</p>\n\n'
        'In a line <img src="image://report/0">, and <img src="image://report/7" alt="lost">.\n\n'
        '[Map]: image://report/0 "Of the burrow"\n'
    )

    async def scenario(client: Client, application: Application) -> None:
        answer = await render(client, f"~~~\n$quill: memo\nto: Ann\n~~~\n\n{body}")
        data = (await blobs(client, answer["artifacts"][0]["resource_uri"]))[0]
        assert images_of(data) == 6
        text = " ".join(" ".join(await pdf_text(client, answer)).split())
        assert "Of the burrow" in text
        assert "![map][]" in text
        (warning,) = [item for item in answer["warnings"] if "image://report/7" in item["message"]]
        assert warning["line"] == 18

    play(tmp_path, scenario)


def test_a_quill_without_fonts_keeps_its_face_beside_formulas_and_other_scripts(tmp_path: Path) -> None:
    write_quill(tmp_path / "data" / "quills", "memo", MEMO, "{to: {type: string}}")

    async def faces(client: Client, text: str) -> set[bytes]:
        answer = await render(client, f"~~~\n$quill: memo\nto: Ann\n~~~\n\nPlain and **bold** words. {text}\n")
        assert answer["warnings"] == []
        data = inflated((await blobs(client, answer["artifacts"][0]["resource_uri"]))[0])
        return set(re.findall(rb"/FontName ?/[A-Z]{6}\+([\w-]+)", data))

    async def scenario(client: Client, application: Application) -> None:
        alone = await faces(client, "")
        helped = await faces(client, "And $x^2$, \u03b1\u03b2.")
        assert {b"Figtree-Regular", b"Figtree-Bold"} <= alone
        assert alone < helped
        assert b"NotoSansMath-Regular" in helped

    play(tmp_path, scenario)


def test_a_quills_own_fonts_are_kept_and_helped(tmp_path: Path) -> None:
    plate = f'#set text(font: "Source Code Pro")\n{MEMO}'
    home = write_quill(tmp_path / "data" / "quills", "memo", plate, "{to: {type: string}}")
    (home / "assets" / "fonts").mkdir(parents=True)
    shutil.copy(BUILTIN / "assets" / "fonts" / "SourceCodePro-Regular.ttf", home / "assets" / "fonts")

    async def scenario(client: Client, application: Application) -> None:
        answer = await render(client, "~~~\n$quill: memo\nto: Ann\n~~~\n\nA formula $x^2$ and \U00012000.\n")
        (warning,) = answer["warnings"]
        assert "Cuneiform" in warning["message"]
        assert warning["line"] == 6
        data = inflated((await blobs(client, answer["artifacts"][0]["resource_uri"]))[0])
        assert b"SourceCodePro" in data
        assert b"NotoSansMath" in data
        assert b"SourceSans" not in data
        assert not (home / "packages").exists()
        assert len(list((home / "assets" / "fonts").iterdir())) == 1

    play(tmp_path, scenario)


def test_a_quill_that_refuses_them_is_rendered_without_and_says_so(tmp_path: Path) -> None:
    plate = '#if repr(data.at("$body", default: "")).contains("\\u{E000}") { panic("no markers") }\nText.'
    write_quill(tmp_path / "data" / "quills", "picky", plate)

    async def scenario(client: Client, application: Application) -> None:
        answer = await render(client, "~~~\n$quill: picky\n~~~\n\nA note[^1].\n\n[^1]: Words.\n")
        assert "Text." in (await pdf_text(client, answer))[0]
        assert any(
            "are not drawn" in item["message"] and "no markers" in item["message"] for item in answer["warnings"]
        )

    play(tmp_path, scenario)
