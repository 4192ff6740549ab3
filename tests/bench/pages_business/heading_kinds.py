"""Makes the documents of the twenty-third truth of headings, and that truth, of short sources that say what they are.

    python tests/bench/pages_business/heading_kinds.py FOLDER [--truth FILE] [--root ROOT]

Each source in `heading_documents/kinds/documents_*.txt` opens with `=== NAME PRINTER LANGUAGE LOOK`; its lines are
headings (`#` to `###`), `p` a paragraph of so many sentences out of `prose.txt`, `l` and `n` a list and a numbered one
of so many items, `b` a paragraph in bold, `c` one in these words, `t` a table, `o` a line that may be counted or not,
`css` what differs from the look, `nolevels` that its order of levels is not judged, `from` a web page of an installed
or unpacked Debian package (below ROOT), and HTML. Printed by Chromium,
WeasyPrint, typst, and LibreOffice (through Word, OpenDocument or PowerPoint, by pandoc) with bookmarks: those are the
headings, their levels and pages. Bookmarks and tags are then taken out, so that the page alone counts.
"""

from __future__ import annotations

import argparse
import hashlib
import html
import itertools
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

SOURCES = Path(__file__).parents[1] / "pages_made" / "heading_documents" / "kinds"
SECONDS = 180
BROWSER = ("--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer")
PAGE = "@page{size:A4;margin:2.2cm}"
LOOKS = {
    "plain": PAGE + "body{font:10.5pt/1.5 sans-serif}",
    "law": PAGE + "body{font:10.5pt/1.45 serif}h1{font-size:15pt;text-align:center}",
    "manual": PAGE + "body{font:9.5pt/1.5 sans-serif}h1{font-size:18pt}h2{font-size:13pt}h3{font-size:10pt}",
    "rtl": PAGE + "html{direction:rtl}body{font:11pt/1.6 serif}h1{font-size:18pt}h2{font-size:14pt;color:#046}",
    "faq": PAGE + "body{font:10pt/1.5 sans-serif}h1{font-size:20pt;font-weight:300}h2{font-size:10.5pt;"
    "margin-bottom:0}",
    "contract": PAGE + "body{font:10pt/1.35 serif}h1{font-size:13pt;text-align:center}h2{font-size:10pt;"
    "margin:10px 0 0}",
    "minutes": PAGE + "body{font:11pt/1.4 serif}h1{font-size:16pt}h2{font-size:11.5pt}",
    "sidehead": PAGE + "body{font:10pt/1.4 serif}.r{display:flex;border-top:1px solid #999}h2{width:30%;font-size:11pt;"
    "margin:12px 10px 0 0}.r div{width:70%}",
    "columns2": PAGE + "body{font:9.5pt/1.35 serif}h1{font-size:24pt;border-bottom:3px solid}h2{font-size:13pt;"
    "margin:8px 0 2px}h3{font-size:9.5pt;margin:6px 0 0}.cols{columns:2;column-gap:24px}p{margin:4px 0}",
    "letter": PAGE + "body{font:10.5pt/1.4 serif}",
    "invoice": PAGE + "body{font:9.5pt/1.4 sans-serif}h1{font-size:26pt;color:#357}h2{font-size:10pt;color:#357}",
    "form": PAGE + "body{font:9.5pt/1.3 sans-serif}h1{font-size:16pt}h2{font-size:10.5pt;margin:2px}"
    ".f{width:100%}.f td{border:1px solid;padding:4px}.h{width:28%;font-size:8pt;color:#444}",
    "cv": PAGE + "body{font:10pt/1.4 sans-serif}h1{font-size:22pt;margin:0}ul{margin:2px 0}",
    "cvside": PAGE + "body{font:10pt/1.4 serif}h1{font-size:24pt;text-align:center}.r{display:flex}h2{width:20%;"
    "font-size:10pt;color:#a33;text-align:right;margin:10px 14px 0 0}.r div{width:80%}",
    "footnote": "@page{size:A4;margin:2.2cm;@bottom-left{content:'3HE 19220 AAAA-TQZZA Edition 2';font:7pt sans-serif}"
    "@bottom-right{content:'Page ' counter(page);font:7pt sans-serif}}body{font:10pt/1.4 sans-serif}h2{color:#05a;"
    "font-size:12pt}",
    "flyer": "@page{size:A5;margin:1.2cm}body{font:11pt/1.4 sans-serif;text-align:center}h1{font-size:28pt}"
    "h2{font-size:15pt}",
    "glossary": PAGE + "body{font:10pt/1.4 serif}dt{font-weight:bold}h2{font-size:16pt;border-bottom:1px solid}",
    "close": PAGE + "body{font:10pt/1.3 sans-serif}h2{background:#ddd;font-size:11pt;padding:2px 4px;margin:10px 0 0}"
    "h3{font-size:10pt;margin:4px 0 0;text-decoration:underline}p{margin:2px 0}",
    "slides": "@page{size:254mm 143mm;margin:0}body{margin:0;font:20pt/1.3 sans-serif}section{page-break-after:always;"
    "height:120mm;padding:10mm 15mm}h1{font-size:30pt}",
    "office": "",
}  # fmt: skip
TABLES = "table:not([class]){border-collapse:collapse}table:not([class]) td{border:1px solid #999;padding:2px 6px}"
LISTED = "#show heading: set block(above: 1.2em, below: 0.7em)\n"
SIDE = "#show heading.where(level: 2): it => place(left, dx: -4.6cm, block(width: 4.2cm, text(size: 10pt, it.body)))\n"
SLIDES = "#show heading.where(level: 1): it => {pagebreak(weak: true); it}\n#set text(size: 20pt)\n"
TYPST = {
    "numbered": LISTED + '#set heading(numbering: "1.1")\n#set text(size: 10pt)\n',
    "statute": LISTED + "#show heading.where(level: 1): it => align(center, text(size: 11pt, it))\n"
    '#show heading.where(level: 2): it => text(size: 10pt, style: "italic", weight: "regular", it)\n',
    "bare": LISTED + "#set text(size: 11pt)\n",
    "sidegrid": LISTED + "#set page(margin: (left: 6.5cm, right: 2cm))\n" + SIDE,
    "columns3": "#set page(columns: 3)\n#set text(size: 9pt)\n#show heading.where(level: 2): set text(size: 12pt)\n"
    "#show heading.where(level: 1): it => place(top, scope: \"parent\", float: true, text(size: 30pt, it))\n",
    "paper": "#set page(columns: 2)\n#set text(size: 9.5pt)\n#show heading: set text(size: 9.5pt)\n"
    '#show heading.where(level: 2): set text(style: "italic", weight: "regular")\n',
    "slides": '#set page(paper: "presentation-16-9", margin: 1.5cm)\n' + SLIDES,
}  # fmt: skip


def sentences() -> Callable[[str, int], str]:
    """Gives so many sentences of a language, the next ones at each call."""
    told: dict[str, list[str]] = {}
    for line in (SOURCES / "prose.txt").read_text(encoding="utf-8").splitlines():
        told.setdefault(line[:2], []).append(line[3:])
    turns = {language: itertools.cycle(lines) for language, lines in told.items()}
    return lambda language, count: ("" if language in {"zh", "ja"} else " ").join(
        next(turns[language]) for _ in range(count)
    )


def documents() -> Iterator[tuple[list[str], list[str]]]:
    """Name, printer, language and look of each source, and its lines."""
    for file in sorted(SOURCES.glob("documents_*.txt")):
        for source in file.read_text(encoding="utf-8").split("=== ")[1:]:
            head, *lines = source.splitlines()
            yield head.split(), lines


def as_html(lines: list[str], language: str, look: str, say: Callable[[str, int], str]) -> str:
    """A source as a web page."""
    css, body = LOOKS[look] + TABLES, list[str]()
    for line in lines:
        key, _, rest = line.partition(" ")
        rest = re.sub(r"\{(\d)\}", lambda match: say(language, int(match[1])), rest)
        if key.startswith("#"):
            body.append(f"<h{len(key)}>{rest}</h{len(key)}>")
        elif key == "p":
            body.append(f"<p>{say(language, int(rest))}</p>")
        elif key in "ln":
            tag = "ul" if key == "l" else "ol"
            items = "".join(f"<li>{say(language, 1)}</li>" for _ in range(int(rest)))
            body.append(f"<{tag}>{items}</{tag}>")
        elif key in {"b", "c"}:
            body.append(f"<p><b>{rest}</b></p>" if key == "b" else f"<p>{rest}</p>")
        elif key == "t":
            rows = ("".join(f"<td>{cell}</td>" for cell in row.split("|")) for row in rest.split(";"))
            body.append("<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>")
        elif key == "---":
            body.append("<div style='page-break-before:always'></div>")
        elif key == "css":
            css += rest
        elif key not in {"o", "nolevels"}:
            body.append(re.sub(r"\{(\d)\}", lambda match: say(language, int(match[1])), line))
    head = f"<meta charset=utf-8><style>{css}</style>"
    return f"<!doctype html><html lang={language}><head>{head}</head><body>\n{chr(10).join(body)}\n</body></html>"


def as_typst(lines: list[str], language: str, look: str, say: Callable[[str, int], str]) -> str:
    """A source as typst's markup."""
    body = [f'#set text(lang: "{language}")\n#set par(justify: true)\n' + TYPST[look]]
    for line in lines:
        key, _, rest = line.partition(" ")
        if key.startswith("#"):
            body.append("=" * len(key) + " " + rest)
        elif key == "p":
            body.append(say(language, int(rest)))
        elif key in "ln":
            body.append("\n".join(("- " if key == "l" else "+ ") + say(language, 1) for _ in range(int(rest))))
        elif key == "t":
            rows = [row.split("|") for row in rest.split(";")]
            cells = ", ".join(f"[{cell}]" for row in rows for cell in row)
            body.append(f"#table(columns: {len(rows[0])}, {cells})")
    return "\n\n".join(body)


def page_of(package: str, path: str, look: str, root: Path) -> str:
    """A web page of a package in a look of ours, without contents and navigation; ROOT has the package's files as
    installed, or each package unpacked in a folder of its name."""
    file = next(one for one in (root / path, root / package / path) if one.is_file())
    text = re.sub(r"(?s)<style.*?</style>|<link[^>]*>|<!--.*?-->", "", file.read_text(encoding="utf-8"))
    text = re.sub(r"(?s)<div class=\"(?:nav(?:header|footer)|toc)\">.*?</div>", "", text)
    text = re.sub(
        r"(?s)<div (?:class=\"(?:sphinxsidebar|related)\").*?</div>\s*</div>|<a class=\"headerlink\".*?</a>", "", text
    )
    return text.replace("</head>", f"<style>{LOOKS[look]}</style></head>", 1)


def run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)


def office(source: Path, folder: Path, kind: str) -> Path:
    """Has LibreOffice print a file as PDF with bookmarks."""
    options = json.dumps({"ExportBookmarks": {"type": "boolean", "value": "true"}})
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    run(
        "soffice",
        profile,
        "--headless",
        "--convert-to",
        f"pdf:{kind}_pdf_Export:{options}",
        "--outdir",
        str(folder),
        str(source),
    )
    return source.with_suffix(".pdf")


def printed(name: str, printer: str, page: str, folder: Path) -> Path:
    """Prints a source with bookmarks; by its name an office file is one of Word or of OpenDocument."""
    made, source = folder / f"{name}.pdf", folder / f"{name}.html"
    source.write_text(page, encoding="utf-8")
    if printer == "typst":
        __import__("typst").compile(str(source), output=str(made))
        return made
    if printer == "weasy":
        run(str(Path(sys.executable).with_name("weasyprint")), "-q", str(source), str(made))
    elif printer == "chromium":
        options = (
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-pdf-header-footer",
            "--generate-pdf-document-outline",
        )
        run("chromium", *options, f"--user-data-dir={folder}/browser", f"--print-to-pdf={made}", source.as_uri())
    else:
        suffix = ".pptx" if printer == "pptx" else (".docx", ".odt")[digest(name) % 2]
        opened = source.with_suffix(suffix)
        run("pandoc", "-f", "html-native_divs-native_spans", str(source), "-o", str(opened))
        return office(opened, folder, "impress" if printer == "pptx" else "writer")
    return made


def digest(name: str) -> int:
    return hashlib.sha256(name.encode()).digest()[0]


def letters(text: str) -> str:
    """What bookmarks are compared by; in some of Chromium's the words of right to left text stand in visual order."""
    return "".join(filter(str.isalnum, text.casefold()))


def pages_of(made: Path, target: Path, wanted: list[tuple[int, str]], *, levels: bool) -> dict[str, Any]:
    """What the bookmarks of a document say of each page; `target` gets it without them."""
    pypdf: Any = __import__("pypdf")
    reader = pypdf.PdfReader(made)
    pages: dict[str, Any] = {str(number + 1): {"headings": []} for number in range(len(reader.pages))}
    marks: list[tuple[int, str]] = []

    def walk(entries: list[Any], depth: int) -> None:
        for entry in entries:
            if isinstance(entry, list):
                walk(entry, depth + 1)
            else:
                title = " ".join(html.unescape(str(entry.title)).split())
                marks.append((reader.get_destination_page_number(entry), title))

    walk(reader.outline, 1)
    left = list(marks)
    for level, text in wanted:
        key = letters(text)
        match = next((m for m in left if letters(m[1]).endswith(key) or sorted(letters(m[1])) == sorted(key)), None)
        if match is None:
            print(f"{made.name}: no bookmark of {text!r}: {left[:3]}", file=sys.stderr)
            continue
        left.remove(match)
        pages[str(match[0] + 1)]["headings"].append([level, text] if levels else text)
    writer = pypdf.PdfWriter(clone_from=reader)
    for key in ("/Outlines", "/StructTreeRoot", "/MarkInfo", "/PageMode"):
        writer.root_object.pop(key, None)
    writer.metadata = None
    writer.write(target)
    return pages


def wanted_of(page: str) -> list[tuple[int, str]]:
    """Levels and texts of the headings of a page or of typst's markup, in their order."""
    told = re.findall(r"(?s)<h([1-4])\b[^<>]*>(.*?)</h\1>", page) or re.findall(r"(?m)^(=+) (.*)", page)
    texts = [(level, html.unescape(re.sub(r"<[^<>]*>", "", text))) for level, text in told]
    return [(int(level) if level.isdigit() else len(level), " ".join(text.split())) for level, text in texts]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--truth", type=Path, help="where the truth is written")
    parser.add_argument("--root", type=Path, default=Path("/"), help="where the packages' files are")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    truth: dict[str, Any] = {}
    for (name, printer, language, look), lines in documents():
        source = lines[0].split() if lines[0].startswith("from ") else []
        if source:
            page = page_of(source[1], source[2], look, arguments.root)
        else:
            page = (as_typst if printer == "typst" else as_html)(lines, language, look, sentences())
        with tempfile.TemporaryDirectory() as scratch:
            made = printed(name, printer, page, Path(scratch))
            target = arguments.folder / f"{name}.pdf"
            pages = pages_of(made, target, wanted_of(page), levels=not source and "nolevels" not in lines)
        optional = [line[2:] for line in lines if line.startswith("o ")]
        for page in pages.values():
            page["optional"] = optional
        truth[f"{name}.pdf"] = {"held": digest(f"held {name}") % 2 == 0, "pages": pages}
    if arguments.truth:
        entries = (f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in truth.items())
        arguments.truth.write_text("{\n" + ",\n".join(entries) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
