"""How pages are filled: what stays together, how tables and code share the room, where pictures of HTML stand."""

from __future__ import annotations

import base64
import io
import re
import tempfile

import pypdfium2
import pytest
from PIL import Image
from sidecar_render.markdown.table_layout import lay_out
from sidecar_render.markdown.tex.typst import to_typst
from sidecar_render.model import Plan, Refusal, RenderJob, RenderLimits
from sidecar_render.worker import plan
from sidecar_render.worker import render as render_here
from support.clients.rendering import drawn, inflated, pages_of

WORDS = "Some words that fill a line of an ordinary page, and then some more of them to make it long enough. "


def data_url(width: int = 200, height: int = 100) -> str:
    out = io.BytesIO()
    Image.new("RGB", (width, height), (200, 60, 60)).save(out, "PNG")
    return "data:image/png;base64," + base64.b64encode(out.getvalue()).decode()


def pages(markdown: str) -> list[str]:
    return pages_of(drawn(markdown).data[0])


def words_at(markdown: str) -> list[tuple[str, float, float, float]]:
    """The runs of a page: text, left edge, right edge, baseline from the foot, in points."""
    document = pypdfium2.PdfDocument(drawn(markdown).data[0])
    text = document[0].get_textpage()
    boxes = [text.get_rect(at) for at in range(text.count_rects())]
    found = [(text.get_text_bounded(*box), box[0], box[2], box[1]) for box in boxes]
    document.close()
    return found


def pictures_at(markdown: str) -> list[tuple[float, float, float, float]]:
    """The boxes of the first page's pictures, in points."""
    document = pypdfium2.PdfDocument(drawn(markdown).data[0])
    found = [item.get_bounds() for item in document[0].get_objects([pypdfium2.raw.FPDF_PAGEOBJ_IMAGE])]
    document.close()
    return found


LISTING, TABLE = "```\n" + "line\n" * 12 + "```", "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 12


@pytest.mark.parametrize(
    ("lead", "block"),
    [
        ("You can do it this way:", LISTING),
        ("You can do it this way:", TABLE),
        ("**Options**", TABLE),
        ("用法如下：", LISTING),
    ],
)
def test_what_announces_a_block_is_never_left_behind(lead: str, block: str) -> None:
    for lines in range(20, 46):
        filled = "\n\n".join(["Filling."] * lines)
        for page in pages(f"{filled}\n\n{lead}\n\n{block}\n"):
            if lead.strip("*") in page:
                assert "line" in page or "1" in re.sub(r"\d+ / \d+", "", page), lines


def test_short_tables_callouts_and_rows_are_not_parted() -> None:
    table = "| first | b |\n|---|---|\n" + "| x | y |\n" * 8 + "| last | z |\n"
    callout = "> [!NOTE]\n> begins\n>\n> - one\n> - two\n> - ends\n"
    row = f"| a | b |\n|---|---|\n| start {WORDS * 6} finish | {WORDS} |\n"
    for kind, opens, closes in ((table, "first", "last"), (callout, "begins", "ends"), (row, "start", "finish")):
        for lines in range(24, 46, 3):
            filled = "\n\n".join(["Filling."] * lines)
            for page in pages(f"{filled}\n\n{kind}"):
                assert (opens in page) == (closes in page), (opens, lines)


def test_a_column_that_holds_most_gets_most_of_the_room() -> None:
    rows = [["--option-name", "flag", "", WORDS * 3] for _ in range(20)]
    rows[3][1] = "one_name, " * 40
    layout = lay_out([["Name", "Type", "Default", "Description"], *rows], 4)
    assert layout is not None
    name, kind, default, description = layout.widths
    assert description > 2 * kind
    assert description > 3 * default
    assert name + kind + default + description == pytest.approx(459, abs=1)


def test_code_in_a_cell_stands_on_the_line_of_its_row() -> None:
    table = f"| `MODELS` | text | {WORDS * 3} |\n"
    runs = words_at(f"| Name | Type | Description |\n|---|---|---|\n{table * 3}")
    code = next(base for text, _, _, base in runs if text.strip() == "MODELS")
    assert min(abs(base - code) for text, _, _, base in runs if text.strip() == "text") < 3


def test_over_long_lines_of_code_go_on_indented_and_are_copied_as_they_are() -> None:
    command = "run " + " ".join(f"--option-{at}=value-{at}" for at in range(12))
    runs = words_at(f"```\n{command}\n```\n")
    assert max(right for _, _, right, _ in runs) < 595 - 60
    lines = "".join(pages(f"```\n{command}\n```\n")).split("\n")
    assert [line.split("=")[0] for line in lines if line.startswith("--")], lines  # an option is not torn apart
    left = {round(left) for text, left, _, _ in runs if text.startswith(("run", "--"))}
    assert len(left) == 2
    address = "https://example.org/" + "/".join(f"part{at}" for at in range(30))
    for text in (f"```\n{address}\n```\n", f"See {address} now.\n", f"`{address}`\n"):
        data = drawn(text).data[0]
        assert address in "".join(pages_of(data)).replace("\n", "").replace("\r", "")
        assert "\u200b" not in "".join(pages_of(data))


def test_code_a_little_too_wide_is_set_smaller_rather_than_broken() -> None:
    line = "x" * 45 + " " + "y" * 45
    assert f"{line}\n" in pages(f"```\n{line}\n```\n")[0]


@pytest.mark.parametrize(
    ("markdown", "width"),
    [
        ('<img src="URL" width="80">', 60), ('<img src="URL" height="40"/>', 60), ("Text <img src='URL' width=80>", 60),
        ('<div align="center">\n  <img src="URL" width="50%">\n</div>', 229),
        ('<figure><img alt="" src="URL"><figcaption>Words</figcaption></figure>', 100),
    ],
)  # fmt: skip
def test_pictures_of_html_are_drawn_as_large_as_it_says(markdown: str, width: float) -> None:
    made = drawn(markdown.replace("URL", data_url()))
    assert made.warnings == ()
    ((left, _, right, _),) = pictures_at(markdown.replace("URL", data_url()))
    assert right - left == pytest.approx(width, abs=1)


def test_what_html_centres_is_centred() -> None:
    picture = f'<img src="{data_url()}" width="80">'
    for markdown in (f'<p align="center">{picture}</p>', f'<div align="center">\n\n{picture}\n\n</div>\n\nAfter.'):
        ((left, _, right, _),) = pictures_at(markdown)
        assert (left + right) / 2 == pytest.approx(595 / 2, abs=1)
    runs = words_at('Before.\n\n<div align="center">\n\n## Middle\n\nMiddle *too*.\n\n</div>\n\nAfter.\n')
    for text, left, right, _ in runs:
        centre = (left + right) / 2
        if text.startswith("Middle"):
            assert 220 < centre < 380
        if text.startswith(("Before", "After")):
            assert left < 75


def test_badges_stand_in_a_row_and_a_missing_picture_is_named() -> None:
    badges = "".join(f'<a href="https://x.org"><img src="{data_url(90, 20)}"></a>\n' for _ in range(3))
    boxes = pictures_at(f"<p>\n{badges}</p>")
    assert len(boxes) == 3
    assert max(box[1] for box in boxes) - min(box[1] for box in boxes) < 1
    assert "burrow map.png" in pages("![](pictures/burrow%20map.png)\n")[0]


def test_what_only_other_programs_read_is_not_shown() -> None:
    text = pages(
        "(target)=\n# One\n\n% a remark\n\n```{include} other.md\n:heading-offset: 1\n```\n\n"
        ":material-github: Site and 5 % of (all)= things.\n\n```{testcode}\nprint(1)\n```\n"
    )[0]
    for gone in ("(target)=", "a remark", "heading-offset", ":material-"):
        assert gone not in text
    assert "Site and 5 % of (all)= things." in text
    assert "% kept" in pages("% kept\n")[0]


def test_lines_within_cells_of_html_are_kept() -> None:
    runs = words_at("<table><tr><th>H</th></tr><tr><td>first<br>second</td></tr></table>")
    bases = {text.strip(): base for text, _, _, base in runs}
    assert bases["first"] > bases["second"] + 5


def test_titles_of_callouts_follow_the_language() -> None:
    assert "Hinweis" in pages("---\nlang: de\n---\n\n> [!NOTE]\n> Wichtig.\n")[0]
    assert "Note" in pages("> [!NOTE]\n> Something.\n")[0]


def test_pictographs_come_from_one_face() -> None:
    fonts = set(re.findall(rb"/FontName ?/[A-Z]{6}\+([\w-]+)", inflated(drawn("\U0001f916 \U0001f512 ok\n").data[0])))
    assert b"NotoEmoji-Regular" in fonts


def test_a_command_takes_one_digit_and_a_tag_is_a_label() -> None:
    assert to_typst(r"\frac13") == to_typst(r"\frac{1}{3}")
    assert to_typst("x^10") == to_typst("x^{1}0")
    runs = words_at("$$\na = b \\tag{7}\n$$\n")
    assert next(right for text, _, right, _ in runs if "(7)" in text) > 510


def test_far_too_long_documents_are_refused_before_they_are_drawn_and_say_how_to_go_on() -> None:
    bounds = RenderLimits(0, max_pages=20)
    for body, refused in ((WORDS * 8 + "\n\n") * 60, False), ((WORDS * 8 + "\n\n") * 2000, True):
        planned = plan(body, "", (), bounds)
        assert isinstance(planned, Plan)
        with tempfile.TemporaryDirectory() as scratch:
            made = render_here(RenderJob(body, "PDF", planned, scratch, {}, bounds))
        assert isinstance(made, Refusal) == refused
        if isinstance(made, Refusal):
            sentence = made.diagnostics[0].sentence()
            assert "would have about" in sentence
            assert "at most 20" in sentence
            assert "in parts" in sentence
            assert "plugins.render.max_pages" in sentence


def test_documents_drawn_with_a_quill_kept_loaded_do_not_see_one_another() -> None:
    first = pages("---\ntitle: One\nauthor: Ann\n---\n\nFirst words.\n")[0]
    picture = pages(f"![Shown]({data_url()})\n\nWith a picture.\n")[0]
    second = pages("---\nsubtitle: Two\n---\n\n# Second\n\nOther words, 中.\n")[0]
    assert "First words." in first
    assert "With a picture." in picture
    assert "Other words" in second
    for text in (picture, second):
        assert "First" not in text
        assert "Ann" not in text
