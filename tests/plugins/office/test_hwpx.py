"""OWPML documents: headings by outline level, lists, tables, notes, links, changes, boxes, pictures."""

from __future__ import annotations

import pytest
from contract.pictures import PNG
from sidecar_hwpx import HwpxFormat
from support.formats.plugin_reading import blocks, of, read, spans
from support.office.hancom_documents import HEAD, hwpx, paragraph, run, table

from sidecar.api import (
    DamagedError,
    EncryptedError,
    Equation,
    Figure,
    Heading,
    Limits,
    ListItem,
    Merge,
    Note,
    Paragraph,
    Source,
    Table,
)

HWPX = HwpxFormat()


def sub(text: str) -> str:
    return f"<hp:subList>{paragraph(text)}</hp:subList>"


def test_headings_lists_and_chapters() -> None:
    first = paragraph("사업 계획", look=1) + paragraph("본문") + paragraph("예산", look=2)
    second = paragraph("하나", look=3) + paragraph("둘", look=3) + paragraph("점", look=4) + paragraph("끝", look=1)
    document = read(HWPX, hwpx(first, second), "plan.hwpx")
    assert (document.title, document.metadata["author"]) == ("Plan", "Kim")
    assert [(one.text, one.level) for one in of(document, Heading)] == [("사업 계획", 1), ("예산", 2), ("끝", 1)]
    items = [(one.text, one.marker, one.level) for one in of(document, ListItem)]
    assert items == [("하나", "1.", 0), ("둘", "2.", 0), ("점", "•", 1)]
    assert [part.title for part in document.parts] == ["사업 계획", "끝"]


def test_tables_keep_spans_and_heads() -> None:
    made = table([["합계 표"], ["a", "b"], ["c", "d"]], heads=2, wide=2)
    found = of(read(HWPX, hwpx(paragraph(made)), "a.hwpx"), Table)[0]
    assert found.rows == (("합계 표", ""), ("a", "b"), ("c", "d"))
    assert (found.header_rows, found.merges) == (2, (Merge(0, 0, 1, 2),))


def test_looks_links_breaks_and_changes() -> None:
    begin = (
        '<hp:ctrl><hp:fieldBegin id="5" type="HYPERLINK"><hp:parameters>'
        '<hp:stringParam name="Path">https://example.org</hp:stringParam></hp:parameters></hp:fieldBegin></hp:ctrl>'
    )
    end = '<hp:ctrl><hp:fieldEnd beginIDRef="5"/></hp:ctrl>'
    change = '<hp:t>old<hp:insertBegin TcId="7"/> new<hp:insertEnd TcId="7"/><hp:lineBreak/>line<hp:tab/>end</hp:t>'
    made = paragraph(run("<hp:t>bold</hp:t>", 1), run(begin), run("<hp:t> link</hp:t>"), run(end), run(change))
    document = read(HWPX, hwpx(made + paragraph(run("<hp:t>tiny</hp:t>", 2))), "a.hwpx")
    shown, tiny = of(document, Paragraph)
    assert shown.text == "bold linkold new\nline\tend"
    assert spans(shown.text, shown.spans) == [
        ("bold", "bold", ""), ("link", "link", "https://example.org"), ("ins", "new", "Kim"),
    ]  # fmt: skip
    assert [span.kind for span in tiny.spans] == ["hidden"]
    assert [notice.code for notice in document.notices] == ["hidden_content"]


def test_notes_boxes_formulas_and_pictures() -> None:
    note = run(f'<hp:ctrl><hp:footNote number="1">{sub("각주")}</hp:footNote></hp:ctrl>')
    header = run(f"<hp:ctrl><hp:header>{sub('머리말')}</hp:header></hp:ctrl>")
    memo = run(
        '<hp:ctrl><hp:fieldBegin id="1" type="MEMO"><hp:parameters><hp:stringParam name="Author">Lee</hp:stringParam>'
        f"</hp:parameters>{sub('확인')}</hp:fieldBegin></hp:ctrl>"
    )
    box = run(f"<hp:rect><hp:drawText>{sub('상자 글')}</hp:drawText></hp:rect>")
    formula = run("<hp:equation><hp:script>x over y</hp:script></hp:equation>")
    picture = run('<hp:pic><hc:img binaryItemIDRef="image1"/><hp:shapeComment>로고</hp:shapeComment></hp:pic>')
    made = hwpx(paragraph("글", note, header, memo, box, formula, picture), picture=PNG)
    document = read(HWPX, made, "a.hwpx")
    assert [one.text for one in of(document, Paragraph)] == ["글[1]", "상자 글"]
    notes = [(one.kind, one.text, one.author) for one in of(document, Note)]
    assert notes == [("footnote", "각주", ""), ("header", "머리말", ""), ("comment", "확인", "Lee")]
    assert of(document, Equation)[0].text == "x over y"
    assert (of(document, Figure)[0].embed, of(document, Figure)[0].alt) == (("image", 0), "로고")
    assert HWPX.open_embedded(Source.of_bytes(made, "a.hwpx"), document.embedded[0].ref, Limits()).data == PNG


def test_what_cannot_be_read() -> None:
    with pytest.raises(EncryptedError, match="password"):
        HWPX.parse(Source.of_bytes(hwpx(paragraph("x"), encrypted=True), "a.hwpx"), Limits())
    with pytest.raises(DamagedError, match=r"a\.hwpx"):
        HWPX.parse(Source.of_bytes(hwpx(paragraph("x"))[:300], "a.hwpx"), Limits())
    assert HWPX.score(Source.of_bytes(b"PK\3\4 else", "a.zip")) == 0
    nested = paragraph("x")
    place = "<hp:cellAddr colAddr='0' rowAddr='0'/>"
    for _ in range(60):
        cell = f"<hp:tc><hp:subList>{nested}</hp:subList>{place}</hp:tc>"
        nested = paragraph(run(f"<hp:tbl><hp:tr>{cell}</hp:tr></hp:tbl>"))
    assert blocks(read(HWPX, hwpx(nested + paragraph("after")), "a.hwpx"))[-1] == Paragraph(text="after")


def test_a_level_of_very_many_digits() -> None:
    made = hwpx(paragraph("Plan", look=2), head=HEAD.replace('level="1"', f'level="{"1" * 5000}"'))
    assert blocks(read(HWPX, made, "a.hwpx")) == [Heading(text="Plan", level=1)]
