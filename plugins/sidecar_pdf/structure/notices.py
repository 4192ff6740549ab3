"""What is said of pages beside their text: what was not read, not seen, not sure."""

from sidecar.api import UNCERTAIN_TABLE, Notice
from sidecar.toolkit.ocr import UNSURE_READING
from sidecar_pdf.layout.layer_words import LayerCheck
from sidecar_pdf.pdfium.graphics import PageGraphics
from sidecar_pdf.structure.regions import PageRegions
from sidecar_pdf.text.ocr import RecognizedPage


def page_notices(
    page: PageRegions, number: int, graphics: PageGraphics, recognized: RecognizedPage | None, *, ocr: bool
) -> list[Notice]:
    """The notices of page `number` (1-based), whose words may be `recognized` in its picture where `ocr` is allowed."""
    found: list[Notice] = []
    if recognized is not None or (not page.has_text and page.has_graphics):
        why = "" if ocr else " OCR is switched off."
        hidden = any(region.hidden for region in page.regions)
        lacks = "a text layer that says something else" if hidden else "no usable text layer"
        found.append(Notice("no_text_layer", f"Page {number} has {lacks}.{why}", part=number))
        if recognized is not None and page.has_text:
            errors = f"; {UNSURE_READING}" if recognized.unsure else " and may hold errors."
            found.append(
                Notice("ocr", f"The text of page {number} was read from its picture by OCR{errors}", part=number)
            )
    if any(region.hidden for region in page.regions) or any(note.hidden for note in page.notes):
        unseen = "off the page, white, covered, tiny, in a layer, or other words than a scan's or its glyphs'"
        message = f"Page {number} holds text a reader does not see ({unseen})."
        found.append(Notice("hidden_content", message, part=number))
    uncertain = sum(region.confidence < UNCERTAIN_TABLE for region in page.regions)
    if uncertain:
        tables = "a table" if uncertain == 1 else f"{uncertain} tables"
        message = f"Page {number} holds {tables} whose rows and columns are uncertain; shown as lines."
        found.append(Notice("uncertain_table", message, part=number))
    if graphics.undecoded:
        message = f"Most text of page {number} is set in a way that gives no text."
        found.append(Notice("unsupported_content", message, part=number))
    if flaws := [region.flaw for region in page.regions if region.flaw]:
        formulas = "a formula" if len(flaws) == 1 else f"{len(flaws)} formulas"
        why = "; ".join(dict.fromkeys(flaws))
        message = f"Page {number} holds {formulas} that may say something else than is printed ({why})."
        found.append(Notice("unsupported_content", message, part=number))
    if page.failure:
        message = f"The layout of page {number} was not understood ({page.failure}); its text follows line by line."
        found.append(Notice("damaged_part", message, part=number))
    if page.truncated:
        message = f"Page {number} draws more shapes than are looked at for figures."
        found.append(Notice("truncated_at", message, part=number))
    return found


def unverified(layer: LayerCheck) -> Notice:
    """That not all invisible text was compared with its picture."""
    return Notice(
        "unverified_text",
        f"Of {layer.lines:,} lines of invisible text over pictures {layer.compared:,} were compared with what the "
        "pictures say; the others may say something else.",
    )


def askew(number: int) -> Notice:
    """That the invisible text of a page lies elsewhere than its picture's words."""
    return Notice(
        "hidden_content",
        f"The invisible text of page {number} does not lie where its picture has words; it may say something else.",
        part=number,
    )


def words_alone(laid: int = 0, pages: int = 0, seconds: float = 0.0) -> Notice:
    """That only words were read: of a whole document for now, or of its pages after those that were `laid` out in the
    time there is (`Limits.max_seconds`)."""
    if not laid:
        return Notice("words_only", "Only its words are read so far; headings, tables and figures come soon.")
    return Notice(
        "truncated_at",
        f"Of the pages from {laid + 1:,} to {pages:,} only the words were read, without headings, tables and figures: "
        f"laying them out takes more than max_seconds ({seconds:g}).",
        part=laid + 1,
    )


def not_understood(number: int, error: Exception) -> Notice:
    """That only the plain text of a page could be read."""
    why = f"Page {number} was not understood ({type(error).__name__})"
    return Notice(
        "damaged_part", f"{why}; its text follows line by line, text that readers do not see included.", part=number
    )
