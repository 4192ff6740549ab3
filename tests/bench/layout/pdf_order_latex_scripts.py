"""Looks of `pdf_order_latex.py` that are about letters and pages: languages in narrow columns, accents put on letters,
ligatures and capitals, fonts of bitmaps, right-to-left text, watermarks, pages turned."""
# ruff: noqa: E501, UP031  (LaTeX reads best unbroken, and is full of braces)

from __future__ import annotations

from collections.abc import Callable

from pdf_order_latex_document import Document, tex

_HEBREW = (
    "הספרן",
    "העיר",
    "מכתב",
    "ישן",
    "נהר",
    "גשר",
    "מפה",
    "שומר",
    "ראה",
    "כתב",
    "מצא",
    "בחורף",
    "בקיץ",
    "אתמול",
    "תמיד",
    "ליד",
    "תחנה",
    "רכבת",
    "ספינה",
    "מגדל",
    "חלון",
    "שוק",
)
_ARABIC = (
    "المكتبة",
    "مدينة",
    "رسالة",
    "قديم",
    "نهر",
    "جسر",
    "خريطة",
    "حارس",
    "رأى",
    "كتب",
    "وجد",
    "الشتاء",
    "الصيف",
    "أمس",
    "دائما",
    "قرب",
    "محطة",
    "قطار",
    "سفينة",
    "برج",
    "نافذة",
    "سوق",
)


def _narrow(d: Document, language: str) -> str:
    """Newspaper columns: many words are broken."""
    d.speak(language)
    text = d.head(
        "10pt"
    ) + r"\usepackage{multicol}\usepackage[margin=2cm]{geometry}\begin{document}\begin{multicols}{%d}" % d.rng.choice(
        (2, 3, 3, 4)
    )
    for _ in range(4):
        text += rf"\noindent\textbf{{{d.title()}}}\par " + "\n\n".join(d.paragraph(4, 7) for _ in range(3)) + "\n\n"
    return text + r"\end{multicols}\end{document}"


def english(d: Document) -> str:
    """Columns of English."""
    return _narrow(d, "en")


def german(d: Document) -> str:
    """Columns of German."""
    return _narrow(d, "de")


def french(d: Document) -> str:
    """Columns of French."""
    return _narrow(d, "fr")


def polish(d: Document) -> str:
    """Columns of Polish."""
    return _narrow(d, "pl")


def accents(d: Document) -> str:
    """The old encoding, in which accents are glyphs of their own over letters."""
    d.speak(d.rng.choice(("de", "fr", "pl")))
    encoding = "OT4" if d.language == "pl" else "OT1"
    text = d.head("11pt" + d.rng.choice(("", ",twocolumn")), encoding=encoding, font="") + r"\begin{document}"
    for _ in range(4):
        text += (
            rf"\section*{{{d.title()}}}" + "\n" + "\n\n".join(d.paragraph(4, 7, notes=0.3) for _ in range(3)) + "\n\n"
        )
    return text + r"\end{document}"


def letters(d: Document) -> str:
    """Small capitals, spaced words, slanted and bold ones, ligatures in several fonts."""
    text = d.head("11pt") + r"\usepackage{soul}\begin{document}"
    for _ in range(6):
        family = d.rng.choice(
            (
                "",
                r"\fontfamily{ptm}",
                r"\fontfamily{ppl}",
                r"\fontfamily{bch}",
                r"\fontfamily{lmr}",
                r"\fontfamily{phv}",
            )
        )
        text += r"{%s\selectfont " % family
        for _ in range(6):
            wrap = d.rng.choice(
                ("%s", "%s", r"\textsc{%s}", r"\textit{%s}", r"\textbf{%s}", r"\so{%s}", r"\ul{%s}", r"\caps{%s}")
            )
            said = d.prose.sentence()
            plain = said.isascii() and not set(said) & set("%“”—–;")
            text += (wrap if plain else "%s") % tex(d.keep(said)) + " "
        text += r"\par}" + "\n\n"
    return text + r"\end{document}"


def bitmaps(d: Document) -> str:
    """Fonts of bitmaps without the names of glyphs, by way of DVI and PostScript."""
    if d.rng.random() < 0.6:
        d.program = "latex"
        d.after = [["dvips", "-q", "-V", "-o", "made.ps", "made.dvi"], ["ps2pdf", "made.ps", "made.pdf"]]
        font = ""
    else:
        font = r"\pdfmapfile{}\pdfmapline{}"
    d.speak(d.rng.choice(("en", "de")))
    text = d.head("11pt", encoding=d.rng.choice(("OT1", "OT1", "T1")), font="")
    text = text.replace(",tikz", "") + font + r"\usepackage{multicol}\begin{document}"
    for _ in range(4):
        text += (
            rf"\section*{{{d.title()}}}"
            + "\n"
            + d.paragraph(4, 6, notes=0.4)
            + "\n\n"
            + r"\begin{multicols}{2}"
            + d.paragraph(6, 9)
            + r"\end{multicols}"
            + "\n\n"
        )
    return text + r"\end{document}"


def postscript(d: Document) -> str:
    """By way of DVI and PostScript, with outlines."""
    d.program = "latex"
    d.after = [["dvips", "-q", "-o", "made.ps", "made.dvi"], ["ps2pdf", "made.ps", "made.pdf"]]
    d.speak(d.rng.choice(("en", "de", "fr")))
    text = d.head("10pt,twocolumn").replace(",tikz", "").replace(r"\usepackage{microtype}", "") + r"\begin{document}"
    for _ in range(6):
        text += (
            rf"\section{{{d.title()}}}" + "\n" + "\n\n".join(d.paragraph(4, 7, notes=0.3) for _ in range(3)) + "\n\n"
        )
    return text + r"\end{document}"


def _right_to_left(d: Document, font: str, words: tuple[str, ...]) -> str:
    d.program = "xelatex"
    text = (
        r"\documentclass[12pt,a4paper]{article}\usepackage{fontspec}\setmainfont[Script=%s]{%s}\usepackage{bidi}\begin{document}\setRL "
        % font.partition(":")[::2]
    )
    seen: set[str] = set()
    for _ in range(6):
        said: list[str] = []
        while len(said) < 5:
            sentence = " ".join(d.rng.sample(words, d.rng.randint(5, 9)))
            if d.rng.random() < 0.3:
                sentence += f" {d.rng.randint(12, 1990)} {d.rng.choice(words)}"
            sentence += "."
            if sentence not in seen:
                seen.add(sentence)
                said.append(d.keep(sentence))
        text += " ".join(said) + "\n\n"
    return text + r"\end{document}"


def hebrew(d: Document) -> str:
    """Paragraphs of Hebrew."""
    return _right_to_left(d, "Hebrew:DejaVu Sans", _HEBREW)


def arabic(d: Document) -> str:
    """Paragraphs of Arabic, whose letters join."""
    return _right_to_left(d, "Arabic:" + d.rng.choice(("Amiri", "DejaVu Sans")), _ARABIC)


def opentype(d: Document) -> str:
    """OpenType fonts by XeLaTeX or LuaLaTeX."""
    d.program = d.rng.choice(("xelatex", "lualatex"))
    d.speak(d.rng.choice(("en", "de", "fr", "pl")))
    babel = {
        "en": "",
        "de": r"\usepackage[ngerman]{babel}",
        "fr": r"\usepackage[french]{babel}",
        "pl": r"\usepackage[polish]{babel}",
    }[d.language]
    font = d.rng.choice(
        (
            "",
            r"\setmainfont{DejaVu Serif}",
            r"\setmainfont{Latin Modern Sans}",
            r"\setmainfont[Numbers=OldStyle]{TeX Gyre Pagella}",
        )
    )
    text = r"\documentclass[10pt,a4paper,twocolumn]{article}\usepackage{fontspec}%s%s\begin{document}" % (font, babel)
    for _ in range(5):
        text += (
            rf"\section{{{d.title()}}}" + "\n" + "\n\n".join(d.paragraph(4, 7, notes=0.3) for _ in range(3)) + "\n\n"
        )
    return text + r"\end{document}"


def watermark(d: Document) -> str:
    """A word in large pale letters behind the text."""
    word = d.rng.choice(("DRAFT", "CONFIDENTIAL", "PREPRINT"))
    text = d.head("11pt") + r"\usepackage{draftwatermark}\SetWatermarkText{%s}\begin{document}" % word
    d.free.append(word)
    for _ in range(5):
        text += (
            rf"\section{{{d.title()}}}" + "\n" + "\n\n".join(d.paragraph(4, 7, notes=0.2) for _ in range(3)) + "\n\n"
        )
    return text + r"\end{document}"


def turned(d: Document) -> str:
    """Pages on their side, and figures turned on upright pages."""
    text = d.head("11pt") + r"\usepackage{pdflscape,lscape,rotating,multicol}\begin{document}" + d.paragraph(6, 9)
    env = d.rng.choice(("landscape", "landscape", "sideways"))
    d.flow()
    inner = "\n\n".join(d.paragraph(4, 6) for _ in range(3))
    if env == "landscape":
        inner = d.rng.choice((r"\begin{multicols}{2}%s\end{multicols}", "%s")) % inner
        text += rf"\begin{{landscape}}{inner}\end{{landscape}}"
    else:
        text += rf"\begin{{sidewaysfigure}}\parbox{{.9\textheight}}{{{inner}}}\caption{{{d.say(1, new=True)}}}\end{{sidewaysfigure}}"
    d.flow()
    text += (
        "\n\n"
        + d.paragraph(6, 9)
        + "\n\n"
        + rf"\begin{{sidewaystable}}\caption{{{d.say(1, new=True)}}}\begin{{tabular}}{{lrr}}\hline Year & Mean & Sum\\ 1 & 22 & 33\\ 2 & 44 & 66\\\hline\end{{tabular}}\end{{sidewaystable}}"
    )
    return text + d.paragraph(5, 8) + r"\end{document}"


SCRIPTS: dict[str, Callable[[Document], str]] = {
    "english": english, "german": german, "french": french, "polish": polish, "accents": accents, "letters": letters,
    "bitmaps": bitmaps, "postscript": postscript, "hebrew": hebrew, "arabic": arabic, "opentype": opentype,
    "watermark": watermark, "turned": turned,
}  # fmt: skip
