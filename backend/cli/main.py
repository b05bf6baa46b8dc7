"""The `plimsoll` command: finds the file of a command and runs it.

Exit codes: 0 ok, 1 API error, 2 usage or invalid definition, 3 run incomplete, 4 not enough evidence
(with --strict), 5 not comparable, 99 a threshold is not met, 130 run cancelled.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable
from typing import Final, NoReturn

import typer

from backend.cli.failure import API_ERROR, Failure
from backend.cli.output import is_output_closed, replace_unencodable, say

COMMANDS: Final = {
    "validate": "experiments",
    "plan": "experiments",
    "run": "experiments",
    "status": "runs",
    "result": "runs",
    "cancel": "runs",
    "share": "runs",
    "compare": "compare",
    "stats": "stats",
    "export": "export",
    "replay-script": "export",
    "eject": "export",
    "import": "importing",
    "presets": "lists",
    "hosts": "lists",
    "open": "lists",
    "check-invariants": "host",
}
"""Every command, in the order of the help, with the module of this package that has it."""


def command_line(names: Iterable[str]) -> typer.Typer:
    """The command with these subcommands; their modules alone are imported."""
    app = typer.Typer(
        no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None
    )

    @app.callback(help="Run and compare container-networking experiments.")
    def plimsoll() -> None:
        """Nothing that all commands share."""

    for name in names:
        module = importlib.import_module(f"backend.cli.{COMMANDS[name]}")
        app.command(name)(module.COMMANDS[name])
    return app


def main() -> None:
    """Run the command and end with its exit code."""
    replace_unencodable()
    # `stats` needs no server, so it shall not wait for the import of a client.
    named = sys.argv[1] if len(sys.argv) > 1 else ""
    try:
        try:
            command_line([named] if named in COMMANDS else COMMANDS)()
        finally:
            # Later, at the interpreter's end, a full disk would be no error of the command.
            if sys.stdout is not None:
                sys.stdout.flush()
    except Failure as failure:
        _end(failure)
    except OSError as error:
        if not is_output_closed(error):
            raise
        if isinstance(error, BrokenPipeError):  # who read the output, such as head, has enough of it
            sys.exit(API_ERROR)
        _end(Failure(f"the output could not be written: {error.strerror}"))


def _end(failure: Failure) -> NoReturn:
    say(f"plimsoll: {failure}")
    sys.exit(failure.code)


if __name__ == "__main__":
    main()
