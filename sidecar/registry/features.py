"""The feature plugins that are installed, and everything they registered, collected before the server starts."""

import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sidecar.api.contents import ResourceContent, ResourceEntry
from sidecar.api.errors import ConfigError, SidecarError
from sidecar.api.features import Command, Drawer, Embedder, FeaturePlugin, Prompt, ResourceProvider, Skill, Tool
from sidecar.api.library import Services
from sidecar.registry.loading import Loaded, LoadFailure, load_group

GROUP = "docsidecar.features"

logger = logging.getLogger(__name__)

ReadStatic = Callable[[Services], Awaitable[ResourceContent]]
Background = Callable[[Services], Awaitable[None]]
Report = Callable[[Services], Awaitable[Any]]


@dataclass(frozen=True)
class FeatureEntry:
    """One feature plugin that registered without fault."""

    name: str
    version: str
    distribution: str
    builtin: bool
    tools: tuple[str, ...]


@dataclass
class Features:
    """What all feature plugins registered together; also the `Registrar` each one is given."""

    entries: list[FeatureEntry] = field(default_factory=list["FeatureEntry"])
    failures: list[LoadFailure] = field(default_factory=list["LoadFailure"])
    tools: dict[str, Tool[Any]] = field(default_factory=dict[str, Tool[Any]])
    resources: dict[str, tuple[ResourceEntry, ReadStatic]] = field(
        default_factory=dict[str, tuple[ResourceEntry, ReadStatic]]
    )
    prompts: dict[str, Prompt] = field(default_factory=dict[str, Prompt])
    skills: dict[str, Skill] = field(default_factory=dict[str, Skill])
    providers: list[ResourceProvider] = field(default_factory=list[ResourceProvider])
    embedders: list[Embedder] = field(default_factory=list[Embedder])
    drawers: dict[str, Drawer] = field(default_factory=dict[str, Drawer])
    commands: dict[str, Command] = field(default_factory=dict[str, Command])
    backgrounds: dict[str, Background] = field(default_factory=dict[str, Background])
    reports: dict[str, Report] = field(default_factory=dict[str, Report])
    _slots: "list[_Slot]" = field(default_factory=list["_Slot"], repr=False)

    def reconfigure(self, settings: Mapping[str, Mapping[str, Any]]) -> tuple[LoadFailure, ...]:
        """Let every plugin whose table is another than before register anew, in place; gives those that refuse.

        A plugin that refuses goes on as it was. Embedders and commands are taken at the start only."""
        refused: list[LoadFailure] = []
        for slot in self._slots:
            table = settings.get(slot.loaded.name, {})
            if table == slot.settings:
                continue
            others = Features()
            for other in self._slots:
                if other is not slot:
                    others._merge(other.mine)
            if failure := slot.register(others, table):
                refused.append(failure)
                continue
            self.failures[:] = [failure for failure in self.failures if failure.name != slot.loaded.name]
        for found in (
            self.tools, self.resources, self.prompts, self.skills, self.drawers, self.commands, self.backgrounds,
            self.reports, self.entries, self.providers, self.embedders,
        ):  # fmt: skip
            found.clear()
        for slot in self._slots:
            self._merge(slot.mine)
        return tuple(refused)

    def add(self, slot: "_Slot") -> None:
        """Take a plugin in, and what it registered."""
        self._slots.append(slot)
        self._merge(slot.mine)

    def _merge(self, mine: "Features") -> None:
        self.tools |= mine.tools
        self.resources |= mine.resources
        self.prompts |= mine.prompts
        self.skills |= mine.skills
        self.providers += mine.providers
        self.embedders += mine.embedders
        self.drawers |= mine.drawers
        self.commands |= mine.commands
        self.backgrounds |= mine.backgrounds
        self.reports |= mine.reports
        self.entries += mine.entries


@dataclass
class _Slot:
    """One plugin, what it was configured with, and what it registered then."""

    loaded: Loaded
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    mine: Features = field(default_factory=Features)

    def register(self, taken: Features, settings: Mapping[str, Any]) -> LoadFailure | None:
        """Why it refuses; None when it registered beside what others have `taken`."""
        registrar = _Registrar(taken)
        plugin = self.loaded.plugin
        try:
            plugin.register(registrar, settings)
        except Exception as error:  # a third party's register may raise anything; it must not stop the rest
            reason = str(error) if isinstance(error, SidecarError) else f"{type(error).__name__}: {error}"
            logger.warning(
                "feature plugin %s of %s is left out: %s", self.loaded.name, self.loaded.distribution, reason
            )
            key = (error.key or "") if isinstance(error, ConfigError) else ""
            return LoadFailure(GROUP, self.loaded.name, self.loaded.distribution, reason, key)
        mine = registrar.mine
        mine.entries.append(
            FeatureEntry(plugin.name, plugin.version, self.loaded.distribution, self.loaded.builtin, tuple(mine.tools))
        )
        self.mine, self.settings = mine, settings
        return None


@dataclass
class _Registrar:
    """Collects one plugin's contributions, so that a plugin which fails half-way leaves nothing behind."""

    taken: Features
    mine: Features = field(default_factory=Features)

    def tool(self, tool: Tool[Any]) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9_]{0,63}", tool.name):
            raise SidecarError(f"the tool name {tool.name!r} is not a lower-case word of at most 64 letters.")
        self._free(tool.name, self.taken.tools, self.mine.tools, "tool")
        self.mine.tools[tool.name] = tool

    def resource(self, entry: ResourceEntry, read: ReadStatic) -> None:
        self._free(entry.uri, self.taken.resources, self.mine.resources, "resource")
        self.mine.resources[entry.uri] = (entry, read)

    def prompt(self, prompt: Prompt) -> None:
        _check_name(prompt.name, "prompt")
        self._free(prompt.name, self.taken.prompts, self.mine.prompts, "prompt")
        self.mine.prompts[prompt.name] = prompt

    def skill(self, skill: Skill) -> None:
        _check_name(skill.name, "skill")
        # agentskills.io/specification: what an entry says of a skill is what its frontmatter says.
        if not skill.text.startswith("---\n") or f"\nname: {skill.name}\n" not in skill.text.partition("\n---\n")[0]:
            raise SidecarError(f"the skill {skill.name!r} does not begin with a frontmatter that has its name.")
        self._free(skill.name, self.taken.skills, self.mine.skills, "skill")

        async def read(_: Services) -> ResourceContent:
            return ResourceContent(skill.uri, "text/markdown", text=skill.text)

        size = len(skill.text.encode())
        self.resource(ResourceEntry(skill.uri, skill.name, "", skill.description, "text/markdown", size), read)
        self.mine.skills[skill.name] = skill

    def provider(self, provider: ResourceProvider) -> None:
        taken = {scheme for other in (*self.taken.providers, *self.mine.providers) for scheme in other.schemes}
        for scheme in provider.schemes:
            if scheme in taken:
                raise SidecarError(f"the URI scheme {scheme!r} is taken by another plugin.")
        self.mine.providers.append(provider)

    def embedder(self, embedder: Embedder) -> None:
        if self.taken.embedders or self.mine.embedders:
            raise SidecarError("an embedder is registered already; disable one of the two plugins.")
        self.mine.embedders.append(embedder)

    def drawer(self, drawer: Drawer) -> None:
        self._free(drawer.kind, self.taken.drawers, self.mine.drawers, "drawer of")
        self.mine.drawers[drawer.kind] = drawer

    def command(self, command: Command) -> None:
        self._free(command.name, self.taken.commands, self.mine.commands, "command")
        self.mine.commands[command.name] = command

    def background(self, name: str, task: Background) -> None:
        self._free(name, self.taken.backgrounds, self.mine.backgrounds, "background task")
        self.mine.backgrounds[name] = task

    def status(self, name: str, report: Report) -> None:
        self._free(name, self.taken.reports, self.mine.reports, "status field")
        self.mine.reports[name] = report

    @staticmethod
    def _free(name: str, taken: Mapping[str, Any], mine: Mapping[str, Any], what: str) -> None:
        if name in taken or name in mine:
            raise SidecarError(f"the {what} {name!r} is registered already.")


def _check_name(name: str, what: str) -> None:
    # What the Agent Skills specification asks of a skill's name is good for a slash command as well.
    if len(name) > 64 or not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise SidecarError(f"the {what} name {name!r} is not of lower-case words joined by hyphens, of 64 letters.")


def load_features(
    disabled: frozenset[str] = frozenset(), settings: Mapping[str, Mapping[str, Any]] | None = None
) -> Features:
    """Register every installed feature plugin; one that fails is in `failures` and contributes nothing."""
    features = Features()
    tables = settings or {}
    for loaded in load_group(GROUP, disabled, {}, features.failures):
        plugin = loaded.plugin
        if not isinstance(plugin, FeaturePlugin):
            reason = "it is not a FeaturePlugin: it needs name, version and register(registrar, settings)."
            features.failures.append(LoadFailure(GROUP, loaded.name, loaded.distribution, reason))
            continue
        slot = _Slot(loaded)
        if failure := slot.register(features, tables.get(loaded.name, {})):
            features.failures.append(failure)
        features.add(slot)
    return features
