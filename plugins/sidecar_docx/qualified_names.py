"""Qualified names of WordprocessingML and what stands in it (ECMA-376 part 1 §17, part 4 for VML), spelled once."""

from sidecar.toolkit.ooxml.namespaces import MC, M, R, W

PIC = "{http://schemas.openxmlformats.org/drawingml/2006/picture}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
WPC = "{http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas}"
WPG = "{http://schemas.microsoft.com/office/word/2010/wordprocessingGroup}"
WPS = "{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}"
ASVG = "{http://schemas.microsoft.com/office/drawing/2016/SVG/main}"
V = "{urn:schemas-microsoft-com:vml}"
O = "{urn:schemas-microsoft-com:office:office}"  # noqa: E741  (the prefix the standard uses)
W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
W15 = "{http://schemas.microsoft.com/office/word/2012/wordml}"
WP15 = "{http://schemas.microsoft.com/office/word/2012/wordprocessingDrawing}"

VAL = f"{W}val"
ID = f"{W}id"
AUTHOR = f"{W}author"
DATE = f"{W}date"
R_ID = f"{R}id"
R_EMBED = f"{R}embed"
R_LINK = f"{R}link"

P, R_RUN, T, TBL, TR, TC = f"{W}p", f"{W}r", f"{W}t", f"{W}tbl", f"{W}tr", f"{W}tc"
PPR, RPR, TBLPR, TRPR, TCPR = f"{W}pPr", f"{W}rPr", f"{W}tblPr", f"{W}trPr", f"{W}tcPr"
SDT, SDT_PR, SDT_CONTENT, CUSTOM_XML = f"{W}sdt", f"{W}sdtPr", f"{W}sdtContent", f"{W}customXml"
SECT_PR, SHD = f"{W}sectPr", f"{W}shd"
INS, DEL, MOVE_FROM, MOVE_TO = f"{W}ins", f"{W}del", f"{W}moveFrom", f"{W}moveTo"
HYPERLINK, FLD_SIMPLE, FLD_CHAR = f"{W}hyperlink", f"{W}fldSimple", f"{W}fldChar"
DRAWING, PICT, OBJECT, TXBX_CONTENT = f"{W}drawing", f"{W}pict", f"{W}object", f"{W}txbxContent"
ALTERNATE, CHOICE, FALLBACK = f"{MC}AlternateContent", f"{MC}Choice", f"{MC}Fallback"
O_MATH, O_MATH_PARA = f"{M}oMath", f"{M}oMathPara"
COMMENT_START, COMMENT_END = f"{W}commentRangeStart", f"{W}commentRangeEnd"
BOOKMARK_START, ALT_CHUNK, SUB_DOC = f"{W}bookmarkStart", f"{W}altChunk", f"{W}subDoc"

_OFF = frozenset({"0", "false", "off", "none"})


def is_on(value: str | None) -> bool:
    """A toggle's value (§17.17.4): absent means on."""
    return value not in _OFF


def decimal_attribute(value: str | None, default: int = 0) -> int:
    """A decimal attribute; `default` when it is missing or no number of a sane size."""
    if not value or len(value) > 9:
        return default
    try:
        return int(value)
    except ValueError:
        return default
