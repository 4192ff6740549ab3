"""Content lines (RFC 5545 §3.1, RFC 6350 §3.2) to components with properties. Knows nothing of what they mean."""

import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_FOLD = re.compile(r"\r\n?[ \t]|\n[ \t]")
_LINE = re.compile(r'(?:([\w-]+)\.)?([\w-]+)((?:;(?:[^":;]|"[^"]*")*+)*+):(.*)', re.DOTALL)
_PARAMETER = re.compile(r';([^=;"]+)(?:=((?:[^";]|"[^"]*")*+))?')
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_COMPONENT = re.compile(r"(?<!\\);")
_VALUE = re.compile(r"(?<!\\),")
_MAX_DEPTH = 20


@dataclass(frozen=True)
class Property:
    """A line: name and names of parameters in upper case, the value as written, and the group it stands in ("" none).

    A parameter without a name, as vCard 2.1 writes them (`TEL;HOME`), is one more of `TYPE`."""

    name: str
    value: str
    parameters: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    group: str = ""

    def parameter(self, name: str) -> str:
        """The first value of a parameter, "" without it."""
        return next(iter(self.parameters.get(name, ())), "")

    @property
    def text(self) -> str:
        """The value as text (RFC 5545 §3.3.11)."""
        return _unescaped(self.value)


@dataclass
class Component:
    """What stands between BEGIN and END; `closed` says that there was an END."""

    name: str
    properties: list[Property] = field(default_factory=list[Property])
    children: "list[Component]" = field(default_factory=list["Component"])
    closed: bool = False

    def all(self, *names: str) -> list[Property]:
        """Its properties of these names that say something, in order."""
        return [one for one in self.properties if one.name in names and one.value.strip(" ;,")]

    def text(self, *names: str) -> str:
        """The first text of these names, "" without any."""
        return next((one.text.strip() for one in self.all(*names)), "")


def read_components(text: str) -> list[Component]:
    """The outermost components of a text. What stands in none is left out; what is not ended ends with the text."""
    root = Component("")
    open_ones = [root]
    for line in _lines(text):
        found = _property(line)
        if found is None:
            continue
        if found.name == "BEGIN":
            if len(open_ones) <= _MAX_DEPTH:
                made = Component(found.value.strip().upper())
                open_ones[-1].children.append(made)
                open_ones.append(made)
        elif found.name == "END":
            named = found.value.strip().upper()
            if any(one.name == named for one in open_ones[1:]):
                while open_ones.pop().name != named:
                    pass
                _last_of(open_ones[-1], named)
        else:
            open_ones[-1].properties.append(found)
    return root.children


def _last_of(parent: Component, name: str) -> None:
    if parent.children and parent.children[-1].name == name:
        parent.children[-1].closed = True


def values(prop: Property, *, parts: bool = False) -> list[str]:
    """The texts of a list (`,`), or the parts of a structured value (`;`)."""
    return [_unescaped(one).strip() for one in (_COMPONENT if parts else _VALUE).split(prop.value)]


def _unescaped(value: str) -> str:
    """A text value without its escapes."""
    return _ESCAPE.sub(lambda found: "\n" if found[1] in "nN" else found[1], value)


def _lines(text: str) -> Iterator[str]:
    """Unfolded lines; those in quoted-printable (vCard 2.1) with what their soft breaks cut."""
    pending: list[str] = []
    for line in re.split(r"\r\n?|\n", _FOLD.sub("", text)):
        if line.endswith("=") and (pending or "QUOTED-PRINTABLE" in line.partition(":")[0].upper()):
            pending.append(line[:-1])
            continue
        whole = "".join((*pending, line))
        pending.clear()
        if whole.strip():
            yield whole
    if pending:
        yield "".join(pending)


def _property(line: str) -> Property | None:
    found = _LINE.match(line.strip())
    if found is None:
        return None
    parameters: dict[str, list[str]] = {}
    for one in _PARAMETER.finditer(found[3]):
        name, value = (one[1], one[2]) if one[2] is not None else ("TYPE", one[1])
        parameters.setdefault(name.strip().upper(), []).extend(part.strip('" ') for part in value.split(","))
    value = found[4]
    if "QUOTED-PRINTABLE" in (word.upper() for words in parameters.values() for word in words):
        charset = next(iter(parameters.get("CHARSET", ())), "utf-8")
        value = _quoted(value, charset)
    frozen = {name: tuple(filter(None, words)) for name, words in parameters.items()}
    return Property(found[2].upper(), value, frozen, found[1] or "")


def _quoted(value: str, charset: str) -> str:
    data = quopri.decodestring(value.encode("utf-8", "replace"))
    try:
        text = data.decode(charset)
    except (LookupError, UnicodeDecodeError):
        text = data.decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\n", "\\n")
