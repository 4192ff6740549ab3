"""Reads a delimited table (RFC 4180 and what is really written): one sheet of windows, row by row.

Large files are read as a stream; what is kept is bounded by the number of cells."""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from statistics import median_low

from sidecar.api import SNIFF_BYTES, TABLE_WINDOW, Limits, Notice, ParsedDocument, Part, Source, Table
from sidecar.toolkit.markup.chapters import elements_of
from sidecar.toolkit.tables.naming import is_numbered_alike
from sidecar.toolkit.text import decode

_STREAMED = 32 * 2**20
"""Bytes above which a file is not held in memory as a whole."""
_MAX_CELLS = 4_000_000
_SAMPLE_ROWS = 60
_PRIOR = {".tsv": "\t", ".tab": "\t", ".psv": "|", ".ssv": ";"}
_SINGLE_QUOTED = re.compile(r"(?:^|[,;\t|])'[^'\n]*'(?:[,;\t|]|\r?$)", re.MULTILINE)
_OPENING, _CLOSING = re.compile(r"(?:^|[,;\t|])'", re.MULTILINE), re.compile(r"'(?=[,;\t|]|\r?$)", re.MULTILINE)
_SPACED = r"{0} +{1}[^{1}\n]*{1} *(?:{0}|\r?$)"
"""A cell in quotes with blanks before it."""
_ESCAPING = re.compile(r'(?:^|[,;\t|]) *"[^"\n]*\\"(?!["\s,;|]|\Z)', re.MULTILINE)
"""A quote behind a backslash within a cell: databases write quotes so, where RFC 4180 doubles them."""
_ESCAPED = re.compile(r'\\([\\"])')
_MIN_SIZES = (("\t", 2, 4), ("|", 3, 4), (";", 3, 4), (",", 4, 6))
"""What parts the cells of a table whose name does not say that it is one, and the columns and rows it has at least: the
commoner the sign is in sentences, the more."""
_PREAMBLE = 3
_NAME_CHARS = 60
_FILLED = 0.6
_SPACED_CELLS = 0.1
"""The share of cells that begin with a space at most: behind commas of sentences all do."""
_BEFORE_BLANKS = 0.5
"""What a sign that blanks follow counts beside others: `1, 2, 3` is a table where nothing else parts its cells."""
_NUMBER = re.compile(r"[\s$€£¥(+-]*+\d[\d\s.,'_]*+(?:[eE][+-]?\d++)?+[\s%)]*+$|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b.*$")


@dataclass(frozen=True)
class _Dialect:
    """How a table is written: what parts the cells, what quotes them."""

    delimiter: str
    quote: str = '"'
    skip: int = 0
    """Leading lines that are not data: Excel's `sep=;`."""
    spaced: bool = False
    """Whether blanks stand before quotes: `1, "Smith, Ann"`."""
    escaped: bool = False
    """Whether a backslash stands before quotes within cells."""


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The file as a document of one sheet. Raises FormatError."""
    lines, notices = _lines(source, limits)
    head = list(islice(lines, 200))
    dialect = _sniff("".join(head), source.suffix)
    # The csv module's bound on one field is a process-wide setting; a worker parses one file at a time.
    csv.field_size_limit(2**31 - 1)
    written = chain(head[dialect.skip :], lines)
    reader = csv.reader(
        map(_doubled, written) if dialect.escaped else written,
        delimiter=dialect.delimiter, quotechar=dialect.quote, skipinitialspace=dialect.spaced,
    )  # fmt: skip
    blocks: list[Table] = []
    window: list[tuple[str, ...]] = []
    count = cells = blank = 0
    header = 0
    try:
        for row in reader:
            if not row:  # counted as spreadsheets count it, unless it is the end
                blank += 1
                continue
            if blank:
                window += [()] * min(blank, TABLE_WINDOW)
                blank = 0
            window.append(tuple(row))
            cells += len(row)
            if len(window) == TABLE_WINDOW:
                header = header or _header_rows(window)
                blocks.append(Table(rows=tuple(window), first_row=count, header_rows=0 if count else header))
                count += len(window)
                window = []
                if cells >= _MAX_CELLS:
                    notices += (Notice("truncated_at", f"Only the first {count:,} rows ({cells:,} cells) were read."),)
                    break
    except csv.Error as error:  # an unreadable row; what came before it stands
        notices += (Notice("damaged_part", f"Reading stopped at line {reader.line_num:,}: {error}."),)
    if window:
        blocks.append(Table(rows=tuple(window), first_row=count, header_rows=0 if count else _header_rows(window)))
        count += len(window)
    columns = max((max(map(len, block.rows)) for block in blocks), default=0)
    parts = (Part(kind="sheet", title=source.path.stem and _stem(source), blocks=tuple(blocks)),) if blocks else ()
    return ParsedDocument(
        metadata={"rows": str(count), "columns": str(columns), "delimiter": dialect.delimiter} if blocks else {},
        parts=parts,
        elements=elements_of(parts),
        notices=notices,
    )


def _stem(source: Source) -> str:
    return source.name.rpartition(".")[0] or source.name


def _lines(source: Source, limits: Limits) -> tuple[Iterator[str], tuple[Notice, ...]]:
    """The file's lines with their ends, and what to remark."""
    if source.size <= min(_STREAMED, limits.max_file_bytes):
        decoded, notices = decode(source.read(limits.max_file_bytes), source.name).within(limits)
        # io.StringIO with newline="" keeps \r\n inside quoted cells, as the csv module wants it.
        return iter(io.StringIO(decoded.text.replace("\0", ""), newline="")), notices
    data = source.map() if source.size <= limits.max_file_bytes else source.read(limits.max_file_bytes)
    decoded = decode(bytes(data[: 2**20]), source.name)
    notices = decoded.notices()
    if source.size > limits.max_text_chars:
        message = f"Only the first {limits.max_text_chars:,} characters were read (max_text_chars)."
        notices += (Notice("truncated_at", message),)
    return _streamed(source, decoded.encoding, limits.max_text_chars), notices


def _streamed(source: Source, encoding: str, most: int) -> Iterator[str]:
    read = 0
    with io.TextIOWrapper(source.open(), encoding, "replace", newline="") as file:
        while read < most:
            line = file.readline(most - read)
            if not line:
                return
            read += len(line)
            yield line.replace("\0", "").lstrip("\ufeff") if read == len(line) else line.replace("\0", "")


def _sniff(sample: str, suffix: str) -> _Dialect:
    """The delimiter and quote that cut the sample into the most even rows; the suffix breaks ties."""
    escaped = _ESCAPING.search(sample) is not None
    if escaped:
        sample = _doubled(sample)
    declared = re.match(r"sep=([,;|:^~\t ])\r?\n", sample, re.IGNORECASE)
    if declared:
        return _Dialect(declared[1], skip=1)
    single = (
        sample.count("'") > sample.count('"') and _SINGLE_QUOTED.search(sample)
        and len(_OPENING.findall(sample)) <= len(_CLOSING.findall(sample))  # else some are apostrophes: '007
    )  # fmt: skip
    quote = "'" if single else '"'
    prior = _PRIOR.get(suffix, ",")
    best, best_score = prior, 0.0
    for delimiter in dict.fromkeys((prior, ",", ";", "\t", "|")):
        score = _consistency(sample, delimiter, quote) * (_BEFORE_BLANKS if _of_sentences(sample, delimiter) else 1)
        if score > best_score * 1.0001:
            best, best_score = delimiter, score
    spaced = best != "\t" and re.search(_SPACED.format(re.escape(best), quote), sample, re.MULTILINE) is not None
    spaced = spaced and _consistency(sample, best, quote, spaced=True) >= best_score
    return _Dialect(best, quote, spaced=spaced, escaped=escaped)


def _doubled(line: str) -> str:
    """Quotes behind a backslash doubled, and two backslashes as the one they stand for."""
    return _ESCAPED.sub(lambda match: '""' if match[1] == '"' else "\\", line)


def _of_sentences(sample: str, delimiter: str) -> bool:
    """Whether blanks follow a comma or semicolon as they do in sentences, more often than in cells."""
    return delimiter in ",;" and sample.count(f"{delimiter} ") > _SPACED_CELLS * sample.count(delimiter)


def _consistency(sample: str, delimiter: str, quote: str, *, spaced: bool = False) -> float:
    """How evenly a delimiter cuts: the share of rows with the commonest width, weighted by it; 0 for one column."""
    if delimiter not in sample:
        return 0.0
    text = io.StringIO(sample, newline="")
    reader = csv.reader(text, delimiter=delimiter, quotechar=quote, skipinitialspace=spaced)
    try:
        widths = [len(row) for row in islice(reader, _SAMPLE_ROWS) if row]
    except csv.Error:
        return 0.0
    if not widths:
        return 0.0
    common = max(set(widths), key=lambda width: (widths.count(width), width))
    if common < 2:
        # A title line above the table, or blank ones, must not hide the columns below.
        wide = [width for width in widths if width > 1]
        if len(wide) * 2 <= len(widths):
            return 0.0
        common = max(set(wide), key=wide.count)
    share = widths.count(common) / len(widths)
    return share * share * (1 + min(common, 12) / 24)


def _header_rows(rows: list[tuple[str, ...]]) -> int:
    """1 when the first row names the columns: filled, no numbers, no repeats, as many as below, and unlike them."""
    first, rest = rows[0], rows[1:26]
    names = [name.strip() for name in first]
    usual = median_low(map(len, rest)) if rest else 0
    if not rest or len(names) < max(usual - 1, min(usual, 2)) or any(_NUMBER.match(name) for name in names if name):
        return 0
    filled = [name for name in names if name]
    if len(filled) < max(len(names) - 1, 1) or len(set(filled)) < len(filled) or max(map(len, filled)) > 120:
        return 0
    for col in range(len(names)):
        below = [row[col].strip() for row in rest if col < len(row) and row[col].strip()]
        if below and is_numbered_alike(names[col], below):
            return 0
        if below and sum(_NUMBER.match(value) is not None for value in below) > 0.7 * len(below):
            return 1
    # All text: a header is shorter than what it names, or at least is not repeated among it.
    values = {value.strip() for row in rest for value in row}
    return int(not values.intersection(filled))


def is_table(head: bytes) -> bool:
    """Whether plain text, of which this is the beginning, is a table and nothing else: below three lines of title at
    most all rows have the same number of columns, most cells something in them, and the first names or values."""
    text = head.decode("utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "replace").lstrip("\ufeff")
    lines = text.splitlines(keepends=True)
    if len(head) >= SNIFF_BYTES:  # the last is cut
        lines = lines[:-1]
    return any(
        sum(delimiter in line for line in lines) >= rows and _is_even(lines, delimiter, columns, rows)
        for delimiter, columns, rows in _MIN_SIZES
    )


def _is_even(lines: list[str], delimiter: str, columns: int, least: int) -> bool:
    try:
        rows = [row for row in csv.reader(lines, delimiter=delimiter) if any(cell.strip() for cell in row)]
    except csv.Error:
        return False
    titles = next((at for at, row in enumerate(rows) if len(row) > 1), 0)
    rows = rows[titles:]
    if titles > _PREAMBLE or len(rows) < least or len(rows[0]) < columns or len({*map(len, rows)}) > 1:
        return False
    cells = [cell for row in rows for cell in row]
    return (
        sum(bool(cell.strip()) for cell in cells) >= _FILLED * len(cells)
        and all(rows[0][:-1]) and max(map(len, rows[0])) <= _NAME_CHARS
        and not _of_sentences("".join(lines), delimiter)
    )  # fmt: skip
