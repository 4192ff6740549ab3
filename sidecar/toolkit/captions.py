"""Tells a caption ("Figure 8-1. The Mercator projection") from a sentence that mentions one ("Figure 8-1 shows …").

Formats bind the caption to what it labels; this module only reads one paragraph of text. It also folds labels into
keys, so that "fig. 8–1", "Figure 8-1" and "Abbildung 8-1" find the same element."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sidecar.api.model import ElementType


@dataclass(frozen=True)
class Caption:
    """A caption taken apart. `label` is the word in full and the number ("Figure 8-1", "Tabelle 5"); `text` is what
    follows it, "" where the label stands alone (a title often comes in the next paragraph)."""

    type: ElementType
    label: str
    text: str


@dataclass(frozen=True)
class _Word:
    """A label word: the form shown, the class it is looked up under, and whether it only counts with its dot."""

    shown: str
    key: str
    type: ElementType
    dotted: bool = False


def _vocabulary() -> dict[str, _Word]:
    """Every word that opens a caption, case-folded. One line is one class: words on it name the same thing in
    different languages; `short=Full` is an abbreviation, `short.=Full` one that is another word without its dot."""
    lines: tuple[tuple[ElementType, str, str], ...] = (
        ("figure", "figure", "Figure fig=Figure Abbildung abb=Abbildung Bild Figura Figuur Afbeelding afb=Afbeelding "
         "Рисунок рис=Рисунок Figur Rysunek rys.=Rysunek Obrázek obr=Obrázek Kuva Şekil 图 圖 図 그림 "
         "Obrázok Slika Слика Mynd Joonis Gambar Hình Σχήμα Фигура شكل الشكل شکل איור ábra attēls irudia pav."),
        ("figure", "illustration", "Illustration Ilustración Ilustração Illustrazione Иллюстрация Ilustracja"),
        ("figure", "image", "Image Imagen Imagem Immagine Изображение Picture Εικόνα Зображення kép"),
        ("figure", "photo", "Photo Photograph Foto Fotografía Fotografia Фото 사진 写真 照片"),
        ("figure", "map", "Map Karte Carte Mapa Mappa Kaart Карта 지도 地图 地図"),
        ("figure", "plate", "Plate Planche Tafel Lámina Tavola Plaat 图版"),
        ("figure", "exhibit", "Exhibit"),
        ("figure", "algorithm", "Algorithm Algorithmus Algorithme Algoritmo Алгоритм 算法"),
        ("figure", "listing", "Listing Листинг"),
        ("table", "table", "Table tab.=Table tbl.=Table Tabelle Tableau tabl.=Tableau Tabla Tabella Tabela Tabel "
         "Таблица табл=Таблица Tabell Tabulka Taulukko Tablo 表 표 "
         "Tabuľka Tablica Табела Tafla Bảng Πίνακας Таблиця Tabelul Taula جدول الجدول טבלה táblázat tabula lentelė"),
        ("table", "panel", "Quadro Cuadro"),
        ("equation", "equation", "Equation eq=Equation eqn=Equation Gleichung gl.=Gleichung Équation éq=Équation "
         "Ecuación ec.=Ecuación Equazione Equação Vergelijking Уравнение Формула Formula Formel Formule Fórmula "
         "式 公式 방정식 식"),
        ("diagram", "diagram", "Diagram Diagramm Diagramme Diagrama Diagramma Диаграмма"),
        ("diagram", "scheme", "Scheme Schema Schéma Esquema Схема Flowchart 示意图"),
        ("chart", "chart", "Chart Graph Grafik Graphique Gráfico Gráfica Grafico Grafiek График 图表 グラフ 도표"),
    )  # fmt: skip
    words: dict[str, _Word] = {}
    for kind, key, names in lines:
        for name in names.split():
            short, _, full = name.partition("=")
            words[short.rstrip(".").casefold()] = _Word(full or name, key, kind, dotted=short.endswith("."))
    return words


_WORDS: Final = _vocabulary()
_NAMING_A_KIND: Final = frozenset(("figure", "illustration", "image", "photo", "table", "equation", "diagram", "chart"))
"""Classes of words that name kinds of elements and little else: a "map" or a "schema" is what somebody looks for."""
_CHARTS: Final[Mapping[str, str]] = {
    "bar": "bar chart Balkendiagramm barres barras barre",
    "column": "column chart bar chart Säulendiagramm Balkendiagramm barres barras colonne columnas colunas",
    "line": "line chart Liniendiagramm courbe courbes líneas linhas linee",
    "area": "area chart Flächendiagramm aires áreas",
    "pie": "pie chart Kreisdiagramm Tortendiagramm Kuchendiagramm camembert secteurs circular torta pizza",
    "doughnut": "doughnut chart donut chart pie chart Ringdiagramm anneau anillo rosca anello",
    "scatter": "scatter chart Streudiagramm Punktdiagramm nuage dispersión dispersão dispersione",
    "bubble": "bubble chart Blasendiagramm bulles burbujas bolhas bolle",
    "radar": "radar chart spider chart Netzdiagramm", "stock": "stock chart Kursdiagramm",
    "surface": "surface chart Oberflächendiagramm", "treemap": "treemap", "sunburst": "sunburst",
    "histogram": "histogram Histogramm histogramme histograma istogramma",
    "boxWhisker": "box chart whisker chart boxplot", "waterfall": "waterfall chart Wasserfalldiagramm cascade cascada",
    "funnel": "funnel chart Trichterdiagramm entonnoir embudo",
}  # fmt: skip
_CHART_NAMES: Final = frozenset(re.findall(r"\w+ chart", " ".join(_CHARTS.values())))
_PREFIXES: Final = frozenset(
    ("supplementary", "supplemental", "supplement", "supporting", "extended", "appendix", "annex", "online")
)

_DASHES: Final = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_DASH: Final = f"[{_DASHES}]"
_DASH_RUN: Final = re.compile(_DASH + "+")

_LEAD: Final = re.compile(r"[\s*_▲△►▶◄◀▼■□●•◆|]*([\[<〈《【「]?)\s*")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_BETWEEN: Final = re.compile(r"\s*\.?\s*(?:(?:No|Nr|Nº|N°|n°|№)\.?\s*)?")
_ROMAN: Final = r"(?=[IVXL])(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
_CORE: Final = (
    r"(?:[A-Za-z]{1,2}[.\-\u2010-\u2015\u2212]?)?\d{1,4}"  # 8, A1, S2, A.1, p12
    rf"(?:(?:[.:．]|{_DASH})(?:\d{{1,4}}|{_ROMAN}\b))*"  # 8-1, 3.2, 1.2.3
    r"(?:[ \u00a0]?\([a-z]\)|[a-z](?![^\W\d_]))?"  # 1a, 3(a)
    rf"|{_ROMAN}(?:(?:\.|{_DASH})\d{{1,3}})?(?![^\W_])"  # IV, II-3
    rf"|[A-Z](?:(?:\.|{_DASH})\d{{1,3}})*(?![^\W_])"  # A, B-2
)
_NUMBER: Final = re.compile(rf"\(\s*(?P<in>{_CORE})\s*\)|\[\s*(?P<sq>{_CORE})\s*\]|(?P<plain>{_CORE})")
_CLOSE: Final = re.compile(r"\s*[\]>〉》】」]")
_SEPARATOR: Final = re.compile(rf"\s*(?:[.:：．。|｜•]+(?:\s?{_DASH}{{1,3}}(?!\d))?|{_DASH}{{1,3}}(?!\d))\s*")
_LEADERS: Final = re.compile(r"(?:\.\s?){4,}\s*\w{0,6}\s*$|…{2,}\s*\w{0,6}\s*$|_{4,}\s*\d*\s*$|\t\s*\d{1,4}\s*$")
_ORDINAL: Final = re.compile(r"第\s*(\d{1,3}(?:[.\-]\d{1,3})*)\s*([图圖図表])(?!\w?[はがのをにと中所])\s*")
_NUMBERED: Final = re.compile(
    r"(\d{1,3}(?:\.\d{1,3})*)\.? (ábra|kép|táblázat|attēls|tabula|irudia|taula|pav|lentelė)(?!\w)[.:]?+\s*+(?![,)a-z])"
)
"""A label whose number comes first, as in Hungarian, Latvian, Basque and Lithuanian."""
_PARENTHESIS: Final = re.compile(r"\(([^()]{0,60})\)\s*")
_CONTINUED: Final = re.compile(r"cont|forts|suite|seguito|продолж|окончан|続|续|接上", re.IGNORECASE)

# What follows a number inside a sentence, in scripts without letter case: particles, copulas, verbs of showing.
_RUNNING_ON: Final = re.compile(
    r"[、,，;；)）]|中(?![国國央文学學心小医醫部])|所|是|为|為|的|(?:和|与|與|及|或)[图圖表]|显示|顯示|展示|给出|給出|说明|說明|表示|表明|列出|描述|描绘|可见|可知|可以|对比了|总结了"
    r"|は|が|の|を|に|と|で|から|より|も|参照"
    r"|은|는|이\s|가\s|을|를|에|과\s|와\s|의\s|로|처럼|참조"
)


def kind_named(word: str) -> ElementType | None:
    """The kind of element that a word of a question names in any of the languages of captions: "chart", "Tabelle"."""
    found = _WORDS.get(word.casefold())
    return found.type if found is not None and not found.dotted and found.key in _NAMING_A_KIND else None


def chart_named(word: str) -> str:
    """How `chart_words` writes charts that a word before "chart", "graph" or "plot" tells ("bar"); "" for any other."""
    name = f"{word.casefold()} chart"
    return name if name in _CHART_NAMES else ""


def chart_words(chart_type: str) -> str:
    """What people call a chart of this `ChartData.type`, in several languages; "" for one without a name."""
    return _CHARTS.get(chart_type, "")


def match_caption(text: str) -> Caption | None:
    """The caption a paragraph is, or None where it is anything else.

    A paragraph that opens with a label word and a number is a caption when nothing follows, when a separator follows
    (full stop, colon, dash, bar), or when what follows starts like a title: with a capital, a digit or a quotation
    mark. It is a mention when what follows runs on in lower case ("Figure 3 shows that", "Table 5 and"), with a comma
    or a closing bracket, or, in Chinese, Japanese and Korean, with a particle or a verb of showing. A label word
    in lower case needs the separator, since mentions inside a sentence are written that way. A line of a list of
    figures (dot leaders, page number) is neither. Plural words ("Figures 3 and 4") never match."""
    head = text[:4000]
    lead = _LEAD.match(head)
    at = lead.end() if lead else 0
    bracket = bool(lead and lead[1])
    ordinal = _ORDINAL.match(head, at) or _NUMBERED.match(head, at)
    if ordinal:
        if _LEADERS.search(head[-400:]):
            return None
        word = _WORDS[ordinal[2]]
        return Caption(word.type, f"{word.shown} {_plain_number(ordinal[1])}", _rest(text, ordinal.end()))
    found = _word_at(head, at)
    if found is None or _LEADERS.search(head[-400:]):  # few paragraphs begin with a label word: asked first
        return None
    word, prefix, lower, at = found
    gap = _BETWEEN.match(head, at)
    between = gap[0] if gap else ""
    if word.dotted and "." not in between:
        return None
    number = _NUMBER.match(head, at + len(between))
    if number is None or (not between and number[0][0].isalpha()):
        return None
    core = number["in"] or number["sq"] or number["plain"]
    end = number.end()
    if bracket:
        close = _CLOSE.match(head, end)
        if close is None:
            return None
        end = close.end()
    title = _title_begins(head, end, core, bracket=bracket, lower=lower)
    if title is None:
        return None
    return Caption(word.type, f"{prefix}{word.shown} {_plain_number(core)}", _rest(text, title))


def _title_begins(head: str, end: int, number: str, *, bracket: bool, lower: bool) -> int | None:
    """Where the title begins behind a label that ends at `end`; None where what follows makes it a mention."""
    separated = _SEPARATOR.match(head, end)
    if lower and not (separated and separated[0].strip(" .．。")):
        return None
    if separated:
        return separated.end()
    return end if _opens_title(head[end:], number, bracket=bracket) else None


def label_key(label: str) -> str:
    """The form two spellings of one label share: "Fig. 8–1", "FIGURE 8-1" and "Abb. 8-1" all give "figure 8-1".

    Folds case, width, dash kinds, spaces, brackets around the number, and label words that mean the same. Text that is
    not a label comes back folded the same way, so that any two strings can be compared."""
    ordinal = _ORDINAL.match(label.strip()) or _NUMBERED.match(label.strip().casefold())
    if ordinal:
        label = f"{ordinal[2]} {ordinal[1]}"
    folded = " ".join(_DASH_RUN.sub("-", unicodedata.normalize("NFKC", label)).casefold().split())
    found = _word_at(folded, 0)
    if found is None:
        return folded.strip(" .:")
    word, prefix, _, at = found
    gap = _BETWEEN.match(folded, at)
    number = folded[gap.end() if gap else at :]
    number = re.sub(r"\s*-\s*", "-", number).strip(" .:")
    number = re.sub(r"[()\[\]\s]", "", number)
    return f"{prefix.casefold()}{word.key} {number}".rstrip()


def _word_at(text: str, at: int) -> tuple[_Word, str, bool, int] | None:
    """The label word at `at`: `(word, prefix such as "Supplementary ", starts in lower case, end)`."""
    prefix = ""
    for _ in range(3):
        letters = _LETTERS.match(text, at)
        if letters is None:
            return None
        name = letters[0]
        word = _WORDS.get(name.casefold())
        if word is not None:
            first = (prefix or name)[0]
            return word, prefix, first.islower(), letters.end()
        if name.casefold() not in _PREFIXES and not (prefix and name.casefold() in {"data", "information"}):
            return None
        prefix += name.capitalize() + " "
        at = letters.end()
        while at < len(text) and text[at] in " \u00a0\t\n":
            at += 1
    return None


def _plain_number(core: str) -> str:
    """A number with plain dashes and dots and no brackets: "8–1" → "8-1", "3 (a)" → "3a"."""
    return re.sub(r"[\s()]", "", _DASH_RUN.sub("-", core.replace("．", ".")))


def _opens_title(rest: str, core: str, *, bracket: bool) -> bool:
    """Whether text right after the number, with no separator, begins a title rather than running on in a sentence."""
    stripped = rest.strip()
    if not stripped:
        return True
    spaced = rest[0].isspace() or bracket
    if not spaced and (rest[0].isalnum() and ord(rest[0]) < 0x2E80):
        return False
    note = _PARENTHESIS.match(stripped)
    if note:
        if _CONTINUED.match(note[1].strip()) or note.end() == len(stripped):
            return True
        stripped = stripped[note.end() :]
    first = stripped[0]
    if _RUNNING_ON.match(stripped) or first.islower():
        return False
    if unicodedata.bidirectional(first) in {"R", "AL"}:  # no capitals, so that a sentence may run on
        return False
    if core == "A":  # "Table A Comparison of …": an article or a number, and mostly the article
        return False
    return first.isalpha() or first.isdigit() or first in "\"'“”‘’«„「『(<[¿¡Δ±$€£%#"


def _rest(text: str, at: int) -> str:
    return " ".join(text[at:].split())
