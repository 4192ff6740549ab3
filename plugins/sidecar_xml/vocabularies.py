"""What the elements of FictionBook 2, DocBook 4 and 5, JATS, Mallard and OPML are in HTML, by their local names."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True)
class Vocabulary:
    """`tags` by what they are in HTML; `sections` have headings, `titles` are these; `body` is where the text is, in
    order, and `dropped` what is not shown. `facts` are paths of metadata from the root, by our names."""

    tags: Mapping[str, str]
    sections: frozenset[str]
    titles: frozenset[str]
    body: tuple[str, ...] = ()
    dropped: frozenset[str] = frozenset()
    facts: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    people: tuple[str, ...] = ()
    """Elements that are a person's, whose words are the name."""


def _tags(**words: str) -> dict[str, str]:
    return {word: tag for tag, listed in words.items() for word in listed.replace("_", "-").split()}


_DOCBOOK_SECTIONS: Final = (
    "section sect1 sect2 sect3 sect4 sect5 simplesect chapter part article book set appendix preface glossary "
    "bibliography refentry refsect1 refsect2 refsect3 refsection dedication colophon"
)
_DOCBOOK_DROPPED: Final = (
    "info titleabbrev indexterm index toc remark colspec spanspec textobject audioobject videoobject refmiscinfo"
)

VOCABULARIES: Final[Mapping[str, Vocabulary]] = {
    "fictionbook": Vocabulary(
        tags=_tags(
            p="p v subtitle text_author date", em="emphasis", strong="strong", s="strikethrough", code="code",
            sub="sub", sup="sup", a="a", img="image", blockquote="cite epigraph", div="poem stanza annotation",
            table="table", tr="tr", td="td", th="th", br="empty_line", section="section body",
        ),
        sections=frozenset(("body", "section", "poem", "stanza")),
        titles=frozenset(("title",)),
        body=("body",),
        facts={
            "title": ("description/title-info/book-title",), "language": ("description/title-info/lang",),
            "created": ("description/title-info/date",), "genre": ("description/title-info/genre",),
            "publisher": ("description/publish-info/publisher",), "isbn": ("description/publish-info/isbn",),
            "description": ("description/title-info/annotation",),
        },
        people=("description/title-info/author",),
    ),
    "opml": Vocabulary(
        tags={}, sections=frozenset(), titles=frozenset(), body=("body",),
        facts={"title": ("head/title",), "created": ("head/dateCreated",), "modified": ("head/dateModified",)},
        people=("head/ownerName",),
    ),
    "docbook": Vocabulary(
        tags=_tags(
            p="para simpara attribution bridgehead subtitle edition releaseinfo copyright legalnotice refnamediv",
            em="emphasis citetitle replaceable firstterm foreignphrase",
            code="literal code command filename varname function option constant parameter classname methodname type "
            "envar systemitem userinput computeroutput prompt tag keycap property package uri email",
            pre="programlisting screen literallayout synopsis", ul="itemizedlist simplelist revhistory",
            ol="orderedlist procedure substeps", li="listitem member step callout revision",
            dl="variablelist glosslist", dt="term glossterm question", dd="glossdef answer",
            a="link ulink xref", img="imagedata graphic",
            figure="figure informalfigure example", blockquote="blockquote epigraph",
            div="note warning tip caution important sidebar abstract formalpara mediaobject inlinemediaobject",
            q="quote", sub="subscript", sup="superscript", table="table informaltable", tr="row", td="entry",
            math="math", section=_DOCBOOK_SECTIONS,
        ),
        sections=frozenset(_DOCBOOK_SECTIONS.split()),
        titles=frozenset(("title", "refentrytitle")),
        dropped=frozenset(_DOCBOOK_DROPPED.split()),
        facts={
            "title": ("info/title", "title", "refmeta/refentrytitle"), "created": ("info/date", "info/pubdate"),
            "description": ("info/abstract",), "product": ("info/productname",), "manual": ("refmeta/refmiscinfo",),
        },
        people=("info//author",),
    ),
    "mallard": Vocabulary(
        tags=_tags(
            p="p desc cite", strong="hi", code="cmd file input output sys var key", pre="screen", ul="list tree",
            ol="steps", li="item", dl="terms", dt="term", dd="definition", a="link", img="media",
            figure="figure listing", blockquote="quote", q="q",
            div="note warning tip important danger caution example synopsis links choose when else if",
            section="page section",
        ),
        sections=frozenset(("page", "section")),
        titles=frozenset(("title",)),
        dropped=frozenset(("info", "comment", "col", "colgroup")),
        facts={"title": ("title",), "description": ("info/desc",), "license": ("info/license",)},
        people=("info/credit[@type='author']/name", "info/credit[@type='author copyright']/name"),
    ),
    "jats": Vocabulary(
        tags=_tags(
            p="p attrib verse_line", em="italic", strong="bold", code="monospace", u="underline",
            s="strike", sub="sub", sup="sup", a="ext_link uri email xref", ul="list", li="list_item ref", dl="def_list",
            dt="term", dd="def", img="graphic inline_graphic", figure="fig table_wrap",
            blockquote="disp_quote verse_group", pre="code preformat",
            div="boxed_text statement speech abstract trans_abstract",
            table="table", thead="thead", tbody="tbody", tfoot="tfoot", tr="tr", td="td", th="th", math="math",
            aside="fn", section="sec body back ack app ref_list fn_group glossary bio notes sub_article response",
        ),
        sections=frozenset((
            "sec", "ack", "app", "ref-list", "fn-group", "glossary", "bio", "notes", "abstract", "trans-abstract",
            "sub-article", "response",
        )),
        titles=frozenset(("title",)),
        body=("front/article-meta/abstract", "front/article-meta/trans-abstract", "body", "floats-group", "back",
              "sub-article", "response"),
        dropped=frozenset(("object-id", "permissions", "alt-text", "long-desc")),
        facts={
            "title": ("front/article-meta/title-group/article-title",),
            "journal": ("front/journal-meta/journal-title-group/journal-title", "front/journal-meta/journal-title"),
            "doi": ("front/article-meta/article-id[@pub-id-type='doi']",),
            "publisher": ("front/journal-meta/publisher/publisher-name",),
        },
        people=("front/article-meta/contrib-group/contrib[@contrib-type='author']/name",
                "front/article-meta/contrib-group/contrib[@contrib-type='author']/string-name"),
    ),
}  # fmt: skip
