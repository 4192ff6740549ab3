"""Texts set apart from the body: footnotes, endnotes, comments with their replies, headers and footers.

Each becomes a `Note`, followed by the figures and tables it holds (ECMA-376 part 1 §17.10, §17.11, §17.13.4;
replies: MS-DOCX `commentsExtended`). A damaged part gives a notice and no notes."""

from sidecar.api import AnyBlock, FormatError, Note
from sidecar.toolkit.xml import XmlElement
from sidecar_docx.body.context import DocumentState, NoteKind, RunningKind
from sidecar_docx.body.story import Story
from sidecar_docx.body.text import flattened
from sidecar_docx.qualified_names import AUTHOR, DATE, ID, W14, W15, P, W, is_on

_SEPARATORS = frozenset({"separator", "continuationSeparator", "continuationNotice"})
_PAGES = {"default": "", "first": "first page", "even": "even pages"}


class Notes:
    """All notes of one document, read from their parts on demand."""

    def __init__(self, document: DocumentState, main: str) -> None:
        self._document = document
        self._roots: dict[NoteKind, dict[str, XmlElement]] = {"footnote": {}, "endnote": {}, "comment": {}}
        self._stories: dict[NoteKind, Story] = {}
        self._parents: dict[str, str] = {}
        self._resolved: set[str] = set()
        self._used: set[tuple[NoteKind, str]] = set()
        self._running: set[tuple[str, str]] = set()
        parts = {"footnotes": "footnote", "endnotes": "endnote", "comments": "comment"}
        extended = ""
        for relation in document.package.relationships(main).values():
            kind: NoteKind | None = parts.get(relation.type)  # pyright: ignore[reportAssignmentType]  # its values are
            if relation.type == "commentsExtended":
                extended = relation.target
            if kind is None or relation.external or relation.target not in document.package:
                continue
            try:
                root = document.package.xml(relation.target)
            except FormatError as error:
                document.damaged(str(error))
                continue
            self._stories[kind] = Story(document, relation.target)
            for node in root.iterchildren(f"{W}{kind}"):
                if node.get(f"{W}type") not in _SEPARATORS:
                    self._roots[kind].setdefault(node.get(ID, ""), node)
        if extended and self._roots["comment"]:
            self._read_replies(extended)

    def _read_replies(self, part: str) -> None:
        """Comments point at one another by the id of their last paragraph."""
        if part not in self._document.package:
            return
        try:
            root = self._document.package.xml(part)
        except FormatError as error:
            self._document.damaged(str(error))
            return
        by_paragraph: dict[str, str] = {}
        for number, node in self._roots["comment"].items():
            for paragraph in node.iter(P):
                if paragraph.get(f"{W14}paraId"):
                    by_paragraph[paragraph.get(f"{W14}paraId").upper()] = number
        for node in root.iterchildren(f"{W15}commentEx"):
            child = by_paragraph.get(node.get(f"{W15}paraId", "").upper())
            if child is not None and is_on(node.get(f"{W15}done", "0")):
                self._resolved.add(child)
            parent = by_paragraph.get(node.get(f"{W15}paraIdParent", "").upper())
            if child is not None and parent is not None and child != parent:
                self._parents[child] = parent

    def called(self, kind: NoteKind, number: str, shown: str) -> list[AnyBlock]:
        """The note with `w:id` `number`, and for a comment the replies nothing else calls; once only."""
        node = self._roots[kind].get(number)
        if node is None or (kind, number) in self._used:
            return []
        self._used.add((kind, number))
        made = self._made(kind, node, number, shown)
        if kind == "comment":
            for child, parent in self._parents.items():
                if parent == number:
                    made += self.called("comment", child, child)
        return made

    def unreferenced(self) -> list[AnyBlock]:
        """Notes of the file that no text calls: a comment without a mark is still somebody's words."""
        made: list[AnyBlock] = []
        for kind in self._roots:
            for number in list(self._roots[kind]):
                shown = number if kind == "comment" else self._document.refer(kind, number)
                made += self.called(kind, number, shown)
        return made

    def _made(self, kind: NoteKind, node: XmlElement, number: str, shown: str) -> list[AnyBlock]:
        text, spans, rest = flattened(self._stories[kind].inner(node, 0))
        if not text.strip() and not rest:
            return []
        if kind != "comment":
            return [Note(kind=kind, id=shown, text=text, spans=spans), *rest]
        note = Note(
            kind="comment", id=shown, text=text, spans=spans, author=node.get(AUTHOR, ""), date=node.get(DATE, ""),
            target=self._document.target_of(number), parent=self._parents.get(number, ""),
            resolved=number in self._resolved,
        )  # fmt: skip
        return [note, *rest]

    def running(self, kind: RunningKind, page: str, part: str, section: int, hidden: bool) -> list[AnyBlock]:
        """A header or footer part as a note, the first time it is used. `page` is "default", "first" or "even"."""
        if (kind, part) in self._running or part not in self._document.package:
            return []
        self._running.add((kind, part))
        try:
            root = self._document.package.xml(part)
        except FormatError as error:
            self._document.damaged(str(error))
            return []
        text, spans, rest = flattened(Story(self._document, part).inner(root, 0))
        made: list[AnyBlock] = []
        if text.strip():
            where = _PAGES.get(page, page)
            made.append(
                Note(
                    kind=kind, id=f"{section}{'-' + page if where else ''}", text=text.strip("\n"), spans=spans,
                    target=f"section {section}" + (f", {where}" if where else ""), hidden=hidden,
                )
            )  # fmt: skip
        return [*made, *rest]
