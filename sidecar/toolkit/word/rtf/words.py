"""The control words whose meaning is one of a kind: destinations by what becomes of them, characters, formats of
pictures (RTF 1.9.1). Words that do something are in `reader`.
"""

from collections.abc import Mapping

from sidecar.api.model import NoteKind, SpanKind

CODECS: Mapping[str, str] = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
"""The character set of the whole file, where it is not `ansi`."""
SKIP = "skip"
"""The destination of what shows nothing."""
KEPT = frozenset(["fldinst", "bkmkstart", "atnid", "atnauthor", "atnref", "atndate", "atrfstart", "atrfend", "sn", "sv",
                   "listtext", "pntext", "objdata", "objclass"])  # fmt: skip
"""Read as a text that is looked at when its group ends."""
PASSING = frozenset(["info", "upr", "picprop"])
"""Destinations whose own text is nothing, but what stands in them may be; `upr`: a text in the code page, then the same
in Unicode, which `ud` begins."""
INFO: Mapping[str, str] = {
    "title": "title", "subject": "subject", "author": "author", "operator": "last_author", "keywords": "keywords",
         "doccomm": "description", "category": "category", "manager": "manager", "company": "company"}  # fmt: skip
SKIPPED = frozenset([
    "nonshppict", "nonesttables", "pntxta", "pntxtb", "generator", "xe", "tc", "tcn", "rxe", "txe", "xmlns",
    "filetbl", "listtable", "listoverridetable", "rsidtbl", "themedata", "colorschememapping", "latentstyles",
    "datastore", "datafield", "fontemb", "private", "template", "mmathPr", "userprops", "pgptbl", "wgrffmtfilter",
    "ftnsep", "ftnsepc", "aftnsep", "aftnsepc", "ftncn", "aftncn", "htmltag", "mhtmltag", "formfield", "ffname",
    "blipuid", "defchp", "defpap", "listpicture", "falt", "panose", "shprslt", "creatim", "revtim", "printim",
    "buptim", "hlinkbase", "bkmkend",
])  # fmt: skip
"""Destinations that show nothing."""
STARRED = frozenset([
    "fldinst", "bkmkstart", "atnid", "atnauthor", "atnref", "atndate", "atrfstart", "atrfend", "annotation", "shppict",
    "shpinst", "picprop", "objdata", "objclass", "nesttableprops", "revtbl", "ud", "footnote", "do",
    "dptxbxtext", "company", "manager", "category", "moMath", "moMathPara", "listtext", "pntext",
])  # fmt: skip
"""Destinations behind `\\*` that are read; a reader passes over those it does not know."""
STORIES: Mapping[str, NoteKind] = {
    "header": "header", "headerl": "header", "headerr": "header", "headerf": "header", "footer": "footer",
    "footerl": "footer", "footerr": "footer", "footerf": "footer", "footnote": "footnote", "annotation": "comment",
    "shptxt": "textbox", "dptxbxtext": "textbox",
}  # fmt: skip
CHARACTERS = {
    "tab": "\t", "line": "\n", "lbr": "\n", "softline": "\n", "page": "\n", "column": "\n", "emdash": "—",
    "endash": "–",
    "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "emspace": "\u2003",
    "enspace": "\u2002", "qmspace": "\u2005", "zwj": "\u200d", "zwnj": "\u200c",
    "ltrmark": "\u200e", "rtlmark": "\u200f",
    "\\~": "\u00a0", "\\_": "-", "\\\t": "\t",
}  # fmt: skip
TOGGLES: Mapping[str, SpanKind] = {
    "b": "bold", "i": "italic", "ul": "underline", "uld": "underline", "uldb": "underline", "ulw": "underline",
    "ulwave": "underline", "uldash": "underline", "ulth": "underline", "strike": "strike", "striked": "strike",
    "super": "sup", "sub": "sub", "v": "hidden",
}  # fmt: skip
PICTURES = {"pngblip": "image/png", "jpegblip": "image/jpeg", "emfblip": "image/x-emf", "wmetafile": "image/x-wmf",
             "dibitmap": "image/bmp", "wbitmap": "image/bmp", "macpict": "image/x-pict"}  # fmt: skip
