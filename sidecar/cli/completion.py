"""`docsidecar completion SHELL`: the script for a shell's start-up that completes commands, options, assistants, files.

The shell asks this program itself, by argcomplete's protocol, so what is completed is always what there is."""

import argparse
import os

from sidecar.cli.output import Commands
from sidecar.config import Overrides

_VARIABLE = "_ARGCOMPLETE"
"""Set by the shell when it asks for completions."""
_SHELLS = ("bash", "zsh", "fish", "powershell")
_HOW = """\
bash:        docsidecar completion bash > ~/.local/share/bash-completion/completions/docsidecar
zsh:         docsidecar completion zsh > "${fpath[1]}/_docsidecar"
fish:        docsidecar completion fish > ~/.config/fish/completions/docsidecar.fish
PowerShell:  docsidecar completion powershell >> $PROFILE"""


def register(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "completion", parents=[shared], help="completion of commands for your shell", description="Print a script that "
        "completes docsidecar's commands and options in a shell; where to put it:\n\n" + _HOW,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("shell", choices=_SHELLS, metavar="SHELL", help=", ".join(_SHELLS))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, _: Overrides) -> int:
    """Print the script."""
    from argcomplete.shell_integration import shellcode

    print(shellcode(["docsidecar"], shell=arguments.shell), end="")
    return 0


def asked() -> bool:
    """Whether a shell asks for completions."""
    return _VARIABLE in os.environ


def typed() -> list[str]:
    """The words behind the program's name; where there is none, a stand-in for any command."""
    return os.environ.get("COMP_LINE", "").split()[1:] or ["--help"]


def answer(parser: argparse.ArgumentParser) -> None:
    """Tell the shell what may follow, and end the process."""
    from argcomplete import autocomplete

    autocomplete(parser, always_complete_options="long")
