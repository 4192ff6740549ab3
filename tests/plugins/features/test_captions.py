"""Captions against mentions, in the languages the module knows, and the keys labels are looked up under."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.toolkit.captions import label_key, match_caption

CAPTIONS = [
    ("Figure 8-1", "figure", "Figure 8-1", ""),
    ("Figure 8–1. The Mercator projection", "figure", "Figure 8-1", "The Mercator projection"),
    ("FIG. 3.—Map of the area", "figure", "Figure 3", "Map of the area"),
    ("Fig.3 Layout", "figure", "Figure 3", "Layout"),
    ("Figure 1(b). Detail", "figure", "Figure 1b", "Detail"),
    ("Figure 1a Detail", "figure", "Figure 1a", "Detail"),
    ("Figure A.1 Foo", "figure", "Figure A.1", "Foo"),
    ("figure 3: Foo", "figure", "Figure 3", "Foo"),
    ("Table 5", "table", "Table 5", ""),
    ("TABLE IV RESULTS", "table", "Table IV", "RESULTS"),
    ("Table 1 (continued)", "table", "Table 1", "(continued)"),
    ("Table 2 100 patients by age", "table", "Table 2", "100 patients by age"),
    ("Eq. (3.2)", "equation", "Equation 3.2", ""),
    ("Equation (3.2): Energy", "equation", "Equation 3.2", "Energy"),
    ("Chart 2: Sales", "chart", "Chart 2", "Sales"),
    ("Diagram 4 – Flow", "diagram", "Diagram 4", "Flow"),
    ("Scheme 2. Synthesis", "diagram", "Scheme 2", "Synthesis"),
    ("Exhibit B Lease", "figure", "Exhibit B", "Lease"),
    ("Plate XII. Moths", "figure", "Plate XII", "Moths"),
    ("Supplementary Figure S3: Extra", "figure", "Supplementary Figure S3", "Extra"),
    ("Extended Data Fig. 2 | Extra", "figure", "Extended Data Figure 2", "Extra"),
    ("Abb. 3: Übersicht", "figure", "Abbildung 3", "Übersicht"),
    ("Abbildung 3.1 Übersicht", "figure", "Abbildung 3.1", "Übersicht"),
    ("Tab. 4 Werte", "table", "Table 4", "Werte"),
    ("Tabelle 5 – Werte", "table", "Tabelle 5", "Werte"),
    ("Tableau n° 4 : Données", "table", "Tableau 4", "Données"),
    ("Figura 2. Mapa", "figure", "Figura 2", "Mapa"),
    ("Cuadro 1. Datos", "table", "Cuadro 1", "Datos"),
    ("Tabella 1 - Dati", "table", "Tabella 1", "Dati"),
    ("Gráfico 7: Vendas", "chart", "Gráfico 7", "Vendas"),
    ("Afbeelding 6: Kaart", "figure", "Afbeelding 6", "Kaart"),
    ("Рис. 3. Схема сети", "figure", "Рисунок 3", "Схема сети"),
    ("Таблица 5 — Данные", "table", "Таблица 5", "Данные"),
    ("图 1 系统结构", "figure", "图 1", "系统结构"),
    ("图1-2系统结构", "figure", "图 1-2", "系统结构"),
    ("表 2 中国人口", "table", "表 2", "中国人口"),
    ("図1 構成", "figure", "図 1", "構成"),
    ("第1図 構成", "figure", "図 1", "構成"),
    ("그림 1. 구성", "figure", "그림 1", "구성"),
    ("[표 3] 결과", "table", "표 3", "결과"),
    ("Obrázok 2: Schéma", "figure", "Obrázok 2", "Schéma"),
    ("Slika 4. Prikaz", "figure", "Slika 4", "Prikaz"),
    ("Табела 3: Подаци", "table", "Табела 3", "Подаци"),
    ("Таблиця 1 – Дані", "table", "Таблиця 1", "Дані"),
    ("Σχήμα 2: Δομή", "figure", "Σχήμα 2", "Δομή"),
    ("Πίνακας 1. Στοιχεία", "table", "Πίνακας 1", "Στοιχεία"),
    ("Hình 3: Sơ đồ", "figure", "Hình 3", "Sơ đồ"),
    ("Gambar 1. Struktur", "figure", "Gambar 1", "Struktur"),
    ("شكل 3: مخطط", "figure", "شكل 3", "مخطط"),
    ("جدول 2-1: داده‌ها", "table", "جدول 2-1", "داده‌ها"),
    ("טבלה 5: נתונים", "table", "טבלה 5", "נתונים"),
    ("1. ábra: Szerkezet", "figure", "ábra 1", "Szerkezet"),
    ("2.1. táblázat. Adatok", "table", "táblázat 2.1", "Adatok"),
    ("3 pav. Schema", "figure", "pav. 3", "Schema"),
]


@pytest.mark.parametrize(("text", "kind", "label", "rest"), CAPTIONS)
def test_a_caption_is_taken_apart(text: str, kind: str, label: str, rest: str) -> None:
    caption = match_caption(text)
    assert caption is not None
    assert (caption.type, caption.label, caption.text) == (kind, label, rest)


@pytest.mark.parametrize(
    "text",
    [
        "Figure 3 shows that the projection is conformal.",
        "Figure 3, which we discuss below",
        "Figure 3) and so on",
        "Figure 3 (a) shows the input",
        "Figures 3 and 4",
        "figure 3 The",
        "Table 5 and Table 6 list them",
        "Table A Comparison of lists",
        "Table of Contents",
        "Equation (3.2) gives the answer",
        "Tab 4 Settings",
        "(see Figure 3)",
        "Figure 3. The projection ........ 12",
        "Рисунок 3 показывает схему",
        "图1显示了系统结构",
        "图 1 中，系统",
        "図1は構成を示す",
        "그림 1은 구성을 보여준다",
        "شكل 3 يوضح البنية",
        "1. ábra mutatja a szerkezetet",
        "2. taula rasa",
        "1. Tabula rasa",
        "",
        "   ",
    ],
)
def test_a_mention_is_no_caption(text: str) -> None:
    assert match_caption(text) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Fig. 8–1", "figure 8-1"),
        ("FIGURE 8 - 1", "Figure 8-1"),
        ("Abb. 8−1", "Figure 8-1"),
        ("Eq. (3.2)", "Equation 3.2"),
        ("图1", "Figure 1"),
        ("第1図", "図 1"),
        ("2. ábra", "Figure 2"),
        ("Таблиця 4", "Table 4"),
        ("Figure 3(a)", "fig 3a"),
        ("Ｆｉｇｕｒｅ 3", "figure 3"),
        ("Supplementary Fig. S3", "supplementary figure s3"),
        ("Figure p12-1", "figure P12–1"),
    ],
)
def test_spellings_share_a_key(one: str, other: str) -> None:
    assert label_key(one) == label_key(other)


def test_different_labels_keep_different_keys() -> None:
    labels = [
        "Figure 1",
        "Figure 11",
        "Figure 1-1",
        "Figure 1.1",
        "Table 1",
        "Plate 1",
        "Figure 1a",
        "Supplementary Figure 1",
    ]
    assert len({label_key(label) for label in labels}) == len(labels)


@pytest.mark.parametrize("text", [case[0] for case in CAPTIONS])
def test_the_label_of_a_caption_finds_itself(text: str) -> None:
    caption = match_caption(text)
    assert caption is not None
    assert label_key(label_key(caption.label)) == label_key(caption.label)


@given(st.text(max_size=200))
def test_any_text_is_answered(text: str) -> None:
    caption = match_caption(text)
    assert caption is None or any(char.isalnum() for char in caption.label)
    label_key(text)
