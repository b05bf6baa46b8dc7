"""The `plimsoll` command: imports and runs a subcommand.

Exit codes: 0 ok, 1 API error, 2 usage or invalid definition, 3 run incomplete, 4 not enough evidence
(with --strict), 5 not comparable, 99 a threshold is not met, 130 run cancelled, or Ctrl-C.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterable, Mapping
from typing import Final, NoReturn

import typer

from backend.cli.failure import API_ERROR, INTERRUPTED, Failure
from backend.cli.output import is_output_closed, print_message, replace_unencodable

COMPLETE_VARIABLE: Final = "_PLIMSOLL_COMPLETE"
"""Set by the shell's script while it completes; its name follows from the command's."""

COMMANDS: Final = {
    "init": "beginning",
    "validate": "experiments",
    "plan": "experiments",
    "run": "experiments",
    "status": "runs",
    "result": "runs",
    "cancel": "runs",
    "extend": "extending",
    "share": "runs",
    "compare": "compare",
    "stats": "stats",
    "export": "export",
    "replay-script": "export",
    "eject": "export",
    "import": "importing",
    "schedules": "schedules",
    "presets": "lists",
    "hosts": "lists",
    "runs": "lists",
    "open": "lists",
    "login": "signing_in",
    "whoami": "signing_in",
    "logout": "signing_in",
    "completion": "beginning",
    "check-invariants": "host",
    "backup": "backups",
    "restore": "backups",
    "compact": "compacting",
    "admin": "admin",
}
"""The subcommands in the order of the help, with their modules."""


def command_line(names: Iterable[str]) -> typer.Typer:
    """The command with these subcommands; only their modules are imported."""
    app = typer.Typer(
        no_args_is_help=True,
        # Only while the shell completes, because it adds two options to the help.
        add_completion=COMPLETE_VARIABLE in os.environ,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )

    @app.callback(help="Run and compare container-networking experiments.")
    def plimsoll() -> None:
        """Has no options."""

    for name in names:
        module = importlib.import_module(f"backend.cli.{COMMANDS[name]}")
        command = module.COMMANDS[name]
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


def completed_command(environment: Mapping[str, str]) -> str:
    """The subcommand of the line that the shell completes, once another word follows it; else empty.

    Typer's scripts give the line in these variables: the first for zsh and fish, the second for bash.
    """
    line = environment.get("_TYPER_COMPLETE_ARGS") or environment.get("COMP_WORDS") or ""
    words = line.split() + ([""] if line.endswith((" ", "\n")) else [])
    return words[1] if COMPLETE_VARIABLE in environment and len(words) > 2 else ""


def main() -> None:
    """Run the command and end with its exit code."""
    replace_unencodable()
    # Imports only the module of the given subcommand: `stats` needs no HTTP client.
    named = completed_command(os.environ) or (sys.argv[1] if len(sys.argv) > 1 else "")
    try:
        try:
            command_line([named] if named in COMMANDS else COMMANDS)()
        finally:
            # At the interpreter's exit, a full disk would not set the exit code.
            if sys.stdout is not None:
                sys.stdout.flush()
    except Failure as failure:
        _end(failure)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except OSError as error:
        if not is_output_closed(error):
            raise
        if isinstance(error, BrokenPipeError):  # the reader, such as head, closed the pipe
            sys.exit(API_ERROR)
        _end(Failure(f"the output could not be written: {error.strerror}"))


def _end(failure: Failure) -> NoReturn:
    print_message(f"plimsoll: {failure}")
    sys.exit(failure.code)


if __name__ == "__main__":
    main()
