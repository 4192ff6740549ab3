"""Which language a file is in, by suffix, by name ("Makefile") or by its first line. "" means prose."""

import re
from pathlib import Path

_MARKUP = re.compile(r"<(?:\?xml\b|!DOCTYPE\b|!--|[A-Za-z_][\w.:-]*[\s/>])")
_JSON = re.compile(r"[{\[]\s*(?:\"(?:[^\"\\]|\\.)*\"\s*[:,\]]|[{\[\]}]|-?\d|true|false|null)")

_MANUAL = re.compile(r"""(?:[.']\\?[\\"].*\n|[.'][ \t]*\n|\n)*+[.'](?:TH|Dd)[ \t]+\S""")
"""How a page of a manual begins in troff's macros, behind comments."""
PROPERTY_LIST = b"bplist00"
"""How a binary property list of macOS begins."""
POSTSCRIPT = (b"%!", b"\x04%!", b"\xc5\xd0\xd3\xc6")
"""How PostScript begins; the last stands before a preview for DOS (Adobe Technical Note 5002)."""
FONTS = (b"%!PS-AdobeFont", b"%!FontType")
"""PostScript that is a font."""
NOT_PLAIN = (b"{\\rtf", b"%PDF-", b"%!PS")
"""Formats written in text that read as noise: better declined than shown."""


_LANGUAGES = Path(__file__).with_name("languages.txt")
"""By line, a language and the suffixes of its files."""
SUFFIXES = {
    f".{suffix}": language
    for language, _, names in (line.partition(":") for line in _LANGUAGES.read_text("utf-8").splitlines())
    for suffix in names.split()
}

_NAMES = {
    "readme": "", "license": "", "licence": "", "copying": "", "notice": "", "authors": "", "contributors": "",
    "changelog": "", "changes": "", "news": "", "todo": "", "install": "", "history": "", "thanks": "",
    "maintainers": "", "codeowners": "",
    "version": "", "makefile": "makefile", "gnumakefile": "makefile", "dockerfile": "dockerfile",
    "containerfile": "dockerfile", "jenkinsfile": "groovy", "vagrantfile": "ruby", "gemfile": "ruby",
    "rakefile": "ruby",
    "podfile": "ruby", "brewfile": "ruby", "procfile": "yaml", "justfile": "makefile", "cmakelists.txt": "cmake",
    "build": "python", "workspace": "python", ".bashrc": "bash", ".zshrc": "bash", ".profile": "bash",
    ".bash_profile": "bash", ".vimrc": "vim", ".gitignore": "ini", ".gitattributes": "ini", ".gitconfig": "ini",
    ".editorconfig": "ini", ".env": "ini", ".npmrc": "ini", ".dockerignore": "ini", "requirements.txt": "ini",
}  # fmt: skip
_INTERPRETERS = (
    ("python", "python"), ("bash", "bash"), ("node", "javascript"), ("ruby", "ruby"), ("perl", "perl"), ("zsh", "bash"),
    ("php", "php"), ("lua", "lua"), ("awk", "awk"), ("fish", "bash"), ("Rscript", "r"),
    ("deno", "typescript"), ("sh", "bash"),
)  # fmt: skip
_SHEBANG = re.compile(rb"#![^\n]{0,200}")


def language_of(name: str, head: bytes) -> str | None:
    """The language of a file, "" for prose, None when neither its name nor its first line tells."""
    lower = name.lower()
    if lower in _NAMES:
        return _NAMES[lower]
    stem, dot, ending = lower.rpartition(".")
    if dot and stem and f".{ending}" in SUFFIXES:
        return SUFFIXES[f".{ending}"]
    if dot and stem in ("dockerfile", "makefile", "readme", "license"):
        return _NAMES[stem]
    shebang = _SHEBANG.match(head)
    if shebang:
        line = shebang[0].decode("ascii", "replace")
        return next((language for word, language in _INTERPRETERS if word in line), "bash")
    return None


def language_by_content(text: str) -> str:
    """The language of text whose name tells nothing or only "text": markup and JSON are plain to see; "" for prose."""
    start = text[:4000].lstrip()
    if _MANUAL.match(start):
        return "roff"
    if start.startswith("<?xml") or (
        start.startswith("<") and start.count("</") + start.count("/>") >= start.count("\n") / 3
    ):
        return "xml" if _MARKUP.match(start) else ""
    if start.startswith(("{", "[")) and _JSON.match(start):
        return "json"
    return ""
