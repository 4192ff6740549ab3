"""Prints documents in designs of others, and writes down their headings: the twenty-fourth truth of headings.

    python tests/bench/pages_business/heading_designs.py ROOT FOLDER [--list designs_sites] [--truth FILE]
        [--only NAME ...]

`heading_documents/designs.txt` (`designs_sites.txt` for the twenty-fifth, `designs_packages.txt` for the twenty-eighth,
`designs_others.txt` for the twenty-ninth, `designs_references.txt` for the thirtieth, `designs_documents.txt` for the
thirty-first) has a document a line: its name, how it is made, the package its design is of and the one its words are
of, as they lie unpacked in ROOT (npm and PyPI by their names, style sheets of the first list as `css-NAME`, Debian as
`apt-NAME`, templates of LibreOffice as `lo`; themes of CVs and Marp in `node_modules`): `resume` is a theme for the
sample of one of them, `css` a style sheet over a README or a chapter in Markdown (`weasy` printed by WeasyPrint),
`page` a web page as it is, `marp` a deck in a theme of Marp, `ott` a template of LibreOffice or Word over a README,
`otp` slides of the headings of one with what stands under each in a template of Impress, `tex` a class of LaTeX with
its options over one (TEXMFHOME has the packages), `agenda` one of its agendas with the words its assistant fills in,
`as` an office file as it is, `beamer` a deck in a theme, `sample` a PDF (from a page on, `:5`) with the source in LaTeX
that tells its headings.
Headings are h1 to h6, or the heading styles, that stand on a page (bookmarks tell it); those of navigation, side bars
and footers may be counted or not, and so may subtitles and authors (by their class), dates, lines wholly in bold,
terms, names of admonitions, what the name of its class calls a title, and the name of what a web page is a page of. Of
a CV its name and its sections are headings, however they are tagged, and all that was filled in may be. What stands
behind a bar in the list may be counted or not as well; for `as` its headings stand there, each behind its level. What
LaTeX calls an abstract, contents and references by itself may be counted or not, and so may titles that run into
paragraphs and "Chapter 3". Pages beyond the fourth are cut off, then bookmarks and tags. Documents whose author tagged
what does not look like a heading, or did not tag what does, were left out by their pictures, before anything was read.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from heading_kinds import SECONDS, SOURCES, digest, letters, office, pages_of, run

MAX_PAGES = 4
MAX_LINES = 5  # of a slide under its title
_STEM = 5  # letters that "Volunteer", a role, and "Volunteering", a section, share
_ASIDE = re.compile(
    r"\b(?:side-?bar\w*|nav(?:bar|igation|header|footer)?|toc\w*|related|footer|menu|breadcrumbs?)\b", re.IGNORECASE
)
_TITLED = re.compile(r"title|heading|lead|brand|price|name", re.IGNORECASE)
"""In the class of what a page sets as a title without tagging it as one."""
_SUBTITLE = re.compile(r"sub-?(?:title|heading)|author|credit")
_DATE = re.compile(r"[\W\d]*(?:[^\W\d]{3,9}\W+)?\d{4}\b.*|\W*\S+@\S+\W*|[\W\d]*")
_SECTION = re.compile(
    r"(?:about(?: me)?|(?:professional )?(?:skills )?summary|contact|profiles?|(?:work )?experience|work|education"
    r"|volunteer(?:ing|ed)?|awards(?: & honors)?|publications|(?:technical )?skills|languages|interests|references"
    r"|certificates|projects|employment|location|personal)\W*", re.IGNORECASE,
)  # fmt: skip
_RENDER = (
    "const [,p,f,n]=process.argv,r=JSON.parse(require('fs').readFileSync(f));(async()=>{let t;try{t=require(p)}"
    "catch{t=await import(n)};process.stdout.write(await (t.render||t.default.render)(r))})()"
)
AGENDA = {
    "title": "Review of the budget", "topics": "Topics", "additional-information": "Additional information",
    "minutes-for": "Minutes of", "minutes-title": "the review of the budget",
    "datetitle": "Date:", "date": "4 May 2026",
    "timetitle": "Time:", "time": "10:30", "locationtitle": "Location:", "location": "Room 214",
    "meeting-type": "Type of meeting:", "called-by": "Called by:", "facilitator": "Facilitator:",
    "attendees": "Attendees:", "notetaker": "Minutes by:", "timekeeper": "Timekeeper:", "observers": "Observers:",
    "resource-persons": "Resource persons:", "bring": "Please bring:", "read": "Please read:", "notes": "Notes:",
    "num": "1.", "num.": "No.", "topic": "Costs of heating", "topicheader": "Topic", "responsible": "M. Ortega",
    "responsibleheader": "Responsible", "topic-time": "20 minutes", "timeheader": "Time",
    "minutes-location": "Room 214",
    "minutes-date": "4 May 2026", "minutes-time": "10:30", "discussion": "Discussion:", "conclusion": "Conclusion:",
    "to-do": "To do:", "responsible-party": "Responsible:", "deadline": "Deadline:", "mtopic": "Costs of heating",
    "mresponsible": "M. Ortega", "mtime": "20 minutes",
}  # fmt: skip
"""What LibreOffice's assistant fills into its templates of agendas."""
AGENDA_HEADS = [(1, AGENDA["title"]), (2, "Topics"), (2, "Additional information")]
_PLACE = re.compile(r"(?:&lt;|#)([a-z.-]+)(?:&gt;|#)")
_MARP = (
    "const {Marp}=require('@marp-team/marp-core'),t=require('fs').readFileSync(0,'utf8');"
    "const {html,css}=new Marp({script:false}).render(t);"
    "process.stdout.write(`<!doctype html><meta charset=utf-8><style>${css}</style>${html}`)"
)
_TEX = r"""\documentclass[%s]{%s}
\usepackage[utf8]{inputenc}\usepackage{longtable,booktabs,array,calc,graphicx,fancyvrb}
\usepackage[bookmarksdepth=6,bookmarksopen]{hyperref}
\providecommand{\tightlist}{}\providecommand{\passthrough}[1]{#1}
\title{%s}\author{A. Writer}\begin{document}\maketitle\sloppy\input{body}\end{document}
"""
_DECK = r"""\documentclass{beamer}\usepackage[utf8]{inputenc}\usetheme{%s}
\title{%s}\author{A. Writer}\begin{document}\frame{\titlepage}
%s
\end{document}
"""
_TOLD_IN_TEX = re.compile(
    r"\\(?:(title|part|chapter|section|subsection|subsubsection)|(author|date|subtitle|paragraph|caption|keywords))"
    r"\*?\s*(?:\[[^\[\]]*\]\s*)?(\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})"
)
"""A heading, or what may be counted or not, in a source of LaTeX."""
_LABEL = re.compile(r"(?:Chapter|Kapitel|Hoofdstuk|§) ?\d{1,2}\b")
"""What classes set before or over the title of a chapter, as far as those of the list do."""
_INPUT = re.compile(r"\\(?:input|include)\{([^{}]+)\}")
_LEVELS = ("title", "part", "chapter", "section", "subsection", "subsubsection")
_SET_BY_CLASS = ("Abstract", "Contents", "Table of Contents", "References", "Bibliography", "List of Figures",
    "List of Tables", "Keywords", "Index")  # fmt: skip
_WRAPPED = '<article class="markdown-body container content prose"><main>{}</main></article>'


def web_page(kind: str, root: Path, design: str, words: str, scratch: Path) -> Path:
    """A document as a web page."""
    page = scratch / "page.html"
    if kind == "page":
        return root / design / words
    if kind == "resume":
        done = subprocess.run(
            ["node", "-e", _RENDER, str(root / "node_modules" / design), str(root / words), design],
            capture_output=True, check=True, timeout=60, cwd=root / "node_modules" / design,
        )  # fmt: skip
        page.write_bytes(done.stdout)
    elif kind in {"css", "weasy"}:
        body = _WRAPPED.format(as_html(root / words))
        head = f'<meta charset=utf-8><link rel=stylesheet href="{(root / design).as_uri()}">'
        page.write_text(f"<!doctype html><html lang=en><head>{head}</head><body>{body}</body></html>", "utf-8")
    else:
        text = f"---\nmarp: true\ntheme: {design}\nheadingDivider: 2\n---\n\n{words_of(root / words)}"
        done = subprocess.run(
            ["node", "-e", _MARP], input=text.encode(), capture_output=True, check=True, cwd=root / "node_modules"
        )
        page.write_bytes(done.stdout)
    return page


def filled(template: Path, target: Path) -> None:
    """A template of an agenda with its places filled in."""
    with zipfile.ZipFile(template) as read, zipfile.ZipFile(target, "w") as write:
        for name in read.namelist():
            text = read.read(name)
            if name == "content.xml":
                said = _PLACE.sub(lambda match: AGENDA.get(match[1], match[0]), text.decode())
                text = said.encode()
            write.writestr(name, text)


def words_of(file: Path) -> str:
    """A text; of the metadata of a package what it says of itself."""
    text = file.read_text(encoding="utf-8")
    return text.partition("\n\n")[2] if file.name == "METADATA" else text


def as_html(file: Path) -> str:
    """A text in Markdown as HTML without pictures."""
    command = ("pandoc", "-f", "gfm", "-t", "html")
    done = subprocess.run(command, input=words_of(file).encode(), capture_output=True, check=True, timeout=60)
    return re.sub(r"<img[^>]*>|<picture.*?</picture>", "", done.stdout.decode(), flags=re.DOTALL)


def deck(template: Path, words: str, name: str, scratch: Path) -> tuple[Path, list[tuple[int, str]]]:
    """A slide a heading, with the first plain lines under it, in the design of a template; the file and the titles."""
    pptx: Any = __import__("pptx")
    slides = [("title", name), *re.findall(r"(?m)^#{2,} (.+)\n((?:(?!#).*\n)*)", words)[:MAX_PAGES]]
    profile = f"-env:UserInstallation={(scratch / 'profile').as_uri()}"
    run("soffice", profile, "--headless", "--convert-to", "pptx", "--outdir", str(scratch), str(template))
    made = pptx.Presentation(scratch / f"{template.stem}.pptx")
    for one in list(made.slides._sldIdLst):
        made.part.drop_rel(one.rId)
        made.slides._sldIdLst.remove(one)
    titles = list[tuple[int, str]]()
    for title, text in [slides[0][::-1], *slides[1:]]:
        kind = "Title, Content" if titles else "Title Slide"
        slide = made.slides.add_slide(next(x for x in made.slide_layouts if x.name == kind))
        lines = [re.sub(r"[*`\[]|\]\([^)]*\)", "", x).strip(" -*") for x in text.splitlines()]
        lines = [x for x in lines if re.match(r"\w[^<>|{}=]{3,160}$", x)][:MAX_LINES]
        titles.append((1, re.sub(r"[*`\[]|\]\([^)]*\)", "", title).strip(" #")))
        frames = [x.text_frame for x in slide.placeholders if x.has_text_frame]
        frames[0].text, frames[1].text = titles[-1][1], "\n".join(lines)
    made.save(scratch / f"{name}.pptx")
    return office(scratch / f"{name}.pptx", scratch, "impress"), titles


def frames(words: str, title: str, theme: str) -> tuple[str, list[tuple[int, str]]]:
    """A source of Beamer with a frame a heading, and the titles."""
    titles, said = [(1, title)], list[str]()
    for head, text in re.findall(r"(?m)^#{2,} (.+)\n((?:(?!#).*\n)*)", words)[: MAX_PAGES - 1]:
        plain = [re.sub(r"[*`\[]|\]\([^)]*\)", "", x).strip(" -*#") for x in (head, *text.splitlines())]
        lines = [x for x in plain[1:] if re.match(r"\w[^<>|{}=\\_&%#$^~]{3,160}$", x)][:MAX_LINES]
        titles.append((1, plain[0]))
        items = "".join(f"\\item {x}\n" for x in lines) or "\\item More\n"
        said.append(f"\\begin{{frame}}{{{plain[0]}}}\n\\begin{{itemize}}\n{items}\\end{{itemize}}\n\\end{{frame}}")
    return _DECK % (theme, title, "\n".join(said)), titles


def told_by_tex(source: Path) -> tuple[list[tuple[int, str]], list[str]]:
    """The headings a source of LaTeX gives, in their order, and what may be counted or not."""

    def read(file: Path, depth: int) -> str:
        if not file.is_file() or depth > MAX_PAGES:
            return ""
        text = re.sub(r"(?m)(?<!\\)%.*$", "", file.read_text(encoding="utf-8", errors="replace"))
        return _INPUT.sub(lambda m: read(source.parent / (m[1] if "." in m[1] else f"{m[1]}.tex"), depth + 1), text)

    wanted, optional = list[tuple[int, str]](), [*map(str, _SET_BY_CLASS)]
    for head, other, said in _TOLD_IN_TEX.findall(read(source, 0).partition("\\end{document}")[0]):
        text = re.sub(r"\\(?:thanks|footnote|label|index|orcid)\{[^{}]*\}", "", said)
        text = " ".join(re.sub(r"\\[a-zA-Z]+\*?|\\[^a-zA-Z]|[{}$~]", " ", text).split())
        if head and any(map(str.isalpha, text)):
            wanted.append((_LEVELS.index(head) + 1, text))
        elif other:
            optional += [text, *map(str.strip, re.split(r",|;| and ", text))]
    return wanted, optional


def excerpt(file: Path, target: Path, first: int) -> Path:
    """The pages of a PDF from one on that are read."""
    pypdf: Any = __import__("pypdf")
    writer = pypdf.PdfWriter()
    for page in pypdf.PdfReader(file).pages[first - 1 : first - 1 + MAX_PAGES]:
        writer.add_page(page)
    writer.write(target)
    return target


def placed(made: Path, wanted: list[tuple[int, str]]) -> dict[str, Any]:
    """Headings, each on the first page from that of the one before on which its letters stand."""
    pypdf: Any = __import__("pypdf")
    texts = [letters(page.extract_text()) for page in pypdf.PdfReader(made).pages]
    pages: dict[str, Any] = {str(number + 1): {"headings": []} for number in range(len(texts))}
    at = 0
    for level, text in wanted:
        found = next((n for n in range(at, len(texts)) if letters(text) in texts[n]), None)
        if found is not None:
            at = found
            pages[str(at + 1)]["headings"].append([level, text])
        elif at < MAX_PAGES:
            print(f"{made.name}: not on its pages: {text!r}", file=sys.stderr)
    return pages


def told_by(page: Path) -> tuple[list[tuple[int, str]], list[str]]:
    """The headings of a web page with their levels, and what may be counted or not."""
    html: Any = __import__("lxml.html", fromlist=["html"])
    tree = html.parse(str(page), parser=html.HTMLParser(encoding="utf-8")).getroot()
    for link in tree.xpath("//a[contains(@class,'headerlink')]|//h1/svg|//script|//style"):
        link.drop_tree()
    wanted, optional = list[tuple[int, str]](), list[str]()
    for one in tree.iter("h1", "h2", "h3", "h4", "h5", "h6"):
        text = " ".join(one.text_content().split())
        around = [one, *one.iterancestors()]
        aside = any(
            x.tag in {"nav", "aside", "footer"} or _ASIDE.search(f"{x.get('class', '')} {x.get('id', '')}")
            for x in around if x.tag not in {"body", "html"}
        )  # fmt: skip
        aside = aside or _DATE.fullmatch(text) is not None or _SUBTITLE.search(one.get("class", "")) is not None
        if any(map(str.isalpha, text)):
            optional += [text] if aside else []
            wanted += [] if aside else [(int(one.tag[1]), text)]
    for one in tree.iter("p", "dt", "th", "legend", "summary", "figcaption", "caption", "div", "li", "td", "span", "a"):
        text = " ".join(one.text_content().split())
        bold = " ".join(" ".join(b.text_content() for b in one.iter("b", "strong")).split())
        titled = _TITLED.search(one.get("class", "")) is not None
        if 1 < len(text) < 160 and (one.tag not in {"p", "div", "li", "td", "span", "a"} or bold == text or titled):
            optional.append(text)
    for one in tree.iter("title"):  # of the page and of what it is a page of
        optional += re.split(r"\s[-–—|·]\s", " ".join(one.text_content().split()))
    return wanted, list(dict.fromkeys(optional))


def told_by_cv(page: Path, data: Path, made: Path) -> tuple[dict[str, Any], list[str]]:
    """The headings of a CV, each on the first page from that of the one before on which its letters stand."""
    lxml: Any = __import__("lxml.html", fromlist=["html"])
    says: list[str] = []

    def walk(value: Any) -> None:
        for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            walk(one)
        if isinstance(value, str):
            says.append(value)

    resume = json.loads(data.read_text(encoding="utf-8"))
    walk(resume)
    wanted, optional, stems = [(1, resume["basics"]["name"])], list[str](), set[str]()
    for one in lxml.parse(str(page), parser=lxml.HTMLParser(encoding="utf-8")).getroot().iter():
        text = " ".join(one.text_content().split()) if isinstance(one.tag, str) else ""
        if one.tag in {"script", "style", "title"} or not text:
            continue
        if _SECTION.fullmatch(text) and text[:_STEM].casefold() not in stems:
            stems.add(text[:_STEM].casefold())
            wanted.append((2, text))
        elif len(text) < 60:
            optional.append(text)
    return placed(made, wanted), list(dict.fromkeys([*says, *optional]))


def make(line: str, root: Path, target: Path) -> dict[str, Any]:
    """Prints a document without bookmarks and tags; what its source says of each of its pages."""
    described, _, more = line.partition("|")
    name, kind, design, words = described.split()
    others = [text.strip() for text in more.split("|") if text.strip()]
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        if kind in {"agenda", "as"}:
            source = Path(shutil.copy(root / design, scratch))
            heads = [(int(text[0]), text[2:]) for text in others]
            if kind == "agenda":
                filled(root / design, source)
                heads, others = AGENDA_HEADS, [*AGENDA.values(), "Minutes of the review of the budget"]
            made = office(source, scratch, "writer")
            pages_of(made, target, [], levels=True)
            pages = {"1": {"headings": [[level, text] for level, text in heads]}}
            optional = others if kind == "agenda" else []
        elif kind == "otp":
            made, titles = deck(root / design, words_of(root / words), name, scratch)
            pages_of(made, target, [], levels=True)
            pages = {str(number): {"headings": [title]} for number, title in enumerate(titles, 1)}
            optional = []
        elif kind == "beamer":
            told, titles = frames(words_of(root / words), name.replace("-", " ").title(), design)
            (scratch / f"{name}.tex").write_text(told, encoding="utf-8")
            made, optional = set_by_tex(name, scratch, times=1), list[str]()
            pages_of(made, target, [], levels=True)
            pages = {str(number): {"headings": [title]} for number, title in enumerate(titles, 1)}
        elif kind == "sample":
            file, _, first = design.partition(":")
            made = excerpt(root / file, scratch / f"{name}.pdf", int(first or 1))
            wanted, optional = told_by_tex(root / words)
            pages_of(made, target, [], levels=True)
            pages = placed(made, wanted)
        else:
            made, page = printed(name, kind, design, words, root, scratch)
            if kind == "resume":
                pages_of(made, target, [], levels=True)
                pages, optional = told_by_cv(page, root / words, made)
            else:
                wanted, optional = told_by(page)
                pages = pages_of(made, target, [one for one in wanted if one[1] not in others], levels=True)
            optional += others
    pypdf: Any = __import__("pypdf")
    writer = pypdf.PdfWriter()
    shown: dict[str, Any] = {}
    for number, page in enumerate(pypdf.PdfReader(target).pages[:MAX_PAGES], 1):
        writer.add_page(page)
        on_page = letters(page.extract_text())
        labels = _LABEL.findall(page.extract_text()) if kind == "sample" else []
        may = [text for text in dict.fromkeys(optional) if letters(text) and letters(text) in on_page]
        shown[str(number)] = {**pages[str(number)], "optional": [*may, *dict.fromkeys(labels)]}
    writer.write(target)
    return {"held": digest(f"held {name}") % 2 == 0, "pages": shown}


def set_by_tex(name: str, scratch: Path, times: int = 2) -> Path:
    """Has LaTeX set a source, twice where it is to have bookmarks."""
    for _ in range(times):
        command = ["pdflatex", "-interaction=batchmode", f"{name}.tex"]  # letters that it lacks are not a failure
        subprocess.run(command, check=False, capture_output=True, timeout=SECONDS, cwd=scratch)
    return scratch / f"{name}.pdf"


def printed(name: str, kind: str, design: str, words: str, root: Path, scratch: Path) -> tuple[Path, Path]:
    """The PDF of a document with bookmarks, and the web page its headings are told by."""
    page = scratch / "page.html"
    title = name.replace("-", " ").title()
    if kind in {"ott", "tex"}:
        page.write_text(f"<title>{title}</title>{as_html(root / words)}", encoding="utf-8")
    if kind == "tex":
        run("pandoc", "-f", "html", "-t", "latex", "--no-highlight", str(page), "-o", str(scratch / "body.tex"))
        one, _, options = design.partition(":")
        (scratch / f"{name}.tex").write_text(_TEX % (options, one, title), encoding="utf-8")
        return set_by_tex(name, scratch), page
    if kind == "ott":
        opened = scratch / f"{name}{'.docx' if design.endswith('.docx') else '.odt'}"
        run("pandoc", "-f", "html", str(page), f"--reference-doc={root / design}", "-o", str(opened))
        return office(opened, scratch, "writer"), page
    made, page = scratch / f"{name}.pdf", web_page(kind, root, design, words, scratch)
    if kind == "weasy":
        run(str(Path(sys.executable).with_name("weasyprint")), "-q", str(page), str(made))
        return made, page
    options = (
        "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", "--generate-pdf-document-outline",
        "--host-resolver-rules=MAP * ~NOTFOUND", "--allow-file-access-from-files", "--virtual-time-budget=5000",
    )  # fmt: skip
    run("chromium", *options, f"--user-data-dir={scratch}/browser", f"--print-to-pdf={made}", page.as_uri())
    return made, page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--truth", type=Path, help="where the truth is written")
    parser.add_argument("--list", default="designs", help="the name of the list")
    parser.add_argument("--only", nargs="*", default=[])
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    truth: dict[str, Any] = {}
    for line in (SOURCES.parent / f"{arguments.list}.txt").read_text(encoding="utf-8").splitlines():
        name = line.split()[0]
        if arguments.only and name not in arguments.only:
            continue
        try:
            truth[f"{name}.pdf"] = make(line, arguments.root, arguments.folder / f"{name}.pdf")
        except (OSError, subprocess.SubprocessError, ValueError) as error:
            print(f"{name}: {error} {(getattr(error, 'stderr', None) or b'')[-300:]!r}", file=sys.stderr)
    if arguments.truth:
        entries = (f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in truth.items())
        arguments.truth.write_text("{\n" + ",\n".join(entries) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
