"""Reads pages of manuals in troff's macros man and mdoc (man(7), mdoc(7)): headings, paragraphs, items and listings,
text in the marks of its letters without them; tables of tbl are lines, and what requests compute is left out."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from sidecar.api import AnyBlock
from sidecar_text.typeset.manuals import Blocks, words_of

_ESCAPE: Final = re.compile(
    r"\\(?:f(?:\[[^\]]{0,100}\]|\(..|.)|s[+-]?\d{1,2}|\*(?:\[[^\]]{0,100}\]|\(..|.)|\((?P<two>..)"
    r"|\[(?P<long>[^\]]{0,100})\]"
    r"|[mMFkn](?:\[[^\]]{0,100}\]|\(..|.)|[hvwdoD]'[^']*'|(?P<one>.))"
)
_TWO: Final = {
    "bu": "•", "em": "—", "en": "–", "hy": "-", "lq": "“", "rq": "”", "oq": "‘", "cq": "’", "aq": "'", "dq": '"',
    "co": "©", "rg": "®", "tm": "™", "mu": "×", "<=": "≤", ">=": "≥", "!=": "≠", "+-": "±", "->": "→", "<-": "←",
    "ha": "^", "ti": "~", "rs": "\\", "ga": "`", "de": "°", "ss": "ß", "mi": "−", "eq": "=", "pl": "+", "sq": "□",
}  # fmt: skip
_ONE: Final = {
    "-": "-", "e": "\\", "~": " ", "0": " ", " ": " ", "'": "'", "`": "`", "|": "", "^": "", "&": "", "%": "", "c": "",
    "/": "", ",": "", ":": "", "\\": "\\", "t": "\t", "d": "", "u": "", ".": ".", ")": "", "{": "", "}": "",
}  # fmt: skip
_ARGUMENT: Final = re.compile(r'"((?:[^"]|"")*)"?|(\S+)')
_COMMENT: Final = re.compile(r"\\[\"#].*$")
_FONTS: Final = words_of("B I R BI BR IB IR RB RI SM SB")
_JOINED: Final = words_of("BI BR IB IR RB RI")
"""What sets its words in turn in two kinds of letters, without a space between them."""
_TO_PARAGRAPH: Final = words_of("PP P LP Pp HP sp RS RE El Bl Lp")
_LISTINGS: Final = {"nf": "fi", "EX": "EE", "Bd": "Ed", "TS": "TE", "Dl": "", "D1": ""}
_SILENT: Final = words_of(
    "TH Dd Dt Os ad na hy nh ft ps in ti ne if ie el de ds so nr PD br ta tr rm Sm Bk Ek Ed fi EE TE mk UC DT "
    "Bx char fp als lf pl po ll ev cs ss mso \\} . UE ME SY YS OP if\\n"
)
_MARKS: Final = frozenset((".", ",", ":", ";", ")", "?", "!", "]"))


_CALLED: Final = words_of(
    "Ar Fl Op Oo Oc Nm Xr Pa Cm Li Ic Dv Er Ev Em Sy Va Vt Fa Fn Ft Fo Fc Ad An Lk Mt Ql Dq Sq Pq Aq Bq Qq No "
    "Ns Nd Tn Ux Bx Nx Ox Fx At St In Cd Do Dc Po Pc So Sc Ao Ac Bo Bc Xo Xc Ap Pf Rs Re Bf Ef Dx Ms"
)

"""Macros of mdoc that may stand among the words of others."""


def read_roff(text: str) -> tuple[list[AnyBlock], dict[str, str]]:
    """The blocks of a page, and its name with the section of the manual as title."""
    page = _ManualPage(text)
    page.read()
    return page.made.blocks, page.facts


class _ManualPage:
    """Requests begin lines with a dot; what a macro's name means to man or mdoc."""

    def __init__(self, text: str) -> None:
        self.made = Blocks()
        self.facts: dict[str, str] = {}
        self._lines = iter(text.split("\n"))
        self._waits = ""  # a heading or a term, for the line that says it
        self._name = ""

    def read(self) -> None:
        """Read all lines."""
        for line in self._lines:
            if line[:1] in (".", "'"):
                if not line[1:].lstrip().startswith("\\"):  # a comment, or the end of a condition
                    self._request(line)
            elif self._waits:
                self._heading_or_term(_plain_roff(line))
            elif line.strip():
                self.made.lines.append(_plain_roff(line))
            else:
                self.made.flush()
        self.made.flush()

    def _request(self, line: str) -> None:
        macro, _, rest = line[1:].strip().partition(" ")
        rest = _COMMENT.sub("", rest).strip()
        arguments = [_plain_roff(one or other) for one, other in _ARGUMENT.findall(rest)]
        if macro in ("TH", "Dt") and arguments:
            self.facts["title"] = f"{arguments[0]}({arguments[1]})" if len(arguments) > 1 else arguments[0]
        elif macro in ("SH", "SS", "Sh", "Ss", "TP", "TQ"):
            self.made.flush()
            self._waits = macro
            if arguments and macro not in ("TP", "TQ"):  # theirs is how far it is set in
                self._heading_or_term(" ".join(arguments))
        elif macro in ("IP", "It"):
            self.made.item(_mdoc("", arguments, self._name) if macro == "It" else "".join(arguments[:1]))
        elif macro in _LISTINGS:
            ending = _LISTINGS[macro]
            self.made.code(list(self._until(ending)) if ending else [_plain_roff(rest)])
        elif macro in _TO_PARAGRAPH:
            self.made.flush()
        elif macro and macro not in _SILENT:
            self._name = self._name or (arguments[0] if macro == "Nm" and arguments else "")
            text = _macro_text(macro, arguments, self._name)
            if self._waits:
                self._heading_or_term(text)
            else:
                self.made.lines.append(text)

    def _heading_or_term(self, text: str) -> None:
        """What a heading or a term is."""
        if self._waits in ("TP", "TQ"):
            self.made.item(text)
        else:
            self.made.heading(text, 1 if self._waits in ("SH", "Sh") else 2)
        self._waits = ""

    def _until(self, ending: str) -> Iterator[str]:
        """The lines up to a request, those of other requests as their words."""
        for line in self._lines:
            if line[:1] not in (".", "'"):
                yield _plain_roff(line)
                continue
            macro, _, rest = line[1:].strip().partition(" ")
            if macro == ending or (ending == "fi" and macro in ("SH", "SS")):
                return
            if macro and macro not in _SILENT and macro not in _TO_PARAGRAPH and macro[0] != "\\":
                arguments = [_plain_roff(one or other) for one, other in _ARGUMENT.findall(rest)]
                yield _macro_text(macro, arguments, self._name)


def _macro_text(macro: str, arguments: Sequence[str], name: str) -> str:
    """The words of a macro of man, or of mdoc, which call one another."""
    if macro in _FONTS:
        return ("" if macro in _JOINED else " ").join(arguments)
    if macro in ("UR", "MT"):
        return " ".join(arguments)
    return _mdoc(macro, arguments, name)


def _mdoc(macro: str, arguments: Sequence[str], name: str) -> str:
    """Words and the macros among them: flags have their hyphen, what is optional its brackets."""
    words = [macro, *arguments] if macro else list(arguments)
    pieces: list[str] = []
    closing = ""
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word in ("Fl",):
            flag = words[at] if at < len(words) and words[at] not in _CALLED else ""
            at += bool(flag)
            pieces.append(f"-{flag}")
        elif word == "Xr" and at < len(words):
            section = f"({words[at + 1]})" if at + 1 < len(words) and words[at + 1] not in _MARKS else ""
            pieces.append(words[at] + section)
            at += 1 + bool(section)
        elif word == "Nm" and (at >= len(words) or words[at] in _CALLED or words[at] in _MARKS):
            pieces.append(name)
        elif word in ("Op", "Oo"):
            pieces.append("[")
            closing = "]" if word == "Op" else closing
        elif word in ("Dq", "Sq", "Pq", "Aq", "Bq", "Qq"):
            pieces.append({"Dq": "“", "Sq": "‘", "Pq": "(", "Aq": "<", "Bq": "[", "Qq": '"'}[word])
            closing = {"Dq": "”", "Sq": "’", "Pq": ")", "Aq": ">", "Bq": "]", "Qq": '"'}[word]
        elif word == "Oc":
            pieces.append("]")
        elif word not in _CALLED:
            pieces.append(word)
    text = " ".join(filter(None, pieces)) + closing
    return re.sub(r"([\[(“‘<]) ", r"\1", re.sub(r" ([.,:;)?!\]]+)(?=\s|$)", r"\1", text))


def _plain_roff(text: str) -> str:
    def shown(found: re.Match[str]) -> str:
        if found["two"]:
            return _TWO.get(found["two"], "")
        if found["long"] is not None:
            code = found["long"]
            is_code = re.fullmatch(r"u[0-9A-Fa-f]{4,5}", code) is not None
            return chr(int(code[1:], 16)) if is_code else _TWO.get(code, "")
        return _ONE.get(found["one"], found["one"]) if found["one"] else ""

    return _ESCAPE.sub(shown, _COMMENT.sub("", text))
