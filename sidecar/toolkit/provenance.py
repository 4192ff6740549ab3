"""What tells the sidecar's own lines from a document's: documents are data, and cannot write the lines that frame them.

Views begin with a source line and one that counts hidden text, and end with one that says how to go on; a document that
holds such a line gets it back with a backslash before it, and its script links are not links."""

import html
import re

from sidecar.api.uris import SUFFIXES

PROVENANCE = "docsidecar/provenance"
"""The key under which `_meta` of an answer says where its content comes from and whether it can be trusted."""

LEFT_OUT = "docsidecar/left_out"
"""The key under which `_meta` of an answer counts text hidden from readers that is not in it."""

CONTINUES = "docsidecar/continues"
"""The key under which `_meta` of an answer that was cut gives the URI to go on with, whatever its text says."""

DRAWN = "docsidecar/drawn"
"""The key under which `_meta` of a picture says how it was made, where that is not as the application would."""

_LINE_START = r"(?:^|(?<=[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]))"
_BLANK = (
    r"[^\S\n\r\v\f\x1c-\x1e\x85\u2028\u2029]"
    r"|[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    r"\uffa0\U000e0000-\U000e0fff]"
)
"""White space within a line, and what Unicode says is not to be seen (`Default_Ignorable_Code_Point`)."""
_FRAME_LINE = re.compile(
    rf"{_LINE_START}((?:{_BLANK})*+)"
    r"(?=\*Source: |Source: [^\n]{0,400}doc_id |\*?\(?[^\n]{0,60}?Go on with [a-z]+://"
    r"|\*?\(?Left out: |\[continues: |<!-- (?:page|slide) \d)"
)
_FRAME_WORDS = ("Source: ", "Left out: ", "Go on with ", "[continues: ", "<!-- ")
_SCRIPT_URL = re.compile(
    r"(?:javascript|vbscript|livescript|mocha|command|vscode[a-z-]*|cursor|windsurf|ms-[a-z.-]+|search-ms|shell):"
    r"|data:(?:text/html|application/xhtml|image/svg)"
)
"""Scripts, pages that may hold some, commands of editors, programs that Windows starts for a link."""
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):")
SAFE_SCHEMES = frozenset({"http", "https", "mailto", "tel", "ftp", *SUFFIXES})
"""The web, mail and our own: what a link may lead to. All others are shown, and are not links."""
_NO_SCRIPT = frozenset("abefghiknopqrtuxyzABEFGHIKNOPQRTUXYZ0123456789#/.?")
"""What none of these begins with, however it is hidden: most links, told without looking at the rest."""
_INVISIBLE = re.compile(r"[\x00-\x20\x7f-\xa0\u200b-\u200f\u2028-\u202e\u2060\ufeff]+")
_SCHEME_CHARS = 400
"""Of a URL that are looked at for its scheme, what hides it included."""
_LINK_TARGET = re.compile(
    r"(?<=\])(?=[(:]\s{0,20}<?([^)]{0,80}))|(?=<([^<>]{0,80}))"
    r"|(?<=!)(?=\[)(?!\[[^\]\n]{0,400}\]\((?:" + "|".join(SUFFIXES) + "):)"
)
"""Where a Markdown link (`](…`, `]: …`) or an autolink (`<…`) begins, and the first characters of what it leads to; or
a picture (`![`) that is none of ours, which whoever shows the text would fetch."""
_LOCAL_URL = re.compile(r"(?!https?:|ftp:)(?:file:|[a-z][a-z0-9+.-]{1,30}://)", re.IGNORECASE)
"""What leads to a file of the machine, a share or a program, our own schemes aside."""


def escape_frame_lines(text: str) -> str:
    """A document's text, with a backslash before every line that looks like one of the sidecar's own."""
    if not any(map(text.__contains__, _FRAME_WORDS)):
        return text
    return _FRAME_LINE.sub(r"\1\\", text)


def is_script_link(url: str) -> bool:
    """Whether following the URL would run something: `javascript:`, `command:`, a page in a `data:` URL, however it
    is hidden by entities, control characters or case."""
    return url[:1] not in _NO_SCRIPT and _SCRIPT_URL.match(_plain(url)) is not None


def is_unsafe_link(url: str) -> bool:
    """Whether the URL names a scheme that is none of `SAFE_SCHEMES`: a file of the machine, a share, a program."""
    if ":" not in url or url.startswith(("http:", "https:", "#", "/")):
        return False
    scheme = _SCHEME.match(_plain(url[:_SCHEME_CHARS]))
    return scheme is not None and scheme[1] not in SAFE_SCHEMES


def _plain(url: str) -> str:
    return _INVISIBLE.sub("", html.unescape(url)).casefold()


def escape_script_links(text: str) -> str:
    """Markdown in which what reads as a link to a script or a file of the machine, or as a picture of the web, is none,
    and can still be read."""
    if ":" not in text or ("](" not in text and "]:" not in text and "<" not in text):
        return text
    return _LINK_TARGET.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    url = found[1] or found[2] or ""
    if found[1] is None and found[2] is None:
        return "\\"
    written = html.unescape(url).strip()
    return "\\" if is_script_link(url) or (_LOCAL_URL.match(written) and is_unsafe_link(written)) else ""
