"""Bytes to text: every encoding a folder holds, and bytes that are not text at all."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.api import DamagedError, LimitError, Limits, Source
from sidecar.toolkit.text import decode, looks_binary, read_text, without_surrogates

SENTENCES = {
    "German": ("Straße und Äpfel, könnten größer sein.", ("cp1252", "utf-8", "utf-16", "utf-16-le", "utf-32-be")),
    "Russian": ("Привет, мир! Как дела сегодня вечером?", ("cp1251", "koi8_r", "utf-16-be")),
    "Japanese": ("日本語のテキストです。これは試験です。", ("cp932", "euc_jp", "iso2022_jp", "utf-16-le")),
    "Chinese": ("中文文本测试，这是一个简单的例子。\n第二行。", ("gb18030", "utf-16-le", "utf-8-sig")),
    "Korean": ("한국어 텍스트 파일입니다. 두 번째 문장.", ("cp949", "utf-32-le")),
    "Korean in two sentences": ("교량 점검은 사월에 실시되었으며 수리는 가을까지 완료되었다.\n" * 2, ("euc_kr",)),
    "Thai": ("สะพานได้รับการตรวจสอบในเดือนเมษายน และซ่อมแซมเสร็จแล้ว\n" * 2, ("tis_620",)),
    "Slovak": ("Vŕba pri moste stŕpla, vietor čerstvo fúkal a kŕdeľ vtákov letel ďalej na juh.\n" * 2, ("cp1250",)),
    "Czech": ("Příliš žluťoučký kůň úpěl ďábelské ódy.", ("cp1250",)),
    "Chinese that reads as Thai": ("本周六上午九点，社区活动中心举办旧书交换活动，欢迎居民参加\n", ("gb2312",)),
    "Czech on Unix": ("Školní knihovna zve čtenáře na besedu. Žáci mohou přinést knížky.\n", ("iso8859_2", "cp1250")),
    "Swedish": ("Årsmötet hålls på lördag i församlingshemmet. Ta gärna med något att äta.\n", ("cp1252",)),
    "Ukrainian": ("Шкільна бібліотека запрошує читачів на зустріч із письменницею.\n", ("koi8_u", "cp1251")),
    "Russian on a Mac": ("Школьная библиотека приглашает читателей на встречу с писателем.\n", ("mac_cyrillic",)),
    "Arabic": ("تدعو مكتبة المدرسة القراء إلى لقاء مع الكاتبة.\n", ("iso8859_6", "cp1256")),
    "Greek": ("Το γρήγορο καφέ αλεπού πηδά πάνω από το σκυλί.", ("cp1253",)),
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "encoding"), [(key, code) for key, (_, codes) in SENTENCES.items() for code in codes]
)
def test_text_comes_back_whatever_its_encoding(language: str, encoding: str) -> None:
    text = SENTENCES[language][0]
    assert decode(text.encode(encoding), "file").text == text


@pytest.mark.parametrize(
    "text",
    [
        "Le procès-verbal a été approuvé à l'unanimité, après les vacances.\n" * 2,
        "Annexe 2 : détail\r\nRayon\tSolde (€)\tPoids (kg)\tÉchéance\r\n"
        + "Épicerie\t€ 15\u00a0388,90\t1\u00a0057,3\t7 décembre 2023\r\n" * 20,
        "Récapitulatif\nService;Durée;Payé le\n" + "Achats;2 684,8;1 août 2024\nVentes;302,7;5 février 2025\n" * 20,
        "Stand\nStandort|Kosten (€)|Strecke (km)\n" + "Graz|€ 2\u00a0285,83|3\u00a0991,8\n" * 20,
        "Auswertung\nWarengruppe\tKosten (€)\tFläche (m²)\tRabatt\nMöbel\t€ 11\u00a0227,38\t2\u00a0918,9\t62,6%\n" * 20,
        "Comune;Regione;1\nAgliè;Piemonte;2644\n" * 30,
    ],
)
def test_lists_of_figures_in_the_encoding_of_windows_come_back(text: str) -> None:
    assert decode(text.encode("cp1252"), "list.tsv").text == text


@pytest.mark.parametrize(("text", "encoding"), [
    ("Společnost;Příjem (Kč)\nŽlutý kůň;1 250,50\nÚspěch;980,00\nČerná ovčí;77\n" * 9, "cp1250"),
    ("Név;Ár\nFűrész;1250,50\nKőműves szerszám;980,00\nGyűrű;77\n" * 9, "cp1250"),
    ("Priimek;Kraj\nKovačič;Kočevje\nPetrič;Črnomelj\n" * 9, "cp1250"),
    ("Cittá;Perché\nperò “così”;più • 5 €\nÈ vero – già\n" * 9, "mac_roman"),
    ("Наименование;Сумма\nСтол;1 250,50\nСтул № 5;980,00\n" * 9, "cp1251"),
])  # fmt: skip
def test_lists_in_other_encodings_are_not_taken_for_it(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding), "list.csv").text == text


def test_a_guess_says_so_and_knowledge_does_not() -> None:
    assert decode("größer".encode("cp1252"), "f").notices()[0].code == "encoding_guessed"
    assert decode("größer".encode("utf-16"), "f").notices() == ()
    assert decode("größer".encode(), "f").notices() == ()


def test_a_declared_encoding_is_believed_only_where_the_bytes_allow_it() -> None:
    assert decode("größer".encode("cp1250"), "f", "windows-1250").text == "größer"
    assert decode("größer".encode(), "f", "iso-8859-1").text == "größer"
    assert decode(b"plain", "f", "no-such-encoding").text == "plain"
    assert decode(b"plain", "f", "hex").text == "plain"  # a codec of Python's, but none of text


def test_a_few_broken_bytes_do_not_make_utf8_something_else() -> None:
    text = "Ein längerer Satz mit Umlauten: ä ö ü, und noch einer mit ß. " * 20
    decoded = decode(text.encode() + b"\xff", "f")
    assert decoded.encoding == "utf-8"
    assert decoded.text.startswith(text)


@pytest.mark.parametrize("data", [bytes(200), random.Random(1).randbytes(500), b"PK\x03\x04\x00\x00\x08" * 20])
def test_binary_is_refused(data: bytes) -> None:
    assert looks_binary(data)
    with pytest.raises(DamagedError, match="holds binary data"):
        decode(data, "file.txt")


def test_a_stray_nul_is_not_binary() -> None:
    text = "A line of a log that a crash cut.\n" * 200
    assert decode(text.encode() + b"\0", "f").text == text


def test_line_ends_and_limits() -> None:
    source = Source.of_bytes(b"a\r\nb\rc\n" + b"x" * 100, "f.txt")
    decoded, notices = read_text(source, Limits(max_text_chars=6))
    assert decoded.text == "a\nb\nc"
    assert [notice.code for notice in notices] == ["truncated_at"]
    with pytest.raises(LimitError, match="max_file_bytes"):
        read_text(source, Limits(max_file_bytes=10))


@given(st.text())
def test_utf8_is_never_mistaken(text: str) -> None:
    data = ("x" + text.replace("\0", "").replace("\x1b", "")).encode()
    if not looks_binary(data):
        assert decode(data, "f").text.encode() == data


def test_lone_surrogates_go() -> None:
    assert without_surrogates("a\ud800b") == "a\ufffdb"
    assert without_surrogates("😀") == "😀"
