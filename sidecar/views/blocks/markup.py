"""HTML that is escaped by construction: only `Markup` passes unescaped, and only `element` makes `Markup`."""

from html import escape

from sidecar.api.uris import SUFFIXES

_VOID = frozenset({"br", "img", "meta", "hr", "col"})
_SAFE_SCHEMES = frozenset({"http", "https", "mailto", "tel", "ftp", *SUFFIXES})


class Markup(str):
    """Text that is HTML already. Made by `element` and `join` only."""

    __slots__ = ()


def element(name: str, *children: str, **attributes: str | int | bool) -> Markup:
    """`<name …>children</name>`: children that are not `Markup` are escaped, and so are all attribute values.

    An attribute given False or "" is left out; a trailing `_` in its name is dropped (`class_`).
    """
    text = [f"<{name}"]
    for key, value in attributes.items():
        if value is False or value == "":
            continue
        text.append(f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"' if value is not True else f" {key}")
    text.append(">")
    if name not in _VOID:
        text += [child if isinstance(child, Markup) else escape(child, quote=False) for child in children]
        text.append(f"</{name}>")
    return Markup("".join(text))


def join(*children: str, between: str = "") -> Markup:
    """The children one after another; those that are not `Markup` are escaped."""
    return Markup(
        between.join(child if isinstance(child, Markup) else escape(child, quote=False) for child in children)
    )


def safe_link(url: str) -> str:
    """The URL when following it can do no harm (web, mail, our own schemes, a place on the page), else ""."""
    if url.startswith("#"):
        return url
    scheme, colon, _ = url.strip().partition(":")
    # A scheme hidden by control characters or spaces ("java\tscript:") is not in the list, so it is refused.
    return url.strip() if colon and scheme.lower() in _SAFE_SCHEMES else ""


def page(title: str, *body: str) -> str:
    """A whole HTML document without scripts and without anything fetched from elsewhere: a plain text, as data that
    a worker can send."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content="default-src 'none'; style-src 'unsafe-inline'"),
        element("title", title),
        element(
            "style",
            Markup(
                "body{font:1em/1.5 sans-serif;max-width:50em;margin:2em auto;padding:0 1em}"
                "table{border-collapse:collapse}"
                "td,th{border:1px solid #999;padding:.2em .5em;vertical-align:top}del{color:#a00}ins{color:#070}"
                ".source,.hidden,aside{color:#666}pre{overflow:auto}"
            ),
        ),
    )
    return f"<!DOCTYPE html>\n{element('html', head, element('body', *body))}\n"
