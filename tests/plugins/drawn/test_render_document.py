"""Plain Markdown through the default quill: what stands on the pages, in the worker's own functions."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sidecar_render.markdown.tex.typst import to_typst
from sidecar_render.markdown.text import breakable
from sidecar_render.typeset.engine import draw, load
from sidecar_render.typeset.quills import BUILTIN
from support.clients.rendering import drawn, pages_of

from sidecar.toolkit.fonts.files import choose_fonts, covered


def text_of(markdown: str) -> str:
    return "\n".join(pages_of(drawn(markdown).data[0]))


def warnings_of(markdown: str) -> list[str]:
    return [item.sentence() for item in drawn(markdown).warnings]


def test_every_kind_of_block_is_on_the_page_in_order() -> None:
    text = text_of(
        "# One\n\nalpha **beta** *gamma* ~~delta~~ `epsilon` H<sub>2</sub>O\n\n"
        "## Two\n\n- zeta\n  - eta\n    1. theta\n\n"
        "> iota\n>\n> > kappa\n\n```python\ndef lam(): pass\n```\n\n    indented\n\n"
        "| mu | nu |\n|--|--|\n| xi | omicron |\n\n"
        "- [x] pi\n- [ ] rho\n\n!!! tip \"Sigma\"\n    tau\n\n> [!NOTE]\n> upsilon\n\n<p>phi <b>chi</b></p>\n\n---\n\n"
        "<table><tr><th>psi</th></tr><tr><td>omega</td></tr></table>\n\n### Three\n\n1. first\n\n   second\n2. third\n"
    )  # fmt: skip
    wanted = [
        "One", "alpha", "beta", "gamma", "delta", "epsilon", "Two", "zeta", "eta",
        "theta", "iota", "kappa", "def", "lam", "indented", "mu", "nu", "xi",
        "omicron", "pi", "rho", "Sigma", "tau", "Note", "upsilon", "phi", "chi",
        "psi", "omega", "Three", "first", "second", "third",
    ]  # fmt: skip
    at = 0
    for word in wanted:
        assert word in text[at:], (word, text)
        at = text.index(word, at) + len(word)


def test_the_title_block_comes_from_front_matter_or_a_single_first_heading() -> None:
    assert drawn("---\ntitle: Given\n---\n\n# Other\n").title == "Given"
    assert drawn("# Only\n\ntext\n\n## Below\n").title == "Only"
    assert drawn("# One\n\n# Two\n").title == ""
    marked = drawn("---\ntitle: The **big** `x_y` of Vec<T>, snake_case and 2 * 3\n---\n\ntext\n").title
    assert marked == "The big x_y of Vec<T>, snake_case and 2 * 3"
    repeated = text_of("---\ntitle: Same\n---\n\n# Same\n\ntext\n")
    assert repeated.count("Same") == 1
    toml_like = text_of("---\n\nJust a rule above, and a colon: here.\n\n---\n\nend\n")
    assert "Just a rule above" in toml_like


def test_what_stands_for_a_missing_picture_needs_no_font() -> None:
    assert text_of("before ![shot](x.png) behind").split() == ["before", "shot", "behind", "1", "/", "1"]


def test_contents_follow_the_language(tmp_path: Path) -> None:
    assert "Inhaltsverzeichnis" in text_of("---\ntitle: T\nlang: de-DE\ntoc: true\n---\n\n# Anfang\n\nText\n")
    assert "Contents" not in text_of("---\ntitle: T\n---\n\n# Start\n\nText\n")


def test_pages_are_numbered_and_carry_the_title_from_the_second_on() -> None:
    pages = pages_of(drawn("---\ntitle: Running\n---\n\n" + "Some words. " * 3000).data[0])
    assert len(pages) > 2
    for number, page in enumerate(pages, 1):
        assert f"{number} / {len(pages)}" in page
        assert "Running" in page


def test_notes_stand_at_the_foot_once_and_may_be_cited_twice() -> None:
    text = text_of(
        "a[^n] b[^n] c[^m]\n\n[^n]: The *first* note.\n\n    More of it.\n[^m]: The other.\n[^unused]: Hidden.\n"
    )
    assert text.count("The first note.") == 1
    assert "More of it." in text
    assert "The other." in text
    assert "Hidden" not in text


def test_a_wide_table_turns_the_page_and_a_wider_one_is_split_with_its_first_column() -> None:
    def table(columns: int) -> str:
        head = "| " + " | ".join(f"Column{at}" for at in range(columns)) + " |"
        row = "| " + " | ".join(f"valueinside{at}" for at in range(columns)) + " |"
        return f"{head}\n|{'---|' * columns}\n{row}\n"

    assert warnings_of(table(5)) == []
    document = drawn(table(40))
    assert any("too wide" in item.message for item in document.warnings)
    text = "\n".join(pages_of(document.data[0]))
    for at in range(40):
        assert re.search(rf"valueinside\u200b?{at}\b", text.replace("\n", "")) or f"inside{at}" in text
    assert text.count("Column0") > 1


def test_long_words_do_not_leave_the_page() -> None:
    import pypdfium2

    address = "https://example.org/" + "/".join("abcdefghij" for _ in range(30))
    data = drawn(
        f"See {address} and {'x' * 300}\n\n| a | b |\n|--|--|\n| {'y' * 200} | {'z' * 200} |\n\n`{'w' * 300}`\n"
    ).data[0]
    document = pypdfium2.PdfDocument(data)
    width = document[0].get_width()
    page = document[0].get_textpage()
    edges = [page.get_charbox(at)[2] for at in range(page.count_chars())]
    page.close()
    document.close()
    assert max(edges) < width - 40


def test_breaks_are_only_put_into_long_words() -> None:
    text = "Plain text with words of ordinary length and one_identifier_of_thirty_letters."
    assert breakable(text) == text
    word = "a" * 200
    assert breakable(word).replace("\u200b", "") == word
    assert max(map(len, breakable(word).split("\u200b"))) <= 20
    assert "\u200b" not in breakable("漢字" * 100)
    # Each is a run of its own to the engine, which took 14 seconds over 100,000 signs in one word.
    assert breakable("1-" * 1000).count("\u200b") == 199


def test_missing_scripts_are_named_and_found_ones_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    font = _font(tmp_path / "NotoSansTest-Regular.ttf", ord("ꓐ"), ord("ꓑ"))
    assert list(covered(font)) == [0xA4D0, 0xA4D1]
    assert [code in covered(font) for code in (0xA4CF, 0xA4D0, 0xA4D1, 0xA4D2)] == [False, True, True, False]
    (warning,) = warnings_of("Lines\n\nand 𐎀𐎁 here\n")
    assert "Ugaritic" in warning
    assert warning.startswith("line 3: ")
    assert warnings_of("Ελληνικά, кириллица, ≤ ∑ → ✅ ❌ 🚀\n") == []
    assert choose_fonts("plain é", []).missing == ()


def _font(path: Path, first: int, last: int) -> Path:
    """A file with nothing but a format 4 `cmap` that covers a range."""
    table = struct.pack(">HHHI", 0, 1, 3, 0)[:4] + struct.pack(">HHI", 3, 1, 12)
    sub = struct.pack(">HHHHHHH", 4, 32, 0, 4, 4, 1, 0) + struct.pack(">HH", last, 0xFFFF) + struct.pack(">H", 0)
    sub += struct.pack(">HH", first, 0xFFFF) + struct.pack(">HH", (1 - first) & 0xFFFF, 1) + struct.pack(">HH", 0, 0)
    head = struct.pack(">IHHHH", 0x00010000, 1, 16, 0, 0) + b"cmap" + struct.pack(">III", 0, 28, len(table + sub))
    path.write_bytes(head + table + sub)
    return path


def test_right_to_left_documents_run_right_to_left() -> None:
    import pypdfium2

    document = pypdfium2.PdfDocument(drawn("---\nlang: ar\n---\n\n# words\n\n# more\n").data[0])
    page = document[0].get_textpage()
    assert page.get_charbox(0)[0] > document[0].get_width() / 2
    page.close()
    document.close()


FORMULAS = (
    r"\frac{a}{b}", r"x^2_i", r"x_{i+1}^{n-1}", r"\sqrt[3]{x}", r"\sum_{i=1}^{n} i^2 = \frac{n(n+1)(2n+1)}{6}",
    r"\int_0^\infty e^{-x^2}\,dx", r"\left( \frac{a}{b} \right]", r"\left. f \right|_{x=0}", r"f'(x) + f''", r"a \le b",
    r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}", r"\begin{cases} 1 & x > 0 \\ 0 & \text{otherwise} \end{cases}",
    r"\begin{aligned} a &= b \\ &= c \end{aligned}", r"\mathbb{R}^n \to \mathcal{L}",
    r"\hat{x} + \vec{v} \cdot \bar{y}",
    r"\lim_{x \to 0} \frac{\sin x}{x}", r"\operatorname{argmax}_\theta L(\theta)", r"\underbrace{a+b}_{c}", r"100\%",
    r"P(A \mid B) = \frac{P(B \mid A) P(A)}{P(B)}", r"\text{a ``quoted'' \& \$5}", r"\binom{n}{k}", r"a, b; c: d",
    r"{n \choose k}",
    r"\overset{!}{=}", r"\|x\|_2", r"x \equiv y \pmod{n}", r"\left\{ x \middle| x > 0 \right\}",
    r"\mathbf{A}\mathbf{x}",
    r"\textcolor{red}{x}", r"\xrightarrow{f}", r"\begin{array}{c|c} a & b \\ \hline c & d \end{array}",
    r"a/b # c", r"_a^b",
)  # fmt: skip


def test_common_formulas_are_set_and_others_shown() -> None:
    for tex in FORMULAS:
        assert to_typst(tex) is not None, tex
    document = drawn("\n\n".join(f"$${tex}$$\n\nand ${tex}$ inline" for tex in FORMULAS))
    assert [item.sentence() for item in document.warnings] == []
    (warning,) = warnings_of("one\n\n$$\\mymacro{x}$$\n")
    assert warning.startswith("line 3: ")
    assert "mymacro" in warning
    assert r"\mymacro{x}" in text_of("$$\\mymacro{x}$$")


PIECES = st.sampled_from([
    *"abxyz012+-=<>()[]|/.,;:!'\"#$&_^{}~*@ \\\n", r"\frac", r"\sqrt", r"\left(", r"\right)", r"\left.", r"\right|",
    r"\begin{matrix}", r"\end{matrix}", r"\begin{cases}", r"\end{cases}", r"\\", r"\text{a\"b}", r"\sum", r"\alpha",
    r"\hat", r"\mathbf", r"\over", r"\operatorname{x}", r"\#", r"\{", r"\}", r"\quad", r"\not", r"\limits",
    "é", "∫", "😀",
])  # fmt: skip


@pytest.fixture(scope="module")
def math_quill(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("math")
    (home / "assets" / "fonts").mkdir(parents=True)
    for name in ("NotoSansMath-Regular.ttf", "SourceSans3-Regular.ttf"):
        (home / "assets" / "fonts" / name).write_bytes((BUILTIN / "assets" / "fonts" / name).read_bytes())
    (home / "Quill.yaml").write_text(
        'quill: {name: math, version: "1.0.0", backend: typst, description: one formula}\n'
        "main: {fields: {code: {type: string}}}\ntypst: {plate_file: plate.typ}\n"
    )
    (home / "plate.typ").write_text(
        '#import "@local/quillmark-helper:0.1.0": data\n#show math.equation: set text(font: "Noto Sans Math")\n'
        '#math.equation(block: true, eval(data.code, mode: "math"))'
    )
    return home


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(pieces=st.lists(PIECES, max_size=14))
def test_whatever_is_understood_can_be_set(math_quill: Path, pieces: list[str]) -> None:
    import json

    code = to_typst("".join(pieces))
    if code is not None:
        pages, _ = draw(load(math_quill), f"~~~\n$quill: math\ncode: {json.dumps(code)}\n~~~\n", "PDF")
        assert pages
