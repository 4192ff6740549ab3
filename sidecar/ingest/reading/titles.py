"""Whether the title a file gives itself tells it apart: what a program put there on its own gives way to the file's
name. By kinds of such titles; knows no formats and no files.
"""

from __future__ import annotations

import re

__all__ = ["telling_title"]

_PROGRAM = re.compile(r"(?:microsoft\s+)?(?:word|excel|powerpoint|publisher|outlook|writer|calc|impress)\s+-\s+", re.I)
"""What print drivers put before the name of what they print: "Microsoft Word - report.doc"."""
_FILE = re.compile(
    r"[^\s].*\.(?:docx?m?|dotx?|rtf|odt|ods|odp|xls[xmb]?|ppt[xm]?|ppsx?|pdf|txt|html?|tmp|exe|dll|dvi|e?ps|tex|"
    r"indd|qxp?d?|pub|fm|wpd|sxw|pages|numbers|ai|psd|cdr|vsdx?|dwg|dxf|msg|eml|mbox|csv|xml|jpe?g|png|gif|tiff?|bmp)",
    re.I,
)
"""A file's name, its suffix one of a document's, picture's or program's. Suffixes of code are not among them: "Node.js"
is a name."""
_PLACE = re.compile(r"(?:file:|[a-z]:\\|\\\\|/(?=\S+/)|about:|https?://\S+$)", re.I)
_NUMBERED = r"[\s_-]*\(?\d{0,4}\)?"
_NAMELESS = re.compile(
    r"[\W_]*(?:untitled(?: document| presentation| spreadsheet)?|unnamed|anonymous|unknown|no ?title|none|null|"
    r"undefined|title|titel|titre|título|titolo|unbenannt|ohne titel|kein titel|sans titre|sin título|sem título|"
    r"senza titolo|zonder titel|naamloos|bez nazwy|bez tytułu|без названия|без имени|無題|名称未設定|无标题|未命名|"
    r"제목 없음)" + _NUMBERED + r"[\W_]*",
    re.I,
)
"""Says that there is no title, in the languages programs say it in."""
_KIND = re.compile(
    r"(?:new |neues? |nouveau |nuevo )?(?:(?:microsoft |ms )?(?:word|excel|powerpoint|office|openoffice|libreoffice|"
    r"google)[ -]?)?(?:document|presentation|slide ?show|slides?|spreadsheet|workbook|work ?sheet|sheet|book|file|text|"
    r"page|"
    r"dokument|präsentation|folien?|mappe|arbeitsmappe|tabelle|présentation|classeur|feuille|diapositive|diapositiva|"
    r"presentación|libro|hoja|documento|presentazione|apresentação|cartella|презентация|документ|книга|лист|"
    r"プレゼンテーション|文書|演示文稿|文档|工作簿|프레젠테이션|문서)" + _NUMBERED,
    re.I,
)
"""Says only what kind of thing it is: "PowerPoint Presentation", "Document1", "Mappe 2"."""
_CODE = re.compile(r"(?=.*\d)[0-9a-f]{8,}|[{(]?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}[)}]?", re.I)
_YEAR_DIGITS = 4
"""More digits and nothing else are a number somebody's program counted up; a year may be a title."""


def telling_title(title: str) -> str:
    """The title without what a program put before it, in one line; "" where it is the title of nothing: a file's name,
    a place, a code, a kind of document, or that there is none."""
    text = " ".join(title.split())
    if printed := _PROGRAM.match(text):
        text = text[printed.end() :]
    if any(kind.fullmatch(text) for kind in (_FILE, _NAMELESS, _KIND, _CODE)) or _PLACE.match(text):
        return ""
    letters = any(character.isalpha() for character in text)
    digits = sum(character.isdigit() for character in text)
    return text if letters or 0 < digits <= _YEAR_DIGITS else ""
