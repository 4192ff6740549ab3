"""The entry point `docsidecar`: parses the command line, runs the command, turns errors into exit codes.

Exit codes: 0 it worked; 1 it did not, or nothing was found; 2 the command line or the configuration is wrong."""

import argparse
import io
import os
import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from functools import partial
from pathlib import Path
from typing import NoReturn, get_args

from sidecar import __version__
from sidecar.api.errors import ConfigError, SidecarError, UsageError
from sidecar.cli import completion, config, forget, index, library, plugins, serve, status
from sidecar.cli.checks import doctor
from sidecar.cli.clients import claude_hook, install
from sidecar.cli.output import print_error
from sidecar.config import LogLevel, Overrides
from sidecar.toolkit.text import did_you_mean

DESCRIPTION = """\
DocSidecar watches your folders, keeps every document in them indexed, and serves the documents and all their parts
to an AI assistant over the Model Context Protocol (stdio).

Start with:   docsidecar add ~/Documents      watch a folder
              docsidecar index --once         index it now, with progress
              docsidecar search "net revenue" ask the index
              docsidecar install              enter it into your assistants
Assistants run `docsidecar serve` (also the default without a command)."""

_EPILOG = """\
Environment: DOCSIDECAR_CONFIG (configuration file), DOCSIDECAR_DATA_DIR (where the index lives), DOCSIDECAR_FOLDERS
(folders to watch instead of the configured ones). Arguments win over the environment, which wins over the file.
Exit codes: 0 it worked; 1 it did not, or nothing was found; 2 the command line or the configuration is wrong."""

_MODULES = (serve, index, library, status, plugins, config, forget, install, doctor, completion, claude_hook)
_BUILT_IN = (
    "serve", "index", "search", "list", "outline", "grep", "read", "status", "plugins", "config", "add", "remove",
    "forget", "install", "uninstall", "doctor", "completion", "claude-hook", "open", "help",
)  # fmt: skip
_UNKNOWN = re.compile(r"argument (.*?): invalid choice: '([^']*)' \(choose from (.*)\)")
_NO_NUMBER = re.compile(r"argument (.*?): invalid (?:int|float) value: ('.*')")
_OPTION_NEAR = 0.7
"""So near (difflib) is an option that was meant: two dashes are alike in all of them."""
_MISSING, _ONE_OF = "the following arguments are required: ", re.compile(r"one of the arguments (.*) is required")


class _CommandParser(argparse.ArgumentParser):
    """Says in one sentence what is wrong, and which command was meant by one that does not exist."""

    def error(self, message: str) -> NoReturn:
        """Print the sentence and end with exit code 2."""
        about = " ".join(self.prog.split()[1:])
        hint = f"`docsidecar {f'help {about}' if about else 'help'}` shows how it is used."
        if (unknown := _UNKNOWN.search(message)) is not None:
            name, given, choices = unknown.groups()
            near = did_you_mean(given, re.findall(r"[\w-]+", choices), mark="`")
            if name == "COMMAND" and os.path.isdir(Path(given).expanduser()):  # noqa: PTH112 - pathlib's raises
                ways = f"`docsidecar add {given}` watches it from now on, `docsidecar serve {given}` serves it alone."
                self.exit(print_error(f"{given} is a folder, not a command; {ways}", 2))
            if name == "COMMAND":
                self.exit(
                    print_error(f"there is no command {given!r}; {near or '`docsidecar help` lists the commands.'}", 2)
                )
            hint = near or f"it takes {choices}."
            message = f"{name} is {given!r}" if name[0] == "-" else f"there is no {given!r}"
        elif (wrong := _NO_NUMBER.search(message)) is not None:
            message = f"{wrong[1]} is {wrong[2]}, which is not a number"
        elif message.startswith(_MISSING):
            missing = message.removeprefix(_MISSING)
            message = f"{missing} is missing" if "," not in missing else f"these are missing: {missing}"
        elif (one := _ONE_OF.search(message)) is not None:
            message = f"{one[1].replace(' ', ' or ')} is missing"
        self.exit(print_error(f"{f'{about}: ' if about else ''}{message}; {hint}", 2))


def _parse(words: Sequence[str]) -> argparse.Namespace:
    """The command line taken apart; what its command does not take ends with a sentence that names what is near."""
    parser = build_parser(words)
    arguments, unknown = parser.parse_known_args(words)
    if not unknown:
        return arguments
    about: str = arguments.command or ""
    help_ = io.StringIO()
    with suppress(SystemExit), redirect_stdout(help_):
        parser.parse_args([about, "--help"] if about else ["--help"])
    name = next((word for word in unknown if word.startswith("-")), "")
    near = (
        did_you_mean(
            name.partition("=")[0], re.findall(r"(?<![\w-])--[\w-]+", help_.getvalue()), alike=_OPTION_NEAR, mark="`"
        )
        if name
        else ""
    )
    hint = near or f"`docsidecar {f'help {about}' if about else 'help'}` shows how it is used."
    if not name and os.path.isdir(Path(unknown[0]).expanduser()):  # noqa: PTH112
        hint = f"a folder is named by --folder {unknown[0]}."
    sys.exit(print_error(f"{f'{about}: ' if about else ''}{name or ' '.join(unknown)} is not understood; {hint}", 2))


def build_parser(words: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The whole command line; every command's options are listed by `docsidecar COMMAND --help`.

    Plugins' commands join when `words` hold no built-in one, so that `serve` never loads a plugin before its client."""
    shared = _CommandParser(add_help=False)
    _global_options(shared, argparse.SUPPRESS)
    parser = _CommandParser(
        prog="docsidecar", description=DESCRIPTION, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"docsidecar {__version__}")
    _global_options(parser, None)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for module in _MODULES:
        module.register(commands, shared)
    helping = commands.add_parser("help", parents=[shared], help="show how to use docsidecar, or one of its commands")
    helping.add_argument("about", nargs="?", metavar="COMMAND")
    helping.set_defaults(run=_help)
    if words and not any(word in _BUILT_IN for word in words):
        known, _ = shared.parse_known_args(words)
        plugins.register_commands(commands, shared, _overrides_of(known))
    return parser


def _help(arguments: argparse.Namespace, _: Overrides) -> int:
    """`docsidecar help [COMMAND]`, which is `docsidecar [COMMAND] --help`."""
    words = [*([arguments.about] if arguments.about else []), "--help"]
    build_parser(words).parse_args(words)
    return 0


def _global_options(parser: argparse.ArgumentParser, default: object) -> None:
    """The global options, accepted before and after the command; SUPPRESS keeps the later from erasing the earlier."""
    group = parser.add_argument_group("global options")
    group.add_argument("--config", type=Path, metavar="FILE", default=default, help="configuration file to use")
    group.add_argument("--data-dir", type=_path, metavar="DIR", default=default, help="where the index lives")
    group.add_argument(
        "--folder", type=_path, metavar="DIR", action="append", default=default,
        help="watch this folder instead of the configured ones (repeatable); its index is kept apart",
    )  # fmt: skip
    group.add_argument("--log-level", choices=get_args(LogLevel), default=default, help="how much to log")


def _path(text: str) -> Path | None:
    return Path(text) if text.strip() else None


def _greet_or_serve(words: Sequence[str], arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Without a command: an assistant is served, a person is told what to do."""
    if sys.stdin is None or not sys.stdin.isatty():
        return serve.run(arguments, overrides)
    from sidecar.cli.welcome import welcome

    return welcome(overrides, lambda command: main([*words, *command]))


def _overrides_of(arguments: argparse.Namespace) -> Overrides:
    """What the command line says above file and environment."""
    given = vars(arguments)
    folders = tuple(filter(None, given.get("folder") or ()))  # a bundle gives "" where its field is left empty
    return Overrides(given.get("config"), given.get("data_dir"), folders, given.get("log_level"))


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; gives the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["_worker"]:  # a frozen build starts its own worker processes this way
        from sidecar.workers.main import main as worker_main

        return worker_main()
    if completion.asked():
        completion.answer(build_parser(completion.typed()))
    arguments = _parse(words)
    run = getattr(arguments, "run", partial(_greet_or_serve, words))
    try:
        return run(arguments, _overrides_of(arguments))
    except (ConfigError, UsageError) as error:
        return print_error(str(error), 2)
    except SidecarError as error:
        return print_error(str(error), 1)
    except BrokenPipeError:  # the reader of our output (head, less) has seen enough
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return print_error("interrupted.", 130)


if __name__ == "__main__":
    sys.exit(main())
