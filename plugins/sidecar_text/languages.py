"""Which language a file is in, by suffix, by name ("Makefile") or by its first line. "" means prose."""

import re

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


_LANGUAGES = """\
:txt text asc nfo readme license me 1st ans
subtitles:srt vtt ttml dfxp ass ssa sbv lrc
rst:rst rest restx
org:org
asciidoc:adoc asciidoc asciidoctor
textile:textile
typst:typ typst
postscript:ps eps epsf epsi
lyx:lyx
roff:man mdoc roff
texinfo:texi texinfo txi
pod:pod
mediawiki:wiki mediawiki
dxf:dxf
log:log out err trace
python:py pyi pyw pyx pxd bzl
javascript:js mjs cjs jsx es6
typescript:ts tsx mts cts
json:json jsonl ndjson geojson topojson json5 jsonc webmanifest har jsonld
yaml:yaml yml
toml:toml
ini:ini cfg conf config properties prefs editorconfig desktop service env
xml:xml xsd xsl xslt dtd rss atom plist wsdl csproj vbproj props targets resx xaml nuspec xlf xliff tmx nxml
xml:webloc mobileconfig tei graphml gexf rdf owl
plantuml:puml plantuml pu iuml wsd
mermaid:mmd mermaid
graphviz:gv dot
c:c h
cpp:cpp cc cxx hpp hh hxx ino ipp tpp
csharp:cs csx
java:java
kotlin:kt kts
scala:scala sc
groovy:groovy gradle
go:go mod sum
rust:rs
swift:swift
objectivec:mm
dart:dart
ruby:rb rake gemspec
php:php php5 phtml
perl:pl pm t
lua:lua
r:r
julia:jl
matlab:m
haskell:hs lhs
ocaml:ml mli
fsharp:fs fsi fsx
elixir:ex exs
erlang:erl hrl
clojure:clj cljs cljc edn
lisp:lisp lsp el cl
scheme:scm ss rkt
bash:sh bash zsh ksh fish command
powershell:ps1 psm1 psd1
bat:bat cmd
sql:sql ddl dml
graphql:graphql gql
protobuf:proto
thrift:thrift
css:css scss sass less styl
vue:vue
svelte:svelte
latex:tex sty cls ltx bst latex
bibtex:bib
references:ris nbib enw
makefile:mk mak
cmake:cmake
dockerfile:dockerfile containerfile
hcl:tf tfvars hcl
nix:nix
diff:diff patch
vb:vb vbs bas
pascal:pas pp
fortran:f f90 f95 f03 for
ada:adb ads
assembly:asm s
verilog:v sv svh
vhdl:vhd vhdl
zig:zig
nim:nim
crystal:cr
d:d
solidity:sol
awk:awk
sed:sed
vim:vim
jinja:j2 jinja jinja2 tmpl
handlebars:hbs mustache
pem:pem crt csr
ics:ics vcf
po:po pot
"""
"""By line, a language and the suffixes of its files."""
SUFFIXES = {
    f".{suffix}": language
    for language, _, names in (line.partition(":") for line in _LANGUAGES.splitlines())
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
