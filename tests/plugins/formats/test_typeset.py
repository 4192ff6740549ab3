"""What typesetting programs write and read: PostScript, LyX, pages of manuals, POD, Texinfo."""

from __future__ import annotations

import struct

import pytest
from contract.conformance import outcome
from sidecar_text import TextFormat
from support.formats.plugin_reading import of, read
from support.formats.processor import processor_limit

from sidecar.api import (
    Code,
    Equation,
    Figure,
    Heading,
    Limits,
    ListItem,
    Note,
    Paragraph,
    Source,
    Table,
    UnsupportedError,
)

TEXT = TextFormat()
PLAIN = r"""%!PS-Adobe-3.0 EPSF-3.0
%%Title: (A drawing)
%%Creator: A program
%%EndComments
/F { findfont exch scalefont setfont } bind def
/T { moveto show } bind def
/s/show load def /R { 0 rmoveto show } bind def
/Ship [ (not) (shown) ] def
%%BeginFont: Own
(inside a font) show
%%EndFont
%%Page: 1 1
10 /Times-Roman F
(Order \(placed\)) 72 700 T
(then pa) 72 688 T (id) -0.2 R (by) 2.8 R
% (a comment) show
<48656c6c6f> 72 600 T
72 500 moveto (wide) s 200 500 moveto (apart) s
%%Page: 2 2
(Second page) 72 700 T
showpage
"""
DVIPS = r"""%!PS-Adobe-2.0
%%Creator: dvips(k) 5.995
%DVIPSParameters: dpi=600
TeXDict begin 1 0 bop 75 100 a Fa(W)-7 b(ords)28 b(of)g(\014rst)i(lines,)75 160 y(that)28 b(are)g(bro-)
75 220 y(k)n(en)p eop end"""


def paragraphs(text: str | bytes, name: str) -> list[str]:
    return [block.text for block in of(read(TEXT, text, name), Paragraph)]


def test_words_of_postscript_in_their_lines() -> None:
    document = read(TEXT, PLAIN, "drawing.eps")
    assert [block.text for block in of(document, Paragraph)] == [
        "Order (placed) then paid by", "Hello", "wide apart", "Second page",
    ]  # fmt: skip
    assert (document.title, document.metadata) == ("A drawing", {"application": "A program"})
    assert TEXT.score(Source.of_bytes(PLAIN.encode(), "drawing.eps")) == 60


def test_strings_in_an_array_are_words_where_they_are_moved_apart() -> None:
    shown = "%!PS\n/Helvetica 10 selectfont 72 700 moveto [(T) 70 (wo) -333 (words)] TJ showpage"
    assert paragraphs(shown, "drawing.ps") == ["Two words"]


def test_words_of_dvips() -> None:
    assert paragraphs(DVIPS, "paper.ps") == ["Words of first lines, that are broken"]


def test_postscript_behind_a_preview_and_what_is_none() -> None:
    data = PLAIN.encode()
    head = struct.pack("<4s6IH", b"\xc5\xd0\xd3\xc6", 30, len(data), 0, 0, 0, 0, 0xFFFF)
    assert paragraphs(head + data, "drawing.eps")[-1] == "Second page"
    assert TEXT.score(Source.of_bytes(b"%!PS-AdobeFont-1.0: Own\n", "own.pfa")) == 0
    with pytest.raises(UnsupportedError, match=r"square\.eps draws its letters"):
        read(TEXT, "%!PS\n0 0 moveto 5 5 lineto stroke", "square.eps")


LYX = r"""#LyX 2.3 created this file.
\lyxformat 544
\begin_document
\begin_header
\textclass article
\end_header
\begin_body
\begin_layout Title
The report
\end_layout
\begin_layout Section
Start
\begin_inset CommandInset label
LatexCommand label
name "sec:start"
\end_inset
\end_layout
\begin_layout Standard
Some·
\emph on
slanted
\emph default
 words
\begin_inset Foot
status collapsed
\begin_layout Plain Layout
Below.
\end_layout
\end_inset
 with \SpecialChar LaTeX
 and·
\begin_inset Formula $a+b$
\end_inset
, see·
\begin_inset CommandInset ref
LatexCommand ref
reference "sec:start"
\end_inset
.
\begin_inset Note Note
status open
\begin_layout Plain Layout
For myself.
\end_layout
\end_inset
\begin_inset Formula·
\[
c=d
\]
\end_inset
\end_layout
\begin_layout Itemize
One
\end_layout
\begin_deeper
\begin_layout Itemize
Inner
\end_layout
\end_deeper
\begin_layout LyX-Code
a = 1
\end_layout
\begin_layout Standard
\begin_inset Float table
\begin_layout Plain Layout
\begin_inset Tabular
<lyxtabular version="3" rows="1" columns="2">
<row>
<cell alignment="center">
\begin_inset Text
\begin_layout Plain Layout
Name
\end_layout
\end_inset
</cell>
<cell alignment="center">
\begin_inset Text
\begin_layout Plain Layout
7
\end_layout
\end_inset
</cell>
</row>
</lyxtabular>
\end_inset
\begin_inset Caption Standard
\begin_layout Plain Layout
Numbers
\end_layout
\end_inset
\begin_inset Graphics
	filename plan.png
\end_inset
\end_layout
\end_inset
\end_layout
\end_body
\end_document""".replace("·", " ")


def test_a_document_of_lyx() -> None:
    document = read(TEXT, LYX, "report.lyx")
    assert document.title == "The report"
    assert [(block.text, block.level) for block in of(document, Heading)] == [("The report", 1), ("Start", 2)]
    shown = [block.text for block in of(document, Paragraph) if not block.hidden]
    assert shown == ["Some slanted words[1] with LaTeX and a+b, see [sec:start].", "Numbers"]
    assert [block.text for block in of(document, Paragraph) if block.hidden] == ["For myself."]
    assert [note.text for note in of(document, Note)] == ["Below."]
    assert [equation.latex for equation in of(document, Equation)] == ["c=d"]
    assert [item.text for item in of(document, ListItem)] == ["One", "Inner"]
    assert [item.level for item in of(document, ListItem)] == [0, 1]
    assert of(document, Code)[0].text == "a = 1"
    assert of(document, Table)[0].rows == (("Name", "7"),)
    assert of(document, Figure)[0].source == "plan.png"


MAN = r""".\" A comment
.TH "COPY" 1 "2024" "1.0"
.SH NAME
copy \- put files \fIelse\fPwhere
.SH "SEE IT"
.PP
Use
.BR \-f ,
or
.B \-\-force
now\(em\*(lqat once\*(rq.
.TP
.B \-v
Say more.
.IP \(bu 2
Point
.nf
$ copy a b
  done
.fi
.SS Last
End.
"""
MDOC = """.Dd March 1, 2024
.Dt LS 1
.Sh NAME
.Nm ls
.Nd list files
.Sh SYNOPSIS
.Nm
.Op Fl ab
.Bl -tag -width indent
.It Fl a Ar file
See
.Xr chmod 1 .
.El
"""


@pytest.mark.parametrize("name", ["copy.1", "copy.man"])
def test_a_page_of_a_manual(name: str) -> None:
    document = read(TEXT, MAN, name)
    assert document.title == "COPY(1)"
    assert [block.text for block in of(document, Heading)] == ["NAME", "SEE IT", "Last"]
    said = ["copy - put files elsewhere", "Use -f, or --force now—at once.", "End."]
    assert [block.text for block in of(document, Paragraph)] == said
    assert [item.text for item in of(document, ListItem)] == ["-v Say more.", "• Point"]
    assert of(document, Code)[0].text == "$ copy a b\n  done"


def test_a_page_in_mdoc_and_lines_that_are_none() -> None:
    document = read(TEXT, MDOC, "ls.1")
    assert (document.title, paragraphs(MDOC, "ls.1")) == ("LS(1)", ["ls list files", "ls [-ab]"])
    assert [item.text for item in of(document, ListItem)] == ["-a file See chmod(1)."]
    assert paragraphs("Mar 1 started\n.hidden\n", "system.1") == ["Mar 1 started\n.hidden"]


def test_pod() -> None:
    text = (
        "package A;\n\nmy $x;\n\n=head1 NAME\n\nA - B<bold I<both>> and C<< a->b >> E<lt>x\n\n=over 4\n\n"
        "=item * One\n\n"
        'First, L<the page|perlre/"Part">, L<perlop/Quotes>.\n\n=back\n\n    my $code;\n\n=begin html\n\n<b>no</b>\n\n'
        "=end html\n\n=cut\n\nsub left_out { }\n"
    )
    document = read(TEXT, text, "a.pod")
    assert [block.text for block in of(document, Heading)] == ["NAME"]
    assert [block.text for block in of(document, Paragraph)] == ["A - bold both and a->b <x"]
    assert [item.text for item in of(document, ListItem)] == ["One First, the page, “Quotes” in perlop."]
    assert [code.text for code in of(document, Code)] == ["    my $code;"]


def test_texinfo() -> None:
    text = (
        "\\input texinfo\n@settitle The book\n@ignore\nno\n@end ignore\n@chapter One @code{x}\n@c no\n"
        "Words @emph{in @b{here}}, "
        "see @xref{Other,,the other part}. Mail a@@b.\n\n@itemize @bullet\n@item First\n@item Second\n@end itemize\n"
        "@example\nint main @{ @}\n@end example\n@bye\n"
    )
    document = read(TEXT, text, "book.texi")
    assert document.title == "The book"
    assert [block.text for block in of(document, Heading)] == ["One x"]
    assert [block.text for block in of(document, Paragraph)] == ["Words in here, see the other part. Mail a@b."]
    assert [item.text for item in of(document, ListItem)] == ["First", "Second"]
    assert of(document, Code)[0].text == "int main { }"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.ps", "%!PS\n" + "%%BeginData\n" * 40_000), ("b.ps", "%!PS\n" + "(" * 200_000),
        ("c.ps", "%!PS\n" + "<~" * 100_000), ("d.ps", "%!PS\n" + "/a{a}def a " * 20_000),
        ("e.ps", "%!PS\n" + "<" * 200_000 + "1 " * 200_000), ("f.ps", "%!PS\n" + "{" * 200_000),
        ("a.pod", "=head1 A\n\n" + "C<< " * 50_000), ("b.pod", "=pod\n\n" + "B<" * 50_000),
        ("a.texi", "@chapter A\n" + "@code{" * 50_000),
        ("a.man", ".TH A 1\n" + "\\f(" * 50_000 + '"' * 50_000),
        ("a.lyx", "\\begin_body\n" + "\\begin_layout Standard\n\\begin_inset Foot\n" * 20_000),
        ("b.lyx", "\\begin_body\n\\begin_layout Standard\n" + "\\begin_inset Formula $a$\n\\end_inset\n" * 20_000),
    ],
)  # fmt: skip
def test_marks_without_end_are_read_in_time(name: str, text: str) -> None:
    """A second or two for what takes minutes where each mark looks for its end."""
    with processor_limit(10):
        outcome(TEXT, Source.of_bytes(text.encode(), name), Limits())
