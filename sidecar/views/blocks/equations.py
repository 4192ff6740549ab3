"""What is said of an equation that may not be as it is printed, and where its picture is."""

from sidecar.api import Equation, format_uri


def flaw_remark(flaw: str, picture: str) -> str:
    """The sentence for an equation with a `flaw`, "" of any other; `picture` says where it is seen."""
    return f"This equation may say something else ({flaw}); see {picture}." if flaw else ""


def picture_uri(equation: Equation, doc: str) -> str:
    """The URI of its picture in a document (slug or doc_id); the page settles a label that occurs more than once."""
    query = {"page": str(equation.page)} if equation.page else None
    return format_uri("element", doc, equation.element, suffix="png", query=query)
