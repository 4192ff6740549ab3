"""The configuration: frozen dataclasses from TOML < environment < arguments, read once, swapped whole on reload.

Each setting is declared once, with its default and its bounds. This module reads and validates; it does not watch the
file (`serving.py` does) and does not write it (`cli/config_file.py` does)."""

import difflib
import hashlib
import os
import re
import stat
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

import platformdirs
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    TypeAdapter,
    ValidationError,
    create_model,
)

from sidecar.api import ConfigError, Limits, shortened
from sidecar.toolkit.settings import explain, find_line, first_error
from sidecar.toolkit.text import without_steering

APP = "docsidecar"

CONTEXT_CHARS = 200
"""Of a folder's context: about 50 tokens in every answer that names the folder."""

_MAX_BYTES = 2**20
_MAX_NAMES = 64
"""In one dotted key: `tomllib` takes the square of their number, 15 seconds for 20,000."""
_BACKSLASH = re.compile("hex value|Unescaped")
"""How TOML's reader says that a back slash of a path in double quotes means something else."""
_DOTTED = re.compile(
    r"""(?:\.[ \t]*+(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+){%d}""" % _MAX_NAMES  # noqa: UP031 - braces
)

_TABLE = ConfigDict(extra="forbid")


_Tables = Mapping[str, Mapping[str, Any]]


def _listed(value: Any) -> Any:
    """A list where one thing is written without its brackets."""
    return [value] if isinstance(value, str | dict) else value  # pyright: ignore[reportUnknownVariableType]


def _folder_tables(value: Any) -> Any:
    """`folders = ["/home/me/Documents"]` says what a `[[folders]]` table with that path says."""
    found: Any = _listed(value)
    return [{"path": one} if isinstance(one, str) else one for one in found] if isinstance(found, list) else found  # pyright: ignore[reportUnknownVariableType]


_Texts = Annotated[tuple[StrictStr, ...], BeforeValidator(_listed)]
LogLevel = Literal["debug", "info", "warning", "error"]


@dataclass(frozen=True)
class Folder:
    """A watched directory. `include` and `exclude` are gitignore-style patterns relative to `path`; `secrets` has keys,
    credentials and the like indexed as well; `context` says in a sentence what lies there, in results and lists."""

    __pydantic_config__ = _TABLE
    path: Path
    include: _Texts = ()
    exclude: _Texts = ()
    recursive: StrictBool = True
    secrets: StrictBool = False
    context: Annotated[StrictStr, Field(max_length=CONTEXT_CHARS)] = ""


@dataclass(frozen=True)
class IndexSettings:
    """`[index]`. Times in seconds; `workers` 0 means one a core; `retention_versions` old versions stay readable."""

    __pydantic_config__ = _TABLE
    workers: Annotated[StrictInt, Field(ge=0, le=64)] = 0
    settle_seconds: Annotated[StrictFloat, Field(ge=0, le=60)] = 0.3
    rescan_seconds: Annotated[StrictFloat, Field(ge=5)] = 300.0
    poll_seconds: Annotated[StrictFloat, Field(ge=0.2)] = 2.0
    retention_versions: Annotated[StrictInt, Field(ge=0, le=1000)] = 3
    hidden: StrictBool = False
    follow_symlinks: StrictBool = False
    gitignore: StrictBool = True


@dataclass(frozen=True)
class ServerSettings:
    """`[server]`. `tools` names tools or the sets "all", "reading", "library", "minimal"; budgets are in tokens."""

    __pydantic_config__ = _TABLE
    tools: _Texts = ("all",)
    budget_tokens: Annotated[StrictInt, Field(ge=500, le=200_000)] = 8000
    page_size: Annotated[StrictInt, Field(ge=1, le=1000)] = 100
    max_read_chars: Annotated[StrictInt, Field(ge=1000)] = 400_000
    client_rules: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])


@dataclass(frozen=True)
class LogSettings:
    """`[log]`. `file` "" means `docsidecar.log` in the data directory; it rotates at `max_bytes`, `keep` old ones."""

    __pydantic_config__ = _TABLE
    level: LogLevel = "info"
    file: StrictStr = ""
    max_bytes: Annotated[StrictInt, Field(ge=10_000)] = 2_000_000
    keep: Annotated[StrictInt, Field(ge=0, le=100)] = 3


_MINIMA: Mapping[str, float] = {"max_seconds": 0.01, "max_memory_bytes": 64 * 2**20, "max_embedded": 0}
"""The least each of `Limits` may be set to; the others may be 1."""


def _limit(name: str, kind: Any) -> Any:
    default: Any = getattr(Limits, name)
    return kind, Field(default) if kind is bool else Field(default, ge=_MINIMA.get(name, 1))


# Declared once, as the API's dataclass, which every worker process imports: pydantic would cost each 140 ms.
_LimitsTable: type[BaseModel] = create_model(
    "_LimitsTable",
    __config__=ConfigDict(extra="forbid", strict=True, defer_build=True),
    **{name: _limit(name, kind) for name, kind in get_type_hints(Limits).items() if name != "words_only"},
)


@dataclass(frozen=True)
class _File:
    """The tables of the configuration file."""

    __pydantic_config__ = _TABLE
    folders: Annotated[tuple[Folder, ...], BeforeValidator(_folder_tables)] = ()
    index: IndexSettings = field(default_factory=IndexSettings)
    limits: _LimitsTable | None = None  # pyright: ignore[reportInvalidTypeForm] - made above
    server: ServerSettings = field(default_factory=ServerSettings)
    log: LogSettings = field(default_factory=LogSettings)
    plugins: dict[str, Any] = field(default_factory=dict[str, Any])


@cache
def _reader() -> TypeAdapter[_File]:
    """Made when there is a file: it takes as long as many another import."""
    return TypeAdapter(_File)


_TABLES: Mapping[str, Any] = {
    "folders": Folder, "index": IndexSettings, "limits": Limits, "server": ServerSettings, "log": LogSettings,
}  # fmt: skip


@dataclass(frozen=True)
class Config:
    """Everything a run is configured with. `source` is the file read (it may not exist yet).

    `error` is why the file on disk is not what is in force; `folder_problems` says which folders cannot be watched."""

    folders: tuple[Folder, ...] = ()
    index: IndexSettings = field(default_factory=IndexSettings)
    limits: Limits = field(default_factory=Limits)
    server: ServerSettings = field(default_factory=ServerSettings)
    log: LogSettings = field(default_factory=LogSettings)
    plugins_disabled: frozenset[str] = frozenset()
    plugins_allowed: frozenset[str] = frozenset()
    """Folders of the plugin directory that are imported from; no other is."""
    plugin_directory: Path = Path()
    plugin_settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    sections: Mapping[str, _Tables] = field(default_factory=dict[str, _Tables])
    """By the name of a feature plugin its tables at the top of the file, `[NAME.…]`."""
    source: Path | None = None
    data_dir: Path = Path()
    error: ConfigError | None = None

    def feature_settings(self) -> dict[str, Mapping[str, Any]]:
        """The settings table of each feature plugin; its tables at the top of the file reach it as `tables`."""
        own = {name: {**self.plugin_settings.get(name, {}), "tables": one} for name, one in self.sections.items()}
        return {**self.plugin_settings, **own}

    def folder_of(self, path: str) -> tuple[str, bool] | None:
        """The innermost watched folder an absolute path lies in, and whether links in there are followed."""
        above = [str(folder.path) for folder in self.folders if Path(path).is_relative_to(folder.path)]
        return (max(above, key=len), self.index.follow_symlinks) if above else None

    def unwatched(self) -> str:
        """Why no folder is watched, as a sentence with what to do; "" where one is."""
        if self.folders:
            return ""
        if self.error is not None:
            return f"No folder is watched, since the configuration is broken: {self.error}"
        return "No folder is watched yet; add one with `docsidecar add FOLDER` or start with --folder DIR."

    def folder_problems(self) -> list[str]:
        """One sentence for each folder that cannot be watched as it stands."""
        problems: list[str] = []
        for folder in self.folders:
            try:
                mode = folder.path.stat().st_mode
            except (FileNotFoundError, NotADirectoryError):
                problems.append(
                    f"The folder {folder.path} does not exist; create it or remove it from the configuration."
                )
                continue
            except OSError as error:
                why = (error.strerror or type(error).__name__).lower()
                problems.append(f"The folder {folder.path} cannot be reached: {why}; mend that or remove it.")
                continue
            if not stat.S_ISDIR(mode):
                problems.append(f"{folder.path} is a file, not a folder; name the folder it lies in.")
            elif not os.access(folder.path, os.R_OK | os.X_OK):
                problems.append(f"The folder {folder.path} cannot be read; change its permissions or remove it.")
        return problems


@dataclass(frozen=True)
class Overrides:
    """What the command line says, above file and environment. None and () mean: not said."""

    config: Path | None = None
    data_dir: Path | None = None
    folders: tuple[Path, ...] = ()
    log_level: LogLevel | None = None


def config_path(overrides: Overrides, environment: Mapping[str, str]) -> Path:
    """Where the configuration file is (it may not exist): argument, `DOCSIDECAR_CONFIG`, or the platform's place."""
    if overrides.config is not None:
        return overrides.config.expanduser().absolute()
    if environment.get("DOCSIDECAR_CONFIG"):
        return Path(environment["DOCSIDECAR_CONFIG"]).expanduser().absolute()
    return Path(platformdirs.user_config_dir(APP, appauthor=False)) / "config.toml"


def load(overrides: Overrides = Overrides(), environment: Mapping[str, str] | None = None) -> Config:
    """Read the configuration.

    A missing file is an empty one, unless an argument named it: then it is a misspelling.

    Raises:
        ConfigError: the file cannot be read or is wrong; carries file, line and key."""
    environment = os.environ if environment is None else environment
    path = config_path(overrides, environment)
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            raise ConfigError(f"it is larger than {_MAX_BYTES:,} bytes.", file=str(path))
        text = data.decode("utf-8-sig")
    except FileNotFoundError:
        if overrides.config is not None and not overrides.folders:
            raise ConfigError(
                "there is no such file; create it with `docsidecar add FOLDER`.", file=str(path)
            ) from None
        text = ""
    except UnicodeDecodeError as error:
        raise ConfigError(f"it is not UTF-8 text (byte {error.start}); save it as UTF-8.", file=str(path)) from error
    except OSError as error:
        raise ConfigError(f"it cannot be read: {error.strerror}.", file=str(path)) from error
    file, sections = _parse(text, path)
    return replace(_apply(file, path, overrides, environment), sections=sections)


def fallback(error: ConfigError, overrides: Overrides, environment: Mapping[str, str] | None = None) -> Config:
    """The configuration to serve with when the file is broken at start: arguments and defaults, and the error."""
    environment = os.environ if environment is None else environment
    path = config_path(overrides, environment)
    return replace(_apply(_File(), path, overrides, environment), error=error)


def _apply(file: _File, path: Path, overrides: Overrides, environment: Mapping[str, str]) -> Config:
    named = tuple(overrides.folders)
    if not named and environment.get("DOCSIDECAR_FOLDERS"):
        named = tuple(Path(name) for name in environment["DOCSIDECAR_FOLDERS"].split(os.pathsep) if name)
    folders = tuple(Folder(_folder_path(name, Path.cwd())) for name in named) or tuple(
        replace(folder, path=_folder_path(folder.path, path.parent)) for folder in file.folders
    )
    folders = tuple({folder.path: folder for folder in folders}.values())
    plugins = dict(file.plugins)
    disabled, allowed = _listed(plugins.pop("disabled", ())), _listed(plugins.pop("allowed", ()))
    directory = _folder_path(Path(plugins.pop("directory", "plugins")), path.parent)
    return Config(
        folders=folders, index=file.index,
        limits=Limits(**file.limits.model_dump()) if file.limits is not None else Limits(), server=file.server,
        log=replace(file.log, level=overrides.log_level or file.log.level), plugins_disabled=frozenset(disabled),
        plugins_allowed=frozenset(allowed), plugin_directory=directory, plugin_settings=plugins,
        source=path, data_dir=_data_dir(overrides, environment, folders if named else ()),
    )  # fmt: skip


def _folder_path(name: Path, base: Path) -> Path:
    # absolute() and normpath, not resolve(): the user's own spelling is what they will look for in answers.
    return Path(os.path.normpath(base / Path(os.path.expandvars(name)).expanduser()))


def _data_dir(overrides: Overrides, environment: Mapping[str, str], folders: Sequence[Folder]) -> Path:
    if overrides.data_dir is not None:
        return overrides.data_dir.expanduser().absolute()
    if environment.get("DOCSIDECAR_DATA_DIR"):
        return Path(environment["DOCSIDECAR_DATA_DIR"]).expanduser().absolute()
    root = Path(platformdirs.user_data_dir(APP, appauthor=False))
    if not folders:
        return root / "default"
    # One directory a folder set, so that windows on different workspaces do not see one another's files.
    key = "\0".join(sorted(os.path.normcase(folder.path) for folder in folders))
    return root / f"folders-{hashlib.sha256(os.fsencode(key)).hexdigest()[:16]}"


def data_dirs(overrides: Overrides, environment: Mapping[str, str]) -> list[Path]:
    """The data directories there may be: the one that is named, or that of the folders that are named; else those of
    the configured folders and of every set of folders that ever was named."""
    if overrides.data_dir or overrides.folders or {"DOCSIDECAR_DATA_DIR", "DOCSIDECAR_FOLDERS"} & environment.keys():
        return [load(overrides, environment).data_dir]
    root = Path(platformdirs.user_data_dir(APP, appauthor=False))
    return [root / "default", *sorted(root.glob("folders-*"))]


def _parse(text: str, path: Path) -> tuple[_File, Mapping[str, _Tables]]:
    if long := _DOTTED.search(text):
        line = text.count("\n", 0, long.start()) + 1
        raise ConfigError(f"a key has more than {_MAX_NAMES} names.", file=str(path), line=line)
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, brackets in one another
        match = re.search(r"at line (\d+)", str(error))
        line = int(match[1]) if match else text.count("\n") + 1 if "end of document" in str(error) else None
        hint = "; write paths in 'single quotes'" if _BACKSLASH.search(str(error)) else ""
        raise ConfigError(f"it is not valid TOML: {error}{hint}.", file=str(path), line=line) from error
    sections = _take_sections(document, text, path)
    try:
        file = _reader().validate_python(document)
    except ValidationError as error:
        first = first_error(error)
        location = first["loc"]
        names = [str(item) for item in location if not isinstance(item, int)]
        valid = [item.name for item in fields(_TABLES.get(names[0], _File) if len(names) > 1 else _File)]
        valid += difflib.get_close_matches(names[0], _sections()) if len(names) == 1 else []
        key, line = without_steering(".".join(names)), find_line(text, location)
        within = [name for name, kind in _TABLES.items() if key in {one.name for one in fields(kind)}]
        if within and first["type"] == "unexpected_keyword_argument":
            message = f"stands outside its table; write it below [{within[0]}]."
        elif key == "folders" and first["type"] == "dataclass_type":
            message = f"expected the path of a folder, or a table [[folders]], got {shortened(repr(first['input']))}."
        else:
            message = explain(first, valid)
        raise ConfigError(message, file=str(path), line=line, key=key) from error
    for number, folder in enumerate(file.folders):
        if "\0" in str(folder.path):
            line = find_line(text, ("folders", number, "path"))
            raise ConfigError("a path holds no NUL.", file=str(path), line=line, key="folders.path")
    _check_plugins(file, text, path)
    return file, sections


def _sections() -> frozenset[str]:
    """The names of the feature plugins, of those installed, that take tables of their own at the top of the file."""
    return frozenset(point.name for point in entry_points(group="docsidecar.sections"))


def _take_sections(document: dict[str, Any], text: str, path: Path) -> Mapping[str, _Tables]:
    """The tables `[NAME.…]` of feature plugins that take such, which are taken out of the document."""
    own = {one.name for one in fields(_File)}
    named = [name for name, value in document.items() if name not in own and isinstance(value, dict)]
    sections = {name: document.pop(name) for name in sorted(_sections().intersection(named) if named else ())}
    for name, tables in sections.items():
        for key, value in tables.items():
            if not isinstance(value, dict):
                message = f"expected a table; settings of the plugin itself stand in [plugins.{name}]."
                line = find_line(text, (name, key))
                raise ConfigError(message, file=str(path), line=line, key=without_steering(f"{name}.{key}"))
    return sections


def _check_plugins(file: _File, text: str, path: Path) -> None:
    """`[plugins]` has three settings of its own beside the tables of plugins."""
    for name, value in file.plugins.items():
        line, key = find_line(text, ("plugins", name)), without_steering(f"plugins.{name}")
        if name in {"disabled", "allowed"}:
            names: Any = _listed(value)
            if not (isinstance(names, list) and all(isinstance(item, str) for item in names)):  # pyright: ignore[reportUnknownVariableType]
                raise ConfigError("expected a list of plugin names.", file=str(path), line=line, key=key)
        elif name == "directory":
            if not isinstance(value, str) or not value:
                raise ConfigError("expected the path of a folder.", file=str(path), line=line, key=key)
        elif not isinstance(value, dict):
            message = f"unknown key; did you mean `disabled` or `allowed`, or a table [{key}]?"
            raise ConfigError(message, file=str(path), line=line, key=key)
