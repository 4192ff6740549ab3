"""Names that come near one that is not there, and the errors that tell them: a miss names what was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from sidecar.api import NotFoundError, is_doc_id, shortened, slugify
from sidecar.store.database.session import Session
from sidecar.store.documents.paths import fold
from sidecar.store.documents.views import Version

NEAR = 10_000
"""Names of one document among which a mistaken one is looked for: comparing that many takes 90 ms."""
FEW = 8
"""Names an error lists in full."""
_BEGINS = 2
"""More letters than these are taken for the beginning of a name."""
_MIN_NEARNESS = 0.55
"""How near a name is that comes close at all (see `nearness`)."""


def missing_document(session: Session, doc: str) -> NotFoundError:
    """The error for a document that is not there, with near slugs."""
    if is_doc_id(doc):
        return NotFoundError(f"The version {doc} is no longer in the index; read the document by its slug.")
    slugs = [slug for (slug,) in session.rows("SELECT slug FROM files WHERE version_id IS NOT NULL")]
    wanted = slugify(doc)
    begun = sorted((slug for slug in slugs if f"-{wanted}" in f"-{slug}"), key=len) if len(wanted) > _BEGINS else []
    near = list(dict.fromkeys([*begun, *nearest(wanted, slugs)]))[:5]
    hint = f"; did you mean {', '.join(near)}?" if near else "; list_documents shows what is there."
    return NotFoundError(f"There is no document {shortened(doc)!r}{hint}", near=near)


def nearest(name: str, names: Sequence[str]) -> list[str]:
    """Up to five names that come close, the nearest first."""
    return [other for _, other in nearness(name, names)[:5]]


def nearness(name: str, names: Sequence[str]) -> list[tuple[float, str]]:
    """Names that come close with how near they are, the nearest first: difflib's ratio and the share of letter triples
    in common together, 2 for the same. Those that share triples come first, because difflib alone takes 100 ms for
    10,000 names."""
    wanted = _triples(name)
    scored = sorted(
        (
            (len(wanted & triples) / (len(wanted | triples) or 1), other)
            for other in names
            if (triples := _triples(other))
        ),
        key=lambda pair: (-pair[0], pair[1]),
    )[:50]
    ratios = [
        (difflib.SequenceMatcher(None, fold(name), fold(other)).ratio() + share, other) for share, other in scored
    ]
    return [pair for pair in sorted(ratios, key=lambda pair: (-pair[0], pair[1])) if pair[0] > _MIN_NEARNESS]


def _triples(name: str) -> set[str]:
    text = f" {fold(name)[:200]} "
    return {text[at : at + 3] for at in range(len(text) - 2)}


def missing(what: str, selector: int | str, version: Version, names: Sequence[str]) -> NotFoundError:
    """The error for something of a document that is not among `names`, with those that come near."""
    near = nearest(str(selector), names)
    if near:
        hint = f"; did you mean {listed(near)}?"
    elif 0 < len(names) <= FEW:
        hint = f"; it has {listed(names)}."
    else:
        plural = what if what.endswith("s") else f"{what}s"
        hint = f"; it has no {plural} at all." if not names else "; its outline shows what is there."
    return NotFoundError(f"{version.slug} has no {what} {shortened(str(selector))!r}{hint}", near=near)


def listed(names: Sequence[str]) -> str:
    """The first few, and that there are more."""
    return ", ".join(names[:FEW]) + (" …" if len(names) > FEW else "")
