"""What a feature plugin is: a `register(registrar, settings)` that adds tools, resources, commands and tasks.

A feature plugin is declared under the entry-point group `docsidecar.features` as a class, called without
arguments. It runs in the serving process, so importing it must be cheap: whatever is heavy belongs into functions
run through `Services.workers`."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar, runtime_checkable

import msgspec

from sidecar.api.contents import Paid, ResourceContent, ResourceEntry, Result
from sidecar.api.library import Services

if TYPE_CHECKING:  # pydantic takes 140 ms to import, and every worker process imports this package
    import argparse

    from pydantic import BaseModel

Arguments = TypeVar("Arguments", bound="BaseModel")


class Client(msgspec.Struct, frozen=True):
    """Who is asking, as the client introduced itself; `capabilities` are the names it declared."""

    name: str = ""
    version: str = ""
    capabilities: frozenset[str] = frozenset()


class Call(msgspec.Struct, frozen=True):
    """One tool call: the services, who asks, how many tokens the answer may cost, and which half of it counts."""

    services: Services
    client: Client = Client()
    budget: int = 8000
    paid: Paid = "both"


class Tool(msgspec.Struct, Generic[Arguments], frozen=True):
    """A tool. `arguments` is a pydantic model whose field descriptions reach the client: keep them short, the whole
    list is paid for in tokens before the first question. `description` is one or two sentences. `output` is the JSON
    Schema of the structured content, for a tool that always gives it and whose structure is stable.

    The handler raises `SidecarError`s for what the user can mend; the server turns them into `isError` results
    that begin with "Error:". Anything else it raises is logged and reported as an internal error."""

    name: str
    title: str
    description: str
    arguments: type[Arguments]
    handler: Callable[[Call, Arguments], Awaitable[Result]]
    read_only: bool = True
    idempotent: bool = True
    open_world: bool = False
    """True when it reaches beyond this machine's folders (another server)."""
    destructive: bool = False
    """True when it takes something away that was there before; no tool that only reads does."""
    output: Mapping[str, Any] | None = None
    in_app: bool = False
    """Whether hosts that show MCP Apps show the answer in the library's page (`ui://library`): it shows the answers of
    `search_documents`, and text with a picture."""


class Template(msgspec.Struct, frozen=True):
    """A resource template (RFC 6570) for `resources/templates/list`."""

    uri_template: str
    name: str
    title: str
    description: str
    media_type: str = ""


@runtime_checkable
class ResourceProvider(Protocol):
    """Resources under URI schemes of the plugin's own.

    `schemes` lists them ("render", "upstream"). `entries` pages by keyset: up to `limit` entries whose URI sorts after
    `after`, in URI order. `read` raises NotFoundError for URIs it does not know."""

    schemes: tuple[str, ...]

    @property
    def templates(self) -> tuple[Template, ...]:
        """Its URI templates as they are now."""
        ...

    async def entries(self, services: Services, after: str, limit: int) -> Sequence[ResourceEntry]:
        """One page of the listing; fewer than `limit` entries mean that it is the last."""
        ...

    async def read(self, services: Services, uri: str) -> tuple[ResourceContent, ...]:
        """The contents of one resource. Raises NotFoundError, UnavailableError."""
        ...

    async def complete(
        self, services: Services, template: str, variable: str, value: str, others: Mapping[str, str]
    ) -> Sequence[str]:
        """Values a template's variable may take that begin with `value`; `others` are the variables given already."""
        ...


class Embedder(msgspec.Struct, frozen=True):
    """A sentence embedder, run in a worker pool of its own.

    `target` ("package.module:function") is called there with a list of texts and gives their embeddings as bytes:
    float32, little endian, row-major, shape `(len(texts), dimensions)`, rows of unit length. `query_target` does
    the same for queries where the model treats them differently; "" uses `target`. `known_target` is called with a
    list of queries and gives a list of whether the model knows the words of each: one that it does not is answered
    by words alone where these find anything; "" knows all. `arguments` are given to all of them behind the texts. A
    change of `name`, `version` or `dimensions` re-embeds everything. `unrelated` is the cosine below which a text
    has nothing to do with a query: where no word of it is found, such texts are not shown. Below the cosine `weak`
    a text hardly answers unless it holds most of the query's words: few such are shown, and marked."""

    name: str
    version: str
    dimensions: int
    target: str
    query_target: str = ""
    arguments: tuple[str, ...] = ()
    unrelated: float = -1.0
    weak: float = -1.0
    known_target: str = ""


class Drawer(msgspec.Struct, frozen=True):
    """Who draws what documents hold as data or text only, in a worker process of the pool `pool`.

    `target` ("package.module:function") is called with what is to be drawn and gives a `Payload`: for "chart" as
    `function(chart, format, width, height)` with a `ChartData`, "png" or "svg", and pixels; for "markdown" with the
    text, of which it gives a PNG as wide as the text is; for "page" as `function(drawing, draw_chart)` with a
    `PageDrawing` of `sidecar.toolkit.drawn.model` and the function that draws charts (None without one), of which it
    gives a PDF as bytes and what is to be said of it. It raises UnavailableError where it cannot."""

    kind: Literal["chart", "markdown", "page"]
    target: str
    pool: str = "tasks"


class Command(msgspec.Struct, frozen=True):
    """A subcommand of `docsidecar`. `run` gives the exit status; `services` are opened for it and closed after."""

    name: str
    help: str
    run: "Callable[[argparse.Namespace, Services], Awaitable[int]]"
    arguments: "Callable[[argparse.ArgumentParser], None]" = msgspec.field(default=lambda parser: None)


class PromptArgument(msgspec.Struct, frozen=True):
    """An argument of a prompt. `completes` says what a client that asks for values is offered: slugs, or folders."""

    name: str
    description: str
    required: bool = True
    completes: Literal["document", "folder", ""] = ""


class Prompt(msgspec.Struct, frozen=True):
    """A prompt a person picks by its name (`/summarise-document`). `text` gives what the model is then told; it is
    called with the arguments that were given, each a text that is not blank, and the required ones among them.

    The text is the user's own word to the model: nothing that documents say belongs into it. It raises `SidecarError`s
    for what the user can mend."""

    name: str
    title: str
    description: str
    text: Callable[[Services, Mapping[str, str]], Awaitable[str]]
    arguments: tuple[PromptArgument, ...] = ()


class Skill(msgspec.Struct, frozen=True):
    """Instructions an assistant loads when it needs them: `text` is a `SKILL.md` (agentskills.io/specification), whose
    YAML frontmatter has `name` and `description` as they are here."""

    name: str
    description: str
    text: str

    @property
    def uri(self) -> str:
        """Where it is read."""
        return f"skill://{self.name}/SKILL.md"


class Registrar(Protocol):
    """Where a feature plugin puts what it adds. Names must be unique; a clash is a load failure of the later plugin."""

    def tool(self, tool: Tool[Any]) -> None:
        """A tool, by its name."""
        ...

    def resource(self, entry: ResourceEntry, read: Callable[[Services], Awaitable[ResourceContent]]) -> None:
        """A static resource, listed first."""
        ...

    def prompt(self, prompt: Prompt) -> None:
        """A prompt, by its name."""
        ...

    def skill(self, skill: Skill) -> None:
        """A skill, by its name; its `SKILL.md` is a static resource as well."""
        ...

    def provider(self, provider: ResourceProvider) -> None:
        """Resources under URI schemes that are nobody's yet."""
        ...

    def embedder(self, embedder: Embedder) -> None:
        """The embedder of the index; there is one at most."""
        ...

    def drawer(self, drawer: Drawer) -> None:
        """Who draws what is of that kind; there is one at most."""
        ...

    def command(self, command: Command) -> None:
        """A subcommand of `docsidecar`."""
        ...

    def background(self, name: str, task: Callable[[Services], Awaitable[None]]) -> None:
        """A task started after the first client is served and cancelled at shutdown; if it fails, that is logged."""
        ...

    def status(self, name: str, report: Callable[[Services], Awaitable[Any]]) -> None:
        """A field of `get_library_status` under `name`: JSON-able, cheap."""
        ...


@runtime_checkable
class FeaturePlugin(Protocol):
    """Adds tools, resources and tasks. `settings` is the plugin's `[plugins.NAME]` table, unvalidated, and, of
    a plugin that is an entry point `docsidecar.sections` too, as `tables` those at the top of the file, `[NAME.…]`."""

    name: str
    version: str

    def register(self, registrar: Registrar, settings: Mapping[str, Any]) -> None:
        """Raises ConfigError when `settings` are wrong; the plugin is then reported as failed and left out.

        Called again, on the same object, when the settings change while running: what it registers then takes the
        place of what it registered before. Raising leaves that as it was; a background task equal to one that runs
        (the same bound method) goes on, others are cancelled; embedders and commands are taken at the start only."""
        ...
