"""How to use the library, told once, in `claude_code/skills/docsidecar/SKILL.md`: the skill `docsidecar`, and
`tour://library`, the same in under 600 tokens for whoever reads no skills, with what is indexed just now.
"""

from pathlib import Path

from sidecar.api import ResourceContent, ResourceEntry, Services, Skill

TOUR = ResourceEntry(
    uri="tour://library",
    name="tour",
    title="How to use this library",
    description="How to find, read and show documents here, in one page.",
    media_type="text/markdown",
)


def read_skill() -> Skill:
    """The skill, as it is shipped."""
    text = (Path(__file__).parent / "claude_code" / "skills" / "docsidecar" / "SKILL.md").read_text("utf-8")
    frontmatter = text.split("---\n", 2)[1]
    fields = dict(line.split(": ", 1) for line in frontmatter.splitlines())
    return Skill(fields["name"], fields["description"], text)


async def read_tour(services: Services) -> ResourceContent:
    """The skill's text, with a sentence on what is indexed just now: documents, and the tables that SQL asks."""
    page = await services.library.documents(page_size=1)
    tables = (await services.library.find_tables("", 1)).total
    held = f"{page.total:,} documents" + (f" with {tables:,} tables for `query_tables`" if tables else "")
    state = f"It holds {held}. {await services.library.progress()}".strip()
    text = read_skill().text.split("---\n", 2)[2].lstrip()
    return ResourceContent(TOUR.uri, TOUR.media_type, text=f"{text}\n{state}\n")
