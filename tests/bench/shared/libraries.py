"""What benches ask of an open library."""

from sidecar.app import Application


async def paths_of(application: Application) -> dict[str, str]:
    """Slug → path of every document."""
    found: dict[str, str] = {}
    page = 1
    while (listed := await application.library.documents(page, 100)).documents:
        found |= {document.slug: document.path for document in listed.documents}
        page += 1
    return found
