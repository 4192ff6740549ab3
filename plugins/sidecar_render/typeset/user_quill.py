"""Documents through a user's quill: quillmark's own Markdown, and what it leaves out put in afterwards (`inserts`)."""

import shutil
from pathlib import Path

from sidecar_render.markdown.front_matter import Document, translated
from sidecar_render.model import Diagnostic, Job, Rendering
from sidecar_render.typeset.engine import EngineError, draw, load
from sidecar_render.typeset.fonts import lend_fonts
from sidecar_render.typeset.inserts import collect, furnish, has_formulas
from sidecar_render.typeset.pictures import Assets


def draw_with_quill(document: Document, job: Job) -> Rendering:
    """Render. Formulas that the engine refuses are shown as their source; what it refuses beside is left out with a
    warning.

    Raises:
        EngineError, QuillFault: the document or the quill is wrong.
    """
    markdown, shift = translated(document)
    path = Path(job.plan.path)
    reason = ""
    for formulas in (True, False):
        home = Path(job.scratch) / path.name
        assets = Assets(home / "packages" / "docsidecar-inserts", job.pictures)
        inserts = collect(markdown, shift, assets.get, formulas=formulas)
        try:
            lent = lend_fonts(path, home, document, formulas=has_formulas(inserts.nodes))
            furnish(path, home, inserts.nodes, fonts=lent.text)
            pages, warnings = draw(load(home), inserts.markdown, job.form, shift)
        except (EngineError, OSError) as error:
            reason = str(error)
            if not inserts.nodes:
                break
        else:
            told = tuple(dict.fromkeys((*lent.warnings, *inserts.warnings, *warnings)))
            return Rendering(pages, len(pages), _title(markdown), told)
        finally:
            shutil.rmtree(home, ignore_errors=True)
    pages, warnings = draw(load(path), markdown, job.form, shift)
    message = f"pictures, footnotes and formulas are not drawn: this quill does not take them ({reason[:200]})"
    warning = Diagnostic(message, "warning", hint="the default quill draws them")
    return Rendering(pages, len(pages), _title(markdown), (warning, *warnings))


def _title(markdown: str) -> str:
    """The title a document gives in its root block, for naming the artifact."""
    for line in markdown.split("\n", 200)[1:200]:
        if line.startswith("~~~"):
            break
        if line.lower().startswith(("title:", "subject:")):
            return line.partition(":")[2].strip().strip("\"'")[:200]
    return ""
