"""Callouts: GitHub's alerts, MkDocs' and MyST's admonitions. Which tone a kind has, and its title in words."""

import re

from sidecar_render.markdown.inlines import Node
from sidecar_render.markdown.pagination import keeps_together

ALERT = re.compile(r"\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|\Z)", re.IGNORECASE)
_TONES = {
    "tip": "tip", "hint": "tip", "success": "tip", "important": "important", "question": "important",
    "warning": "warning", "attention": "warning", "caution": "caution", "danger": "caution", "error": "caution",
    "bug": "caution", "failure": "caution",
}  # fmt: skip
_WORDS = {
    "de": ("Hinweis", "Tipp", "Wichtig", "Warnung", "Vorsicht"),
    "fr": ("Remarque", "Astuce", "Important", "Avertissement", "Attention"),
    "es": ("Nota", "Consejo", "Importante", "Advertencia", "Precaución"),
    "it": ("Nota", "Suggerimento", "Importante", "Avviso", "Attenzione"),
    "pt": ("Nota", "Dica", "Importante", "Aviso", "Cuidado"),
    "nl": ("Opmerking", "Tip", "Belangrijk", "Waarschuwing", "Voorzichtig"),
    "ru": ("Примечание", "Совет", "Важно", "Предупреждение", "Осторожно"),
    "zh": ("注意", "提示", "重要", "警告", "当心"),
    "ja": ("注", "ヒント", "重要", "警告", "注意"),
    "ko": ("참고", "팁", "중요", "경고", "주의"),
    "ar": ("ملاحظة", "نصيحة", "مهم", "تحذير", "تنبيه"),
    "he": ("הערה", "טיפ", "חשוב", "אזהרה", "זהירות"),
}
"""GitHub's five kinds, for documents in these languages."""
_KINDS = ("note", "tip", "important", "warning", "caution")


def tone_of(kind: str) -> str:
    """The tone of a kind, "note" for those nobody knows."""
    return _TONES.get(kind, "note")


def is_callout(directive: str) -> bool:
    """Whether a MyST directive of that name is one."""
    return directive in _TONES or directive in ("note", "admonition", "seealso")


def title_of(kind: str, lang: str) -> str:
    """The title of a callout that has none of its own, in the document's language where we know it."""
    words = _WORDS.get(lang)
    if words is not None and kind in _KINDS:
        return words[_KINDS.index(kind)]
    return kind.capitalize()


def callout_node(tone: str, title: str, nodes: list[Node]) -> Node:
    """A callout; a short one is kept on one page."""
    return {"k": "callout", "tone": tone, "title": title, "c": nodes, "keep": keeps_together(nodes)}
